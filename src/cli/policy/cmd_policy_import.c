/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ policy import FILE`: permission rules of Claude Code and Codex as rules
 * of a policy, and what could not be carried over, and why.
 */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/printable.h"
#include "cli/options/options.h"
#include "cli/options/text_file.h"
#include "cli/output/print.h"
#include "cli/policy/import_rules.h"
#include "cli/policy/policy_args.h"
#include "cli/policy/policy_write.h"
#include "data/yaml_string.h"

#define STAGE     "import"
#define FILE_MAX  ((size_t)4 << 20)
#define PAGE_MAX  ((size_t)64 << 20)
#define LINE_SIZE ((size_t)64 << 10)

struct policy_import_args {
	struct w_policy_args
	    shared; /* first member: see w_cli_policy_begin() */
	const char *from;
	bool is_write;
	bool is_yes;
	bool is_dry_run;
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "from", .arg = "PROGRAM",
	 W_TO(WORD, struct policy_import_args, from), .words = "claude|codex",
	 .help = "Whose rules they are.", .standard = "seen from the file"},
	{.name = "write", W_TO(FLAG, struct policy_import_args, is_write),
	 .help = "Add them to the user's policy, as 'writ policy allow' does."},
	{.name = "dry-run", W_TO(FLAG, struct policy_import_args, is_dry_run),
	 .help = "With --write: show the difference and write nothing."},
	{.name = "yes", .letter = 'y', W_TO(FLAG, struct policy_import_args, is_yes),
	 .help = "With --write: write it without asking."},
	{.name = "config-dir", .arg = "DIR",
	 W_TO(SETTING, struct policy_import_args, shared.config),
	 .key = "config_dir", .words = "@dir",
	 .help = "The user's configuration, with its policy.yaml."},
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ policy import ~/.claude/settings.json", "see them as a policy"},
	{"writ policy import ~/.codex/rules/default.rules --write",
	 "add them to the user's policy"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success"},
	{"1", "the person said no"},
	{"2", "wrong usage, or a file that cannot be read; nothing was written"},
	{.status = ""},
};
/* clang-format on */

/* ---- reading ---- */

static bool
has_suffix(const char *text, const char *suffix)
{
	const size_t len = strlen(text);
	const size_t tail = strlen(suffix);

	return len >= tail && strcmp(text + len - tail, suffix) == 0;
}

static writ_status
import_file(const struct policy_import_args *args, struct w_import *import,
    writ_error *err)
{
	static const struct w_text_file_kind kind = {
	    "file of rules", "name a settings.json or a .rules file"};
	const char *path = args->shared.operand;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, FILE_MAX);
	writ_status status = w_text_file_read(&kind, path, &text, err);
	if (status != WRIT_OK)
		return status;
	const char first = text.data[strspn(text.data, " \t\r\n")];
	bool is_claude = first == '{';
	if (args->from != NULL)
		is_claude = strcmp(args->from, "claude") == 0;
	if (is_claude)
		return w_cli_import_claude(import, &text, err);
	if (has_suffix(path, ".toml"))
		return w_cli_import_codex_config(import, &text, err);
	if (args->from == NULL && strstr(text.data, "prefix_rule") == NULL) {
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "cannot tell whose rules '%.200s' has", path);
		w_suggest(err, "say --from claude or --from codex");
		return WRIT_E_INVALID;
	}
	return w_cli_import_codex(import, &text, err);
}

/* ---- showing ---- */

static void
add_left(struct w_buf *out, const struct w_import *import)
{
	bool has_heading = false;

	for (size_t i = 0; i < import->count; i++) {
		const struct w_import_rule *rule = &import->items[i];

		if (rule->shape != NULL)
			continue;
		if (!has_heading)
			w_buf_add_str(out, "# Not carried over:\n");
		has_heading = true;
		w_buf_add_str(out, "#   ");
		if (rule->verdict != NULL)
			w_buf_add_fmt(out, "%s ", rule->verdict);
		(void)w_printable_add(out, rule->from, 0);
		w_buf_add_str(out, ": ");
		(void)w_printable_add(
		    out, rule->why == NULL ? "unknown" : rule->why, 0);
		w_buf_add_char(out, '\n');
	}
}

static int
show_rules(const struct w_import *import)
{
	W_AUTO_BUF struct w_buf out;
	const char *heading = "rules:\n";

	w_buf_init(&out, PAGE_MAX);
	w_buf_add_str(&out, "version: 1\ninclude: [developer]\n");
	for (size_t i = 0; i < import->count; i++) {
		const struct w_import_rule *rule = &import->items[i];

		if (rule->shape == NULL)
			continue;
		w_buf_add_fmt(&out, "%s  # ", heading);
		heading = "";
		(void)w_printable_add(&out, rule->from, 0);
		w_buf_add_fmt(&out, "\n  - %s: ", rule->verdict);
		w_yaml_add_string(&out, rule->shape, strlen(rule->shape), 0);
		w_buf_add_char(&out, '\n');
		if (rule->why == NULL)
			continue;
		w_buf_add_str(&out, "    # ");
		(void)w_printable_add(&out, rule->why, 0);
		w_buf_add_char(&out, '\n');
	}
	add_left(&out, import);
	return w_print(&out);
}

/* ---- writing ---- */

/* Rules are tried one after the other: one that would not hold is left out,
 * and told. */
struct import_writing {
	struct w_policy_writing *writing;
	struct w_import *import;
	struct w_policy_addition *added;
	size_t count;
	size_t changes;
};

static writ_status
try_rule(struct import_writing *to, struct w_import_rule *rule, writ_error *err)
{
	static const char *const extras[] = {NULL, "x"};
	struct w_policy_addition *next = &to->added[to->count];
	writ_status status = WRIT_OK;
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, LINE_SIZE);
	*next = (struct w_policy_addition){
	    .verdict = rule->verdict, .shape = rule->shape};
	for (size_t i = 0; i < sizeof(extras) / sizeof(extras[0]); i++) {
		status =
		    w_cli_policy_example(rule->shape, extras[i], &line, err);
		if (status != WRIT_OK)
			break;
		next->expect =
		    w_arena_text(&to->import->arena, line.data, line.len);
		if (next->expect == NULL)
			return w_fail_nomem(err, STAGE);
		status = w_cli_policy_writing_try(
		    to->writing, to->added, to->count + 1, &to->changes, err);
		if (status == WRIT_OK) {
			to->count++;
			return WRIT_OK;
		}
	}
	if (status != WRIT_E_INVALID)
		return status;
	rule->why = w_arena_text(
	    &to->import->arena, err->message, strlen(err->message));
	rule->shape = NULL;
	return WRIT_OK;
}

static writ_status
try_rules(struct import_writing *to, writ_error *err)
{
	writ_status status = w_cli_policy_writing_open(to->writing, err);

	for (size_t i = 0; status == WRIT_OK && i < to->import->count; i++) {
		if (to->import->items[i].shape != NULL)
			status = try_rule(to, &to->import->items[i], err);
	}
	/* The last try may have been one that failed. */
	if (status == WRIT_OK && to->count > 0)
		status = w_cli_policy_writing_try(
		    to->writing, to->added, to->count, &to->changes, err);
	return status;
}

static int
write_rules(const struct policy_import_args *args, struct w_import *import)
{
	struct w_policy_writing writing = {.command = args->shared.command,
	    .config = args->shared.config,
	    .is_yes = args->is_yes,
	    .is_dry_run = args->is_dry_run};
	W_AUTO_FREE struct w_policy_addition *added =
	    calloc(import->count + 1, sizeof(*added));
	struct import_writing to = {
	    .writing = &writing, .import = import, .added = added};
	writ_error err;
	int status = W_POLICY_FAILED;
	W_AUTO_BUF struct w_buf left;

	w_buf_init(&left, PAGE_MAX);
	if (added == NULL) {
		(void)w_fail_nomem(&err, STAGE);
		return w_print_failure(&err, false, W_POLICY_FAILED);
	}
	if (try_rules(&to, &err) != WRIT_OK) {
		status = w_print_failure(&err, false, W_POLICY_FAILED);
	} else {
		add_left(&left, import);
		status = w_print(&left);
		if (status == 0 && (to.count == 0 || to.changes == 0))
			w_print_note("nothing to add to %s", writing.path);
		else if (status == 0)
			status = w_cli_policy_writing_finish(&writing);
	}
	w_cli_policy_writing_close(&writing);
	return status;
}

static int
policy_import(struct w_policy_args *shared)
{
	const struct policy_import_args *args =
	    (const struct policy_import_args *)shared;
	struct w_import import = {.items = NULL};
	writ_error err;
	int status;

	if (shared->operand == NULL) {
		(void)w_usage_fail(shared->command, &err, "say which FILE");
		return w_print_failure(&err, false, W_POLICY_FAILED);
	}
	if (import_file(args, &import, &err) != WRIT_OK)
		status = w_print_failure(&err, false, W_POLICY_FAILED);
	else
		status = args->is_write ? write_rules(args, &import)
					: show_rules(&import);
	w_cli_import_done(&import);
	return status;
}

static int
policy_import_run(int argc, char **argv)
{
	struct policy_import_args args = {
	    .shared = {.command = &w_cmd_policy_import}};

	return w_cli_policy_begin(&args.shared, argc, argv, policy_import);
}

const struct w_cli_command w_cmd_policy_import = {
    .name = "policy import",
    .summary = "Read the permission rules of an agent program",
    .usage = "policy import [OPTION]... FILE",
    .about = "Reads the permission rules of Claude Code (settings.json) or "
	     "Codex (a .rules file, config.toml), and prints them as a "
	     "policy, with what could not be carried over, and why. With "
	     "--write they are added to the user's policy; rules that would "
	     "not hold there are left out, and told.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@file",
	W_TO(TEXT, struct policy_import_args, shared.operand)},
    .usage_exit = W_POLICY_FAILED,
    .run = policy_import_run,
};
