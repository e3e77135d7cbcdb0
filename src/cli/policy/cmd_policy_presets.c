/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ policy presets` and `writ policy schema`: the presets, and the JSON
 * Schema of policy files.
 */

#include "cli/output/print.h"
#include "cli/output/text_table.h"
#include "cli/policy/policy_args.h"

/* clang-format off */
static const struct w_option presets_options[] = {
	{.name = "names", W_TO(FLAG, struct w_policy_args, has_names),
	 .help = "Print their names only."},
	W_POLICY_JSON_ROW,
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_option schema_options[] = {
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example presets_examples[] = {
	{"writ policy presets", "which presets exist, and what for"},
	{"writ policy show allowlist", "what one says"},
	{.line = ""},
};

static const struct w_example schema_examples[] = {
	{"writ policy schema > policy.schema.json",
	 "for an editor that knows JSON Schema"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success"},
	{"2", "wrong usage, or the output cannot be written"},
	{.status = ""},
};
/* clang-format on */

static int
policy_presets_print_table(yyjson_val *presets)
{
	static const char *const headings[] = {"NAME", "ABOUT", NULL};
	struct w_text_table table;
	size_t i;
	size_t count;
	yyjson_val *preset;

	w_text_table_init(&table, headings);
	yyjson_arr_foreach(presets, i, count, preset)
	{
		w_text_table_add(&table, w_cli_decision_text(preset, "name"));
		w_text_table_add(&table, w_cli_decision_text(preset, "about"));
	}
	const int status = w_text_table_print(&table);

	w_text_table_done(&table);
	return status;
}

static int
print_names(yyjson_val *presets)
{
	W_AUTO_BUF struct w_buf buf;
	size_t i;
	size_t count;
	yyjson_val *preset;

	w_buf_init(&buf, W_PRINT_MAX);
	yyjson_arr_foreach(presets, i, count, preset)
	{
		w_buf_add_fmt(
		    &buf, "%s\n", w_cli_decision_text(preset, "name"));
	}
	return w_print(&buf);
}

static int
list_presets(struct w_policy_args *args)
{
	W_AUTO_POLICY_REPORT struct w_policy_report view = {.json = NULL};
	int status = w_cli_policy_report(args, WRIT_POLICY_PRESETS, &view);

	if (status != 0)
		return status;
	yyjson_val *presets = yyjson_obj_get(view.root, "presets");
	if (args->is_json)
		status = w_print_json(view.json, view.len);
	else
		status = args->has_names ? print_names(presets)
					 : policy_presets_print_table(presets);
	return status == 0 ? 0 : args->command->usage_exit;
}

static int
run_presets(int argc, char **argv)
{
	struct w_policy_args args = {.command = &w_cmd_policy_presets};

	return w_cli_policy_begin(&args, argc, argv, list_presets);
}

static int
print_schema(struct w_policy_args *args)
{
	size_t len = 0;
	const char *schema = writ_policy_schema(&len);
	const bool has_end = len > 0 && schema[len - 1] == '\n';

	return w_print_json(schema, has_end ? len - 1 : len) == 0
		   ? 0
		   : args->command->usage_exit;
}

static int
run_schema(int argc, char **argv)
{
	struct w_policy_args args = {.command = &w_cmd_policy_schema};

	return w_cli_policy_begin(&args, argc, argv, print_schema);
}

const struct w_cli_command w_cmd_policy_presets = {
    .name = "policy presets",
    .summary = "List the policies that writ comes with",
    .usage = "policy presets [--names | --json]",
    .about = "Presets are ordinary policy files that are built in. A policy "
	     "may include them, --policy and WRIT_POLICY take their names, and "
	     "'writ policy show NAME' prints one.",
    .options = presets_options,
    .examples = presets_examples,
    .exits = exits,
    .usage_exit = 2,
    .run = run_presets,
};

const struct w_cli_command w_cmd_policy_schema = {
    .name = "policy schema",
    .summary = "Print the JSON Schema of policy files",
    .usage = "policy schema",
    .about = "The schema by which editors can check and complete a policy. "
	     "What it cannot say, 'writ policy lint' does.",
    .options = schema_options,
    .examples = schema_examples,
    .exits = exits,
    .usage_exit = 2,
    .run = run_schema,
};
