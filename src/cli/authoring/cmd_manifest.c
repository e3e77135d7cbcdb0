/* SPDX-License-Identifier: Apache-2.0 */

/* `writ manifest`: for those who write manifests. */

#include "cli/authoring/cmd_manifest.h"

#include "cli/options/options.h"

/* clang-format off */
static const struct w_option options[] = {
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ manifest graph site.yaml",
	 "the order, and who refreshes whom"},
	{"writ manifest graph --dot site.yaml | dot -Tsvg >site.svg",
	 "as a picture"},
	{"writ manifest fmt --write site.yaml", "format it"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success"},
	{"1", "a manifest is not valid or not formatted; see the command"},
	{"2", "wrong usage"},
	{.status = ""},
};
/* clang-format on */

static const struct w_cli_command *const subs[] = {
    &w_cmd_manifest_graph, &w_cmd_manifest_fmt, NULL};

const struct w_cli_command w_cmd_manifest = {
    .name = "manifest",
    .summary = "Show the order of a manifest, and format it",
    .options = options,
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .subs = subs,
};
