/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Prints the help of a command from its descriptor: description, usage,
 * examples, options by group, exit statuses.
 */

#include "cli/help/usage.h"

#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/options/subcommand.h"
#include "cli/output/print.h"

#define WIDTH           80
#define OPTION_INDENT   2
#define HELP_COLUMN     26
#define COMMAND_COLUMN  14
#define STATUS_COLUMN   10

#define OPTION_HELP_MAX 1024

/* Escape sequences around a heading; empty strings without colour. */
struct style {
	const char *on;
	const char *off;
};

static void
usage_pad(struct w_buf *buf, size_t from, size_t to)
{
	for (; from < to; from++)
		w_buf_add_char(buf, ' ');
}

static void
add_heading(struct w_buf *buf, const struct style *style, const char *text)
{
	w_buf_add_fmt(buf, "\n%s%s%s\n", style->on, text, style->off);
}

/* Pads to a column, on a new line if the label is too long. */
static void
to_column(struct w_buf *buf, size_t at, size_t column)
{
	if (at + 2 > column) {
		w_buf_add_char(buf, '\n');
		at = 0;
	}
	usage_pad(buf, at, column);
}

/* The first line starts at column; the others are indented. */
static void
add_wrapped(struct w_buf *buf, const char *text, size_t column, size_t indent)
{
	bool is_first = true;

	while (*text != '\0') {
		size_t len = strcspn(text, " ");

		if (!is_first && column + 1 + len > WIDTH) {
			w_buf_add_char(buf, '\n');
			usage_pad(buf, 0, indent);
			column = indent;
		} else if (!is_first) {
			w_buf_add_char(buf, ' ');
			column++;
		}
		w_buf_add(buf, text, len);
		column += len;
		text += len;
		text += strspn(text, " ");
		is_first = false;
	}
	w_buf_add_char(buf, '\n');
}

static void
usage_add_option(struct w_buf *buf, const struct w_option *option)
{
	size_t start = buf->len;
	W_AUTO_BUF struct w_buf help;

	w_buf_init(&help, OPTION_HELP_MAX);
	usage_pad(buf, 0, OPTION_INDENT);
	if (option->letter != 0)
		w_buf_add_fmt(buf, "-%c, ", option->letter);
	w_buf_add_fmt(buf, "--%s", option->name);
	if (option->arg[0] != '\0')
		w_buf_add_fmt(buf, " %s", option->arg);
	to_column(buf, buf->len - start, HELP_COLUMN);

	w_buf_add_str(&help, option->help);
	if (option->standard[0] != '\0')
		w_buf_add_fmt(&help, " Default: %s.", option->standard);
	add_wrapped(buf, help.data, HELP_COLUMN, HELP_COLUMN);
}

static void
usage_add_options(struct w_buf *buf, const struct style *style,
    const struct w_option *options)
{
	if (options->name[0] != '\0' && options->heading[0] == '\0')
		add_heading(buf, style, "Options");
	for (; options->name[0] != '\0'; options++) {
		if (options->heading[0] != '\0')
			add_heading(buf, style, options->heading);
		usage_add_option(buf, options);
	}
}

static void
usage_add_examples(struct w_buf *buf, const struct style *style,
    const struct w_example *examples)
{
	if (examples == NULL)
		return;
	add_heading(buf, style, "Examples");
	for (; examples->line[0] != '\0'; examples++)
		w_buf_add_fmt(
		    buf, "  %s\n      %s\n", examples->line, examples->says);
}

static void
usage_add_commands(struct w_buf *buf, const struct style *style,
    const struct w_cli_command *const *commands)
{
	add_heading(buf, style, "Commands");
	for (size_t i = 0; commands[i] != NULL; i++) {
		const struct w_cli_command *command = commands[i];
		const char *word = w_subcommand_word(command);

		if (command->is_hidden)
			continue;
		w_buf_add_fmt(buf, "  %s", word);
		to_column(buf, 2 + strlen(word), COMMAND_COLUMN);
		add_wrapped(
		    buf, command->summary, COMMAND_COLUMN, COMMAND_COLUMN);
	}
}

static void
add_exits(struct w_buf *buf, const struct style *style,
    const struct w_exit_row *exits)
{
	add_heading(buf, style, "Exit status");
	for (; exits->status[0] != '\0'; exits++) {
		w_buf_add_fmt(buf, "  %s", exits->status);
		to_column(buf, 2 + strlen(exits->status), STATUS_COLUMN);
		add_wrapped(buf, exits->meaning, STATUS_COLUMN, STATUS_COLUMN);
	}
}

static void
add_usage(struct w_buf *buf, const struct style *style,
    const struct w_cli_command *command)
{
	add_heading(buf, style, "Usage");
	if (command->subs == NULL)
		w_buf_add_fmt(buf, "  writ %s\n", command->usage);
	for (size_t i = 0; command->subs != NULL && command->subs[i] != NULL;
	     i++)
		w_buf_add_fmt(buf, "  writ %s\n", command->subs[i]->usage);
}

int
w_usage_print(const struct w_cli_command *command)
{
	const bool has_colour = w_print_has_colour(STDOUT_FILENO);
	const struct style style = {
	    .on = has_colour ? "\033[1m" : "",
	    .off = has_colour ? "\033[0m" : "",
	};
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, W_PRINT_MAX);
	add_wrapped(&buf,
	    command->about != NULL ? command->about : command->summary, 0, 0);
	add_usage(&buf, &style, command);
	usage_add_examples(&buf, &style, command->examples);
	if (command == &w_cmd_writ)
		usage_add_commands(&buf, &style, w_cli_commands);
	if (command->subs != NULL)
		usage_add_commands(&buf, &style, command->subs);
	usage_add_options(&buf, &style, command->options);
	add_exits(&buf, &style, command->exits);
	return w_print(&buf);
}

void
w_usage_print_short(void)
{
	const bool has_colour = w_print_has_colour(STDERR_FILENO);
	const struct style style = {
	    .on = has_colour ? "\033[1m" : "",
	    .off = has_colour ? "\033[0m" : "",
	};
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, W_PRINT_MAX);
	w_buf_add_fmt(&buf, "%sUsage%s\n  writ %s\n", style.on, style.off,
	    w_cmd_writ.usage);
	usage_add_commands(&buf, &style, w_cli_commands);
	w_buf_add_char(&buf, '\n');
	/* A failure to write to standard error cannot be reported. */
	if (!buf.failed)
		(void)w_print_bytes(STDERR_FILENO, buf.data, buf.len);
}
