/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ policy show`: which policies apply, and their content.
 */

#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/output/text_table.h"
#include "cli/policy/policy_args.h"
#include "cli/policy/policy_quote.h"

#define PAGE_MAX  ((size_t)64 << 20)
#define COUNT_MAX 32

enum {
	NOT_IN_ORDER = 1,
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "effective", W_TO(FLAG, struct w_policy_args, is_effective),
	 .help = "Everything that they say, with includes and defaults, each "
	         "rule with its place."},
	W_POLICY_ROWS,
};

static const struct w_example examples[] = {
	{"writ policy show", "the policies that apply here"},
	{"writ policy show --effective", "everything that they say"},
	{"writ policy show developer > policy.yaml",
	 "a preset, to start from"},
	{"writ policy show --json", "the same for a program"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success"},
	{"1", "one of them is invalid; the errors were printed"},
	{"2", "wrong usage, or a file that cannot be read"},
	{.status = ""},
};
/* clang-format on */

/* ---- faults ---- */

/* Prints to standard error. Returns the number of faults. */
static size_t
report_faults(yyjson_val *root)
{
	W_AUTO_FREE char *cwd = getcwd(NULL, 0);
	struct w_policy_quotes quotes = {.file = NULL};
	size_t found = 0;
	W_AUTO_BUF struct w_buf buf;
	const struct w_decision_page page = {.buf = &buf,
	    .has_colour = w_print_has_colour(STDERR_FILENO),
	    .cwd = cwd,
	    .quote = w_cli_policy_quote,
	    .ctx = &quotes};
	size_t i;
	size_t count;
	yyjson_val *policy;

	w_buf_init(&buf, PAGE_MAX);
	yyjson_arr_foreach(yyjson_obj_get(root, "policies"), i, count, policy)
	{
		size_t warnings = 0;
		const size_t all =
		    w_cli_policy_add_faults(&page, policy, &warnings);

		found += all - warnings;
	}
	w_cli_policy_quotes_done(&quotes);
	(void)w_print_bytes(STDERR_FILENO, buf.data, buf.len);
	return found;
}

/* ---- the list ---- */

static void
policy_show_add_count(
    struct w_text_table *table, yyjson_val *policy, const char *key)
{
	yyjson_val *list =
	    yyjson_obj_get(yyjson_obj_get(policy, "policy"), key);
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, COUNT_MAX);
	w_buf_add_fmt(&text, "%zu",
	    yyjson_is_obj(list) ? yyjson_obj_size(list)
				: yyjson_arr_size(list));
	w_text_table_add(table, text.data);
}

/* The policies, and below them their combined settings without rules. */
static int
print_list(yyjson_val *root)
{
	static const char *const headings[] = {"TIER", "DEFAULT", "SANDBOX",
	    ">RULES", ">AGENTS", ">EXPECT", "FILE", NULL};
	struct w_text_table table;
	W_AUTO_BUF struct w_buf buf;
	const struct w_decision_page page = {
	    .buf = &buf, .has_colour = w_print_has_colour(STDOUT_FILENO)};
	size_t i;
	size_t count;
	yyjson_val *policy;

	w_buf_init(&buf, PAGE_MAX);
	w_text_table_init(&table, headings);
	yyjson_arr_foreach(yyjson_obj_get(root, "policies"), i, count, policy)
	{
		yyjson_val *body = yyjson_obj_get(policy, "policy");
		yyjson_val *standard = yyjson_obj_get(body, "default");

		w_text_table_add(&table, w_cli_decision_text(policy, "tier"));
		w_text_table_add(
		    &table, yyjson_is_str(standard)
				? yyjson_get_str(standard)
				: w_cli_decision_text(standard, "decision"));
		w_text_table_add(&table, w_cli_decision_text(body, "sandbox"));
		policy_show_add_count(&table, policy, "rules");
		policy_show_add_count(&table, policy, "agents");
		policy_show_add_count(&table, policy, "expect");
		w_text_table_add(&table, w_cli_decision_text(policy, "file"));
	}
	const int status = w_text_table_print(&table);

	w_text_table_done(&table);
	if (status != 0)
		return status;
	w_cli_decision_add_effective(&page, yyjson_obj_get(root, "effective"));
	return w_print(&buf);
}

/* ---- the content ---- */

static int
print_yaml(yyjson_val *root)
{
	W_AUTO_BUF struct w_buf buf;
	size_t i;
	size_t count;
	yyjson_val *policy;

	w_buf_init(&buf, PAGE_MAX);
	yyjson_arr_foreach(yyjson_obj_get(root, "policies"), i, count, policy)
	{
		const char *tier = w_cli_decision_text(policy, "tier");
		const char *file = w_cli_decision_text(policy, "file");
		const char *yaml = w_cli_decision_text(policy, "yaml");

		if (count > 1)
			w_buf_add_str(&buf, "---\n");
		w_buf_add_fmt(&buf, "# %s", tier == NULL ? "policy" : tier);
		if (file != NULL) {
			const struct w_decision_page page = {.buf = &buf};

			w_buf_add_str(&buf, ": ");
			w_cli_decision_add_plain(&page, file);
		}
		w_buf_add_char(&buf, '\n');
		if (yaml != NULL)
			w_buf_add_str(&buf, yaml);
		if (buf.len > 0 && w_buf_last(&buf) != '\n')
			w_buf_add_char(&buf, '\n');
	}
	return w_print(&buf);
}

/* Prints a preset with its comments. false: no preset has that name. */
static bool
print_preset(const char *name, int *out_status)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, PAGE_MAX);
	if (!w_cli_policy_preset(name, &buf))
		return false;
	*out_status = w_print(&buf);
	return true;
}

static int
policy_show(struct w_policy_args *args)
{
	W_AUTO_POLICY_REPORT struct w_policy_report view = {.json = NULL};
	int status = 0;

	if (!args->is_json && !args->is_effective && args->operand != NULL &&
	    print_preset(args->operand, &status))
		return status;
	status = w_cli_policy_report(args, WRIT_POLICY_SHOW, &view);
	if (status != 0)
		return status;

	const size_t faults = args->is_json ? 0 : report_faults(view.root);
	if (args->is_json)
		status = w_print_json(view.json, view.len);
	else if (args->is_effective || args->operand != NULL)
		status = print_yaml(view.root);
	else
		status = print_list(view.root);
	if (status != 0)
		return args->command->usage_exit;
	return faults > 0 ? NOT_IN_ORDER : 0;
}

static int
policy_show_run(int argc, char **argv)
{
	struct w_policy_args args = {.command = &w_cmd_policy_show};

	return w_cli_policy_begin(&args, argc, argv, policy_show);
}

const struct w_cli_command w_cmd_policy_show = {
    .name = "policy show",
    .summary = "Show the policies that apply, and what they say",
    .usage = "policy show [--effective] [OPTION]... [FILE|PRESET]",
    .about = "Lists the policies that apply in a directory: the "
	     "machine's, the user's, the project's. With --effective, or "
	     "for one FILE, prints everything that they say; a PRESET is "
	     "printed as it is written.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@policy",
	W_TO(TEXT, struct w_policy_args, operand)},
    .usage_exit = 2,
    .run = policy_show_run,
};
