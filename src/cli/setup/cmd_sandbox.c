/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ sandbox`: lists and shows profiles, and checks profile files.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <writ/sandbox.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "cli/cli_command.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/output/wrapped_page.h"
#include "data/json.h"

enum {
	FAILED = 1
};

struct sandbox_args {
	const struct w_cli_command *command;
	const char *operand_name; /* NULL: it takes no operand */
	bool is_json;
	const char *operand;
	writ_config *config;
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "json", W_TO(FLAG, struct sandbox_args, is_json),
	 .help = "Print JSON."},
	{.name = "config-dir", .arg = "DIR", W_TO(SETTING, struct sandbox_args, config),
	 .key = "config_dir", .words = "@dir",
	 .help = "The user's configuration, with its folder 'profiles'."},
	{.name = "system-dir", .arg = "DIR", W_TO(SETTING, struct sandbox_args, config),
	 .key = "system_dir", .words = "@dir",
	 .help = "The machine's configuration, with its folder 'profiles'."},
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_option group_options[] = {
	W_HELP_ROW,
	{.name = ""},
};

#define LIST_EXAMPLE \
	{"writ sandbox list", "every profile, and where it comes from"}
#define SHOW_EXAMPLE \
	{"writ sandbox show workspace", \
	 "what it lets a command read, write and reach"}
#define CHECK_EXAMPLE \
	{"writ sandbox check mine.yaml", \
	 "whether a file is a profile; if not, where it is wrong"}

static const struct w_example examples[] = {
	LIST_EXAMPLE,
	SHOW_EXAMPLE,
	{"writ sandbox show strict >~/.config/writ/profiles/mine.yaml",
	 "a profile of your own to start from: --sandbox mine"},
	CHECK_EXAMPLE,
	{.line = ""},
};

static const struct w_example list_examples[] = {
	LIST_EXAMPLE,
	{"writ sandbox list --json", "the same for a program"},
	{.line = ""},
};

static const struct w_example show_examples[] = {
	SHOW_EXAMPLE,
	{"writ sandbox show workspace --json",
	 "with the layers that a run of yours would have"},
	{.line = ""},
};

static const struct w_example check_examples[] = {
	CHECK_EXAMPLE,
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success"},
	{"1", "no such profile, or an invalid one"},
	{"2", "wrong usage"},
	{.status = ""},
};
/* clang-format on */

static const struct w_cli_command sandbox_list;
static const struct w_cli_command sandbox_show;
static const struct w_cli_command sandbox_check;

static int
sandbox_report(const struct sandbox_args *args, const writ_error *err)
{
	if (args->is_json)
		w_print_error_json(err);
	else
		w_print_error(err, NULL);
	return FAILED;
}

static void
sandbox_add_json(struct w_buf *buf, const writ_profile_entry *all, size_t count)
{
	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			w_buf_add_char(buf, ',');
		w_buf_add_char(buf, '{');
		w_json_add_path_member(buf, "name", all[i].name);
		w_json_add_path_member(buf, "origin", all[i].origin);
		w_json_add_path_member(buf, "description", all[i].description);
		w_json_add_path_member(buf, "problem", all[i].problem);
		w_buf_add_char(buf, '}');
	}
	w_buf_add_str(buf, "]\n");
}

static void
add_profiles_table(
    struct w_buf *buf, const writ_profile_entry *all, size_t count)
{
	int name_width = 0;
	int origin_width = 0;

	for (size_t i = 0; i < count; i++) {
		int name_len = (int)strlen(all[i].name);
		int origin_len = (int)strlen(all[i].origin);

		name_width = name_len > name_width ? name_len : name_width;
		origin_width =
		    origin_len > origin_width ? origin_len : origin_width;
	}
	for (size_t i = 0; i < count; i++) {
		const writ_profile_entry *entry = &all[i];

		w_buf_add_fmt(buf, "%-*s  %-*s  ", name_width, entry->name,
		    origin_width, entry->origin);
		if (entry->problem == NULL)
			w_buf_add_fmt(buf, "%s\n", entry->description);
		else
			w_buf_add_fmt(buf, "not usable: %s\n", entry->problem);
	}
}

static int
list(const struct sandbox_args *args)
{
	writ_profile_list *profiles;
	writ_error err;
	size_t count;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, W_PRINT_MAX);
	if (writ_profile_list_new(args->config, &profiles, &err) != WRIT_OK)
		return sandbox_report(args, &err);
	const writ_profile_entry *all = writ_profile_list_all(profiles, &count);
	if (args->is_json)
		sandbox_add_json(&buf, all, count);
	else
		add_profiles_table(&buf, all, count);
	writ_profile_list_free(profiles);
	return args->is_json ? w_print(&buf) : w_wrapped_page_print(&buf);
}

static int
sandbox_show_profile(const struct sandbox_args *args)
{
	writ_profile *profile;
	writ_error err;
	W_AUTO_FREE char *text = NULL;
	size_t len = 0;

	if (writ_profile_find(args->config, args->operand, &profile, &err) !=
	    WRIT_OK)
		return sandbox_report(args, &err);
	writ_status status =
	    args->is_json ? writ_profile_json(profile, &text, &len, &err)
			  : writ_profile_yaml(profile, &text, &len, &err);
	writ_profile_free(profile);
	if (status != WRIT_OK)
		return sandbox_report(args, &err);
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, len + 1);
	w_buf_add(&buf, text, len);
	if (args->is_json)
		w_buf_add_char(&buf, '\n');
	return w_print(&buf);
}

static int
check(const struct sandbox_args *args)
{
	writ_profile *profile;
	writ_error err;
	/* A name without a '/' would be looked up as a profile name. */
	const char *prefix = strchr(args->operand, '/') == NULL ? "./" : "";
	W_AUTO_FREE char *path = NULL;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, W_PRINT_MAX);
	if (asprintf(&path, "%s%s", prefix, args->operand) < 0) {
		path = NULL;
		w_print_note("out of memory");
		return FAILED;
	}
	if (writ_profile_find(args->config, path, &profile, &err) != WRIT_OK)
		return sandbox_report(args, &err);
	if (args->is_json) {
		w_buf_add_char(&buf, '{');
		w_json_add_path_member(&buf, "file", args->operand);
		w_json_add_text_member(&buf, "walls", profile->walls);
		w_json_add_text_member(&buf, "network", profile->network);
		w_buf_add_str(&buf, "}\n");
	} else {
		w_buf_add_fmt(&buf, "%s: OK, sandbox %s, network %s\n",
		    args->operand, profile->walls, profile->network);
	}
	writ_profile_free(profile);
	return w_print(&buf);
}

static int
run_args(const struct sandbox_args *args,
    int (*run)(const struct sandbox_args *args))
{
	writ_error err;

	if (args->operand_name == NULL || args->operand != NULL)
		return run(args);
	(void)w_usage_fail(
	    args->command, &err, "say which %s", args->operand_name);
	(void)sandbox_report(args, &err);
	return args->command->usage_exit;
}

static int
sandbox_begin(struct sandbox_args *args, int argc, char **argv,
    int (*run)(const struct sandbox_args *args))
{
	writ_error err;

	if (writ_config_new(&args->config, &err) != WRIT_OK) {
		w_print_error(&err, NULL);
		return FAILED;
	}

	int status = w_cli_command_begin(args->command, argc, argv, args);
	if (status < 0)
		status = run_args(args, run);
	writ_config_free(args->config);
	return status;
}

static int
sandbox_run_list(int argc, char **argv)
{
	struct sandbox_args args = {.command = &sandbox_list};

	return sandbox_begin(&args, argc, argv, list);
}

static int
run_show(int argc, char **argv)
{
	struct sandbox_args args = {
	    .command = &sandbox_show, .operand_name = "PROFILE"};

	return sandbox_begin(&args, argc, argv, sandbox_show_profile);
}

static int
run_check(int argc, char **argv)
{
	struct sandbox_args args = {
	    .command = &sandbox_check, .operand_name = "FILE"};

	return sandbox_begin(&args, argc, argv, check);
}

static const struct w_cli_command sandbox_list = {
    .name = "sandbox list",
    .summary = "List the profiles that 'writ run --sandbox' knows",
    .usage = "sandbox list [--json]",
    .about = "One line for each profile: its name, where it comes from, "
	     "what it is for. An invalid file is listed with its error.",
    .options = options,
    .examples = list_examples,
    .exits = exits,
    .usage_exit = 2,
    .run = sandbox_run_list,
};

static const struct w_cli_command sandbox_show = {
    .name = "sandbox show",
    .summary = "Print a profile as YAML, with everything that it extends",
    .usage = "sandbox show [--json] PROFILE",
    .about = "Prints a profile with everything that it extends, ready to "
	     "be saved as a profile of your own.",
    .options = options,
    .examples = show_examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@profile",
	W_TO(TEXT, struct sandbox_args, operand)},
    .usage_exit = 2,
    .run = run_show,
};

static const struct w_cli_command sandbox_check = {
    .name = "sandbox check",
    .summary = "Show what is wrong with a profile file, and where",
    .usage = "sandbox check [--json] FILE",
    .about = "Reads a file as a run would and says what is wrong with it, "
	     "with line and column.",
    .options = options,
    .examples = check_examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@file",
	W_TO(TEXT, struct sandbox_args, operand)},
    .usage_exit = 2,
    .run = run_check,
};

static const struct w_cli_command *const subs[] = {
    &sandbox_list,
    &sandbox_show,
    &sandbox_check,
    NULL,
};

const struct w_cli_command w_cmd_sandbox = {
    .name = "sandbox",
    .summary = "Show and check sandbox profiles",
    .about = "A profile says what a command may read, write, execute and "
	     "reach; 'writ run --sandbox' takes its name. Nothing is run "
	     "here, and no path in a profile is looked up.",
    .options = group_options,
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .subs = subs,
};
