/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Completion for fish: one `complete` line for each option, with a condition
 * that fails after the words of writ end and those of the program begin.
 */

#include <string.h>

#include "cli/help/complete.h"
#include "cli/options/subcommand.h"

static const struct {
	const char *words;
	const char *action;
} actions[] = {
    {"@file", "-rF"},
    {"@dir", "-xa '(__fish_complete_directories)'"},
    {"@command", "-xa '(__fish_complete_command)'"},
    {"@user", "-xa '(__fish_complete_users)'"},
    {"@group", "-xa '(__fish_complete_groups)'"},
    {"@profile",
	"-ra '(writ sandbox list 2>/dev/null | string replace -r \" .*\" "
	"\"\")'"},
    {"@policy", "-ra '(writ policy presets --names 2>/dev/null)'"},
    {"@run", "-xa '(writ audit list --ids 2>/dev/null)'"},
    {"@module", "-xa '(writ module list --ids 2>/dev/null)'"},
    {"@running", "-xa '(writ ps --ids 2>/dev/null)'"},
    {"@approval", "-xa '(writ approvals list --ids 2>/dev/null)'"},
    {"@session", "-xa '(writ session list --ids 2>/dev/null)'"},
    {"@grant", "-xa '(writ approvals grants --ids 2>/dev/null)'"},
    {NULL, NULL},
};

/* __writ_at COMMAND... succeeds where options of that command may stand,
 * __writ_group where a subcommand is expected, __writ_call where the arguments
 * of a module stand (__writ_names prints these), and __writ_operand once the
 * words belong to a program or a module. */
static const char functions[] =
    "function __writ_operand\n"
    "\tset -l words (commandline -opc)\n"
    "\tset -l waits 0\n"
    "\tfor word in $words[3..-1]\n"
    "\t\tif test $waits = 1\n"
    "\t\t\tset waits 0\n"
    "\t\telse if test \"$word\" = --\n"
    "\t\t\treturn 0\n"
    "\t\telse if contains -- \"$word\" $__writ_valued\n"
    "\t\t\tset waits 1\n"
    "\t\telse if not string match -q -- '-*' \"$word\"\n"
    "\t\t\tset -g __writ_word $word\n"
    "\t\t\treturn 0\n"
    "\t\tend\n"
    "\tend\n"
    "\treturn 1\n"
    "end\n"
    "\n"
    "function __writ_at\n"
    "\tset -l words (commandline -opc)\n"
    "\tset -l last (math 1 + (count $argv))\n"
    "\ttest (count $words) -ge $last; and test \"$words[2..$last]\" = "
    "\"$argv\"\n"
    "\tor return 1\n"
    "\tnot contains $argv[1] run call; or not __writ_operand\n"
    "end\n"
    "\n"
    "function __writ_group\n"
    "\tset -l words (commandline -opc)\n"
    "\ttest (count $words) -eq 2; and test \"$words[2]\" = $argv[1]\n"
    "end\n"
    "\n"
    "function __writ_call\n"
    "\tset -l words (commandline -opc)\n"
    "\ttest \"$words[2]\" = call; and __writ_operand\n"
    "end\n"
    "\n"
    "function __writ_names\n"
    "\tset -l before (commandline -opc)[-1]\n"
    "\tset -l here (commandline -ct)\n"
    "\tset -l names\n"
    "\tfor row in (writ module show --names -- $__writ_word 2>/dev/null)\n"
    "\t\tset -l cells (string split \\t -- $row)\n"
    "\t\tif test \"$cells[2]\" != -; and test \"$before\" = $cells[1]\n"
    "\t\t\tstring split '|' -- $cells[2]\n"
    "\t\t\treturn\n"
    "\t\telse if test \"$cells[2]\" != -; and string match -q -- "
    "\"$cells[1]=*\" $here\n"
    "\t\t\tprintf '%s\\n' $cells[1]=(string split '|' -- $cells[2])\n"
    "\t\t\treturn\n"
    "\t\tend\n"
    "\t\tset names $names $cells[1]\\t$cells[3]\n"
    "\tend\n"
    "\tprintf '%s\\n' $names\n"
    "end\n"
    "\n"
    "function __writ_start\n"
    "\ttest (count (commandline -opc)) -eq 1\n"
    "end\n"
    "\n"
    "complete -c writ -e\n";

