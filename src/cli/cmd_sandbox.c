/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ sandbox`: which profiles there are, what one says, and whether a file
 * is a profile.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <writ/sandbox.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/match.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "data/json.h"

enum {
	FAILED = 1
};

struct args {
	bool is_json;
	const struct verb *verb;
	const char *operand;
	writ_config *config;
};

struct verb {
	const char *name;
	const char *operand; /* NULL: it takes none */
	int (*run)(const struct args *args);
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "json", .help = "Print JSON."},
	{.name = "config-dir", .arg = "DIR", .target = W_TO_SETTING,
	 .key = "config_dir", .words = "@dir",
	 .help = "The user's configuration, with its folder 'profiles'."},
	{.name = "system-dir", .arg = "DIR", .target = W_TO_SETTING,
	 .key = "system_dir", .words = "@dir",
	 .help = "The configuration of the machine, likewise."},
	W_HELP_ROW,
	{.name = NULL},
};

static const struct w_example examples[] = {
	{"writ sandbox list", "every profile, and where it comes from"},
	{"writ sandbox show workspace",
	 "what it lets a command read, write and reach"},
	{"writ sandbox show strict >~/.config/writ/profiles/mine.yaml",
	 "a profile of your own to start from: --sandbox mine"},
	{"writ sandbox check mine.yaml",
	 "whether a file is a profile; if not, where it is wrong"},
	{"writ sandbox show workspace --json", "the same for a program"},
	{.line = NULL},
};

static const struct w_exit_row exits[] = {
	{"0", "success"},
	{"1", "no such profile, or one that is not right"},
	{"2", "wrong usage"},
	{.status = NULL},
};
/* clang-format on */

static int
report(const struct args *args, const writ_error *err)
{
	if (args->is_json)
		w_print_error_json(err);
	else
		w_print_error(err, NULL);
	return FAILED;
}

static int
print_text(const char *text, size_t len, bool has_newline)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, len + 1);
	w_buf_add(&buf, text, len);
	if (!has_newline)
		w_buf_add_char(&buf, '\n');
	return w_print(&buf);
}

static void
add_entry_json(struct w_buf *buf, const writ_profile_entry *entry)
{
	w_buf_add_str(buf, "{\"name\":");
	w_json_add_path(buf, entry->name);
	w_buf_add_str(buf, ",\"origin\":");
	w_json_add_path(buf, entry->origin);
	w_buf_add_str(buf, ",\"description\":");
	w_json_add_path(buf, entry->description);
	w_buf_add_str(buf, ",\"problem\":");
	w_json_add_path(buf, entry->problem);
	w_buf_add_char(buf, '}');
}

static void
add_json(struct w_buf *buf, const writ_profile_entry *all, size_t count)
{
	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			w_buf_add_char(buf, ',');
		add_entry_json(buf, &all[i]);
	}
	w_buf_add_str(buf, "]\n");
}

static void
add_table(struct w_buf *buf, const writ_profile_entry *all, size_t count)
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
list(const struct args *args)
{
	writ_profile_list *profiles;
	writ_error err;
	size_t count;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, W_PRINT_MAX);
	if (writ_profile_list_new(args->config, &profiles, &err) != WRIT_OK)
		return report(args, &err);
	const writ_profile_entry *all = writ_profile_list_all(profiles, &count);
	if (args->is_json)
		add_json(&buf, all, count);
	else
		add_table(&buf, all, count);
	writ_profile_list_free(profiles);
	return w_print(&buf);
}

static int
show(const struct args *args)
{
	writ_profile *profile;
	writ_error err;
	W_AUTO_FREE char *text = NULL;
	size_t len = 0;

	if (writ_profile_find(args->config, args->operand, &profile, &err) !=
	    WRIT_OK)
		return report(args, &err);
	writ_status status =
	    args->is_json ? writ_profile_json(profile, &text, &len, &err)
			  : writ_profile_yaml(profile, &text, &len, &err);
	writ_profile_free(profile);
	if (status != WRIT_OK)
		return report(args, &err);
	return print_text(text, len, !args->is_json);
}

/* A name without a '/' would be looked up among the profiles. */
static char *
path_of(const char *file)
{
	char *path;

	if (asprintf(
		&path, "%s%s", strchr(file, '/') == NULL ? "./" : "", file) < 0)
		return NULL;
	return path;
}

static int
check(const struct args *args)
{
	writ_profile *profile;
	writ_error err;
	W_AUTO_FREE char *path = path_of(args->operand);
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, W_PRINT_MAX);
	if (path == NULL) {
		w_print_note("out of memory");
		return FAILED;
	}
	if (writ_profile_find(args->config, path, &profile, &err) != WRIT_OK)
		return report(args, &err);
	if (args->is_json) {
		w_buf_add_str(&buf, "{\"file\":");
		w_json_add_path(&buf, args->operand);
		w_buf_add_str(&buf, ",\"walls\":");
		w_json_add_text(&buf, profile->walls);
		w_buf_add_str(&buf, ",\"network\":");
		w_json_add_text(&buf, profile->network);
		w_buf_add_str(&buf, "}\n");
	} else {
		w_buf_add_fmt(&buf, "%s: a profile; walls %s, network %s\n",
		    args->operand, profile->walls, profile->network);
	}
	writ_profile_free(profile);
	return w_print(&buf);
}

static const struct verb verbs[] = {
    {"list", NULL, list},
    {"show", "PROFILE", show},
    {"check", "FILE", check},
    {NULL, NULL, NULL},
};

static const char verb_words[] = "'list', 'show PROFILE' or 'check FILE'";

static writ_status
unknown_verb(const char *word, writ_error *err)
{
	static const char *const names[] = {"list", "show", "check", NULL};
	const char *near = w_match_nearest(word, names);

	if (near != NULL)
		return w_usage_fail(&w_cmd_sandbox, err,
		    "unknown word '%s', did you mean '%s'?", word, near);
	return w_usage_fail(&w_cmd_sandbox, err,
	    "unknown word '%s', there are %s", word, verb_words);
}

static writ_status
take_operand(struct args *args, const char *word, writ_error *err)
{
	if (args->verb != NULL) {
		if (args->verb->operand == NULL || args->operand != NULL)
			return w_usage_fail(
			    &w_cmd_sandbox, err, "unexpected word '%s'", word);
		args->operand = word;
		return WRIT_OK;
	}
	for (size_t i = 0; verbs[i].name != NULL; i++) {
		if (strcmp(verbs[i].name, word) == 0)
			args->verb = &verbs[i];
	}
	return args->verb == NULL ? unknown_verb(word, err) : WRIT_OK;
}

static writ_status
take(void *ctx, const struct w_option *option, const char *value,
    writ_error *err)
{
	struct args *args = ctx;

	if (option == NULL)
		return take_operand(args, value, err);
	if (option->target != W_TO_SETTING) {
		args->is_json = true;
		return WRIT_OK;
	}
	if (writ_config_set(args->config, option->key, value, err) != WRIT_OK)
		return w_options_name(&w_cmd_sandbox, option, err);
	return WRIT_OK;
}

static writ_status
check_usage(const struct args *args, writ_error *err)
{
	if (args->verb == NULL)
		return w_usage_fail(
		    &w_cmd_sandbox, err, "say what: %s", verb_words);
	if (args->verb->operand != NULL && args->operand == NULL)
		return w_usage_fail(&w_cmd_sandbox, err, "'%s' needs a %s",
		    args->verb->name, args->verb->operand);
	return WRIT_OK;
}

static int
run_args(const struct args *args)
{
	writ_error err;

	if (check_usage(args, &err) == WRIT_OK)
		return args->verb->run(args);
	(void)report(args, &err);
	return w_cmd_sandbox.usage_exit;
}

static int
run(int argc, char **argv)
{
	struct args args = {.is_json = false};
	writ_error err;

	if (writ_config_new(&args.config, &err) != WRIT_OK) {
		w_print_error(&err, NULL);
		return FAILED;
	}

	int status = w_command_begin(&w_cmd_sandbox, argc, argv, take, &args);
	if (status < 0)
		status = run_args(&args);
	writ_config_free(args.config);
	return status;
}

const struct w_command w_cmd_sandbox = {
    .name = "sandbox",
    .summary = "Show and check sandbox profiles",
    .usage = "sandbox list [--json]\n"
	     "  writ sandbox show [--json] PROFILE\n"
	     "  writ sandbox check [--json] FILE",
    .about = "A profile says what a command may read, write, execute and "
	     "reach. 'list' shows those that 'writ run --sandbox' knows; "
	     "'show' prints one as YAML, with everything that it extends, "
	     "fit to be saved as a profile of your own; 'check' reads a file "
	     "and says what is wrong with it, and where.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .operands = "list|show|check",
    .usage_exit = 2,
    .run = run,
};
