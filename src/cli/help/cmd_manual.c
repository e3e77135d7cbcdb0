/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ _manual COMMAND SECTION`: prints a part of a manual page in the scdoc
 * format, from the same tables as the help. tools/man-page inserts it.
 */

#include <string.h>

#include <writ/draft.h>

#include "base/buf.h"
#include "cli/cli_command.h"
#include "cli/options/options.h"
#include "cli/options/subcommand.h"
#include "cli/output/print.h"

struct manual_args {
	const struct w_cli_command *topic;
	const char *section;
};

/* clang-format off */
static const struct w_option options[] = {
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success"},
	{"2", "no such command or section"},
	{.status = ""},
};
/* clang-format on */

/* Escapes the markup characters of scdoc. */
static void
manual_add_bytes(struct w_buf *buf, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (strchr("_*\\#[]|", text[i]) != NULL)
			w_buf_add_char(buf, '\\');
		w_buf_add_char(buf, text[i]);
	}
}

static void
manual_add_text(struct w_buf *buf, const char *text)
{
	manual_add_bytes(buf, text, strlen(text));
}

static void
manual_add_option(struct w_buf *buf, const struct w_option *option)
{
	if (option->letter != 0)
		w_buf_add_fmt(buf, "*-%c*, ", option->letter);
	w_buf_add_fmt(buf, "*--%s*", option->name);
	if (option->arg[0] != '\0') {
		w_buf_add_str(buf, " _");
		manual_add_text(buf, option->arg);
		w_buf_add_char(buf, '_');
	}
	w_buf_add_str(buf, "\n\t");
	manual_add_text(buf, option->help);
	if (option->standard[0] != '\0') {
		w_buf_add_str(buf, " Default: ");
		manual_add_text(buf, option->standard);
		w_buf_add_char(buf, '.');
	}
	if (option->kind == W_OPTION_REQUEST) {
		w_buf_add_str(buf, " Key: ");
		manual_add_text(buf, option->key);
		w_buf_add_char(buf, '.');
	}
	w_buf_add_str(buf, "\n\n");
}

static void
manual_add_options(struct w_buf *buf, const struct w_cli_command *command)
{
	for (const struct w_option *option = command->options;
	     option->name[0] != '\0'; option++) {
		if (option->heading[0] != '\0')
			w_buf_add_fmt(buf, "## %s\n\n", option->heading);
		manual_add_option(buf, option);
	}
}

static void
add_exits(struct w_buf *buf, const struct w_cli_command *command)
{
	for (const struct w_exit_row *row = command->exits;
	     row->status[0] != '\0'; row++) {
		w_buf_add_fmt(buf, "*%s*\n\t", row->status);
		manual_add_text(buf, row->meaning);
		w_buf_add_str(buf, "\n\n");
	}
}

static void
manual_add_examples(struct w_buf *buf, const struct w_cli_command *command)
{
	if (command->examples == NULL)
		return;
	for (const struct w_example *row = command->examples;
	     row->line[0] != '\0'; row++) {
		manual_add_text(buf, row->says);
		w_buf_add_fmt(buf, ":\n\n```\n%s\n```\n\n", row->line);
	}
}

/* The keys of a JSON request; only for the page of `run`. */
static void
manual_add_keys(struct w_buf *buf, const struct w_cli_command *command)
{
	size_t count = 0;
	const writ_key *keys = writ_draft_keys(&count);

	(void)command;
	for (size_t i = 0; i < count; i++) {
		w_buf_add_char(buf, '*');
		manual_add_text(buf, keys[i].name);
		w_buf_add_fmt(buf, "* (%s)\n\t", keys[i].type);
		manual_add_text(buf, keys[i].help);
		if (keys[i].words != NULL) {
			w_buf_add_str(buf, ": ");
			manual_add_text(buf, keys[i].words);
		}
		w_buf_add_str(buf, "\n\n");
	}
}

/* A usage of several lines, each with the name of the program. */
static void
manual_add_usage(struct w_buf *buf, const char *usage)
{
	static const char next[] = "\n  writ ";
	const char *end;

	w_buf_add_str(buf, "*writ* ");
	for (; (end = strstr(usage, next)) != NULL;
	     usage = end + strlen(next)) {
		manual_add_bytes(buf, usage, (size_t)(end - usage));
		w_buf_add_str(buf, "++\n*writ* ");
	}
	manual_add_text(buf, usage);
	w_buf_add_str(buf, "\n\n");
}

/* A subcommand as one section; with exit statuses only if they differ from
 * those of the group. */
static void
add_sub(struct w_buf *buf, const struct w_cli_command *group,
    const struct w_cli_command *sub)
{
	w_buf_add_fmt(buf, "## %s\n\n", w_subcommand_word(sub));
	manual_add_usage(buf, sub->usage);
	manual_add_text(buf, sub->about != NULL ? sub->about : sub->summary);
	w_buf_add_str(buf, "\n\n");
	for (const struct w_option *it = sub->options; it->name[0] != '\0';
	     it++)
		manual_add_option(buf, it);
	manual_add_examples(buf, sub);
	if (sub->exits == group->exits)
		return;
	w_buf_add_str(buf, "Exit status:\n\n");
	add_exits(buf, sub);
}

static void
manual_add_commands(struct w_buf *buf, const struct w_cli_command *command)
{
	if (command->subs != NULL) {
		for (size_t i = 0; command->subs[i] != NULL; i++)
			add_sub(buf, command, command->subs[i]);
		return;
	}
	for (size_t i = 0; w_cli_commands[i] != NULL; i++) {
		if (w_cli_commands[i]->is_hidden)
			continue;
		w_buf_add_fmt(buf, "*writ %s*\n\t", w_cli_commands[i]->name);
		manual_add_text(buf, w_cli_commands[i]->summary);
		w_buf_add_str(buf, "\n\n");
	}
}

static const struct section {
	const char *name;
	void (*add)(struct w_buf *buf, const struct w_cli_command *command);
} sections[] = {
    {"options", manual_add_options},
    {"exit", add_exits},
    {"examples", manual_add_examples},
    {"keys", manual_add_keys},
    {"commands", manual_add_commands},
    {NULL, NULL},
};

static writ_status
manual_store(void *ctx, const struct w_option *option, const char *value,
    writ_error *err)
{
	struct manual_args *args = ctx;

	(void)option;
	if (args->topic != NULL) {
		args->section = value;
		return WRIT_OK;
	}
	if (strcmp(value, "writ") == 0)
		args->topic = &w_cmd_writ;
	else
		args->topic = w_cli_command_find(value);
	return args->topic == NULL ? w_cli_command_unknown(value, err)
				   : WRIT_OK;
}

static int
manual_run(int argc, char **argv)
{
	struct manual_args args = {.topic = NULL};
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, W_PRINT_MAX);
	int status = w_cli_command_begin(&w_cmd_manual, argc, argv, &args);
	if (status >= 0)
		return status;
	for (const struct section *it = sections; it->name != NULL; it++) {
		if (args.section != NULL &&
		    strcmp(it->name, args.section) == 0) {
			it->add(&buf, args.topic);
			return w_print(&buf);
		}
	}
	w_print_note("_manual: say a command, then options, exit, examples, "
		     "keys or commands");
	return w_cmd_manual.usage_exit;
}

const struct w_cli_command w_cmd_manual = {
    .name = "_manual",
    .summary = "Print a part of a manual page",
    .usage = "_manual COMMAND options|exit|examples|keys|commands",
    .options = options,
    .stores = {manual_store},
    .operand = &(const struct w_option){.store = 1},
    .exits = exits,
    .is_hidden = true,
    .usage_exit = 2,
    .run = manual_run,
};