static void
add_action(struct w_buf *buf, const char *words)
{
	for (size_t i = 0; words != NULL && actions[i].words != NULL; i++) {
		if (strcmp(actions[i].words, words) == 0) {
			w_buf_add_str(buf, actions[i].action);
			return;
		}
	}
	w_buf_add_str(buf, "-x");
	if (words == NULL)
		return;
	w_buf_add_str(buf, "a '");
	w_complete_add_words(buf, words);
	w_buf_add_char(buf, '\'');
}

static void
complete_fish_add_quoted(struct w_buf *buf, const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '\'' || *text == '\\')
			w_buf_add_char(buf, '\\');
		w_buf_add_char(buf, *text);
	}
}

static void
complete_fish_add_option(
    struct w_buf *buf, const char *condition, const struct w_option *option)
{
	w_buf_add_fmt(
	    buf, "complete -c writ -n '%s' -l %s", condition, option->name);
	if (option->letter != 0)
		w_buf_add_fmt(buf, " -s %c", option->letter);
	if (option->arg != NULL) {
		w_buf_add_char(buf, ' ');
		add_action(buf, option->words);
	}
	w_buf_add_str(buf, " -d '");
	complete_fish_add_quoted(buf, option->help);
	w_buf_add_str(buf, "'\n");
}

/* Offers a command where the condition holds. */
static void
complete_fish_add_name(struct w_buf *buf, const char *condition,
    const char *word, const char *summary)
{
	w_buf_add_fmt(
	    buf, "complete -c writ -n '%s' -f -a %s -d '", condition, word);
	complete_fish_add_quoted(buf, summary);
	w_buf_add_str(buf, "'\n");
}

static void
complete_fish_add_command(
    struct w_buf *buf, const struct w_cli_command *command)
{
	W_AUTO_BUF struct w_buf condition;

	w_buf_init(&condition, 128);
	w_buf_add_fmt(&condition, "__writ_at %s", command->name);
	/* fish completes files by default. */
	if (command->operands != NULL &&
	    strcmp(command->operands, "@file") != 0) {
		w_buf_add_fmt(
		    buf, "complete -c writ -n '%s' -f ", condition.data);
		add_action(buf, command->operands);
		w_buf_add_char(buf, '\n');
	}
	for (const struct w_option *it = command->options; it->name != NULL;
	     it++)
		complete_fish_add_option(buf, condition.data, it);
}

static void
add_group(struct w_buf *buf, const struct w_cli_command *group)
{
	W_AUTO_BUF struct w_buf condition;

	w_buf_init(&condition, 128);
	w_buf_add_fmt(&condition, "__writ_group %s", group->name);
	for (const struct w_option *it = group->options; it->name != NULL; it++)
		complete_fish_add_option(buf, condition.data, it);
	for (size_t i = 0; group->subs[i] != NULL; i++) {
		complete_fish_add_name(buf, condition.data,
		    w_subcommand_word(group->subs[i]), group->subs[i]->summary);
		complete_fish_add_command(buf, group->subs[i]);
	}
}

/* Lists the options whose next word is a value, not an operand. */
static void
add_valued(struct w_buf *buf, const struct w_option *options)
{
	for (; options->name != NULL; options++) {
		if (options->arg == NULL)
			continue;
		w_buf_add_fmt(buf, " --%s", options->name);
		if (options->letter != 0)
			w_buf_add_fmt(buf, " -%c", options->letter);
	}
}

void
w_complete_fish(struct w_buf *buf)
{
	w_buf_add_str(buf, "# fish completion for writ\n\n"
			   "set -g __writ_valued");
	add_valued(buf, w_cmd_run.options);
	add_valued(buf, w_cmd_call.options);
	w_buf_add_str(buf, "\n\n");
	w_buf_add_str(buf, functions);
	w_buf_add_str(
	    buf, "complete -c writ -n __writ_call -a '(__writ_names)'\n");
	for (const struct w_option *it = w_cmd_writ.options; it->name != NULL;
	     it++)
		complete_fish_add_option(buf, "__writ_start", it);
	for (size_t i = 0; w_cli_commands[i] != NULL; i++) {
		if (w_cli_commands[i]->is_hidden)
			continue;
		complete_fish_add_name(buf, "__writ_start",
		    w_cli_commands[i]->name, w_cli_commands[i]->summary);
		if (w_cli_commands[i]->subs != NULL)
			add_group(buf, w_cli_commands[i]);
		else
			complete_fish_add_command(buf, w_cli_commands[i]);
	}
}
