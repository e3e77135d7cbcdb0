/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ schema`: JSON Schema on the command line, with the validator that
 * checks the input of calls.
 */

#include "cli/schema/schema_args.h"

/* clang-format off */
static const struct w_option options[] = {
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ schema validate --schema config.schema.json config.yaml",
	 "everything that is wrong with a document, with line and column"},
	{"writ schema check config.schema.json",
	 "whether a file is a schema"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "valid"},
	{"1", "not valid"},
	{"2", "it cannot be checked, or wrong usage"},
	{.status = ""},
};
/* clang-format on */

static const struct w_cli_command *const subs[] = {
    &w_cmd_schema_validate,
    &w_cmd_schema_check,
    NULL,
};

const struct w_cli_command w_cmd_schema = {
    .name = "schema",
    .summary = "Validate documents against a JSON Schema",
    .about = "Validates JSON or YAML documents against a JSON Schema of "
	     "draft 2020-12 or 07. Nothing is fetched from elsewhere.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .subs = subs,
};
