/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Completion for zsh, by its _arguments. No local may be called `commands`: it
 * would hide zsh's table of programs from the functions that are called.
 */

#include <string.h>

#include "cli/help/complete.h"
#include "cli/options/subcommand.h"

/* Special inside "[help]" and ":message:" of _arguments. */
#define SPECIALS "[]:\\"

static const struct {
	const char *words;
	const char *action;
} actions[] = {
    {"@file", "_files"},
    {"@dir", "_files -/"},
    {"@command", "_command_names -e"},
    {"@user", "_users"},
    {"@group", "_groups"},
    {"@profile", "{compadd -- ${(f)\"$(writ sandbox list 2>/dev/null | "
		 "cut -d\" \" -f1)\"}; _files -g \"*.yaml\"}"},
    {"@policy", "{compadd -- ${(f)\"$(writ policy presets --names "
		"2>/dev/null)\"}; _files -g \"*.yaml\"}"},
    {"@run", "{compadd -- ${(f)\"$(writ audit list --ids 2>/dev/null)\"}}"},
    {"@module", "{compadd -- ${(f)\"$(writ module list --ids 2>/dev/null)\"}}"},
    {"@running", "{compadd -- ${(f)\"$(writ ps --ids 2>/dev/null)\"}}"},
    {"@approval",
	"{compadd -- ${(f)\"$(writ approvals list --ids 2>/dev/null)\"}}"},
    {"@session",
	"{compadd -- ${(f)\"$(writ session list --ids 2>/dev/null)\"}}"},
    {"@grant",
	"{compadd -- ${(f)\"$(writ approvals grants --ids 2>/dev/null)\"}}"},
    {NULL, NULL},
};

static void
add_action(struct w_buf *buf, const char *words)
{
	if (words == NULL)
		return;
	for (size_t i = 0; actions[i].words != NULL; i++) {
		if (strcmp(actions[i].words, words) == 0) {
			w_buf_add_str(buf, actions[i].action);
			return;
		}
	}
	struct w_buf list;

	w_buf_init(&list, buf->max);
	w_complete_add_words(&list, words);
	w_buf_add_char(buf, '(');
	w_complete_add_quoted(buf, list.data, ":\\");
	w_buf_add_char(buf, ')');
	w_buf_done(&list);
}

/* One word for _arguments, such as '*--env=[Set a variable]:NAME=VALUE:'. */
static void
add_spec(struct w_buf *buf, const struct w_option *option, const char *dashed)
{
	bool is_long = strncmp(dashed, "--", 2) == 0;

	w_buf_add_fmt(buf, "\t\t\t'*%s%s[", dashed,
	    option->arg == NULL ? ""
	    : is_long           ? "="
				: "+");
	w_complete_add_quoted(buf, option->help, SPECIALS);
	w_buf_add_char(buf, ']');
	if (option->arg != NULL) {
		w_buf_add_char(buf, ':');
		w_complete_add_quoted(buf, option->arg, SPECIALS);
		w_buf_add_char(buf, ':');
		add_action(buf, option->words);
	}
	w_buf_add_str(buf, "' \\\n");
}

static void
complete_zsh_add_option(struct w_buf *buf, const struct w_option *option)
{
	W_AUTO_BUF struct w_buf dashed;

	w_buf_init(&dashed, 128);
	w_buf_add_fmt(&dashed, "--%s", option->name);
	add_spec(buf, option, dashed.data);
	if (option->letter == 0)
		return;

	const char letter[] = {'-', option->letter, '\0'};
	add_spec(buf, option, letter);
}

static void
add_operands(struct w_buf *buf, const struct w_cli_command *command)
{
	if (command == &w_cmd_call) {
		w_buf_add_str(buf, "\t\t\t'(-)1:module:");
		add_action(buf, command->operands);
		w_buf_add_str(buf, "' \\\n\t\t\t'*::argument: _writ_call'\n");
		return;
	}
	if (command->stops_at_operand) {
		w_buf_add_str(buf,
		    "\t\t\t'(-)1:program: _command_names -e' \\\n"
		    "\t\t\t'*::argument: _normal'\n");
		return;
	}
	w_buf_add_str(buf, "\t\t\t'*:argument:");
	add_action(buf, command->operands);
	w_buf_add_str(buf, "'\n");
}

static void
complete_zsh_add_command(struct w_buf *buf, const struct w_cli_command *command)
{
	w_buf_add_fmt(buf, "\t'%s')\n\t\t_arguments -s -S%s \\\n",
	    command->name, command->stops_at_operand ? " -A '-*'" : "");
	for (const struct w_option *it = command->options; it->name != NULL;
	     it++)
		complete_zsh_add_option(buf, it);
	add_operands(buf, command);
	w_buf_add_str(buf, "\t\t;;\n");
}

/* Completes the names of a module's arguments, or their values. */
static const char call[] =
    "_writ_call()\n"
    "{\n"
    "\tlocal row name previous=$words[CURRENT-1]\n"
    "\tlocal -a cells found\n"
    "\tfor row in ${(f)\"$(writ module show --names -- $words[1] "
    "2>/dev/null)\"}; do\n"
    "\t\tcells=(\"${(@ps:\\t:)row}\")\n"
    "\t\tname=$cells[1]\n"
    "\t\tif [[ $cells[2] != - && $PREFIX == $name=* ]]; then\n"
    "\t\t\tcompset -P '*='\n"
    "\t\t\tcompadd -- ${(s:|:)cells[2]}\n"
    "\t\t\treturn\n"
    "\t\telif [[ $cells[2] != - && $previous == $name ]]; then\n"
    "\t\t\tcompadd -- ${(s:|:)cells[2]}\n"
    "\t\t\treturn\n"
    "\t\tfi\n"
    "\t\tfound+=(\"$name:${cells[3]//:/\\\\:}\")\n"
    "\tdone\n"
    "\tif [[ $PREFIX == -* ]]; then\n"
    "\t\t_describe -o argument found\n"
    "\telse\n"
    "\t\t_files\n"
    "\tfi\n"
    "}\n\n";

static void
complete_zsh_add_names(
    struct w_buf *buf, const struct w_cli_command *const *commands)
{
	w_buf_add_str(buf, "\tnames=(\n");
	for (size_t i = 0; commands[i] != NULL; i++) {
		if (commands[i]->is_hidden)
			continue;
		w_buf_add_fmt(buf, "\t\t'%s:", w_subcommand_word(commands[i]));
		w_complete_add_quoted(buf, commands[i]->summary, ":\\");
		w_buf_add_str(buf, "'\n");
	}
	w_buf_add_str(buf, "\t)\n");
}

/* After a list of names: one of them, then its arguments. before is the
 * group and a blank, or "": _writ_command takes the whole name. */
static void
add_choice(struct w_buf *buf, const char *before)
{
	w_buf_add_fmt(buf,
	    "\t\t'1:command:->command' \\\n"
	    "\t\t'*::argument:->argument' && ret=0\n"
	    "\tcase $state in\n"
	    "\tcommand) _describe -t commands 'writ command' names && "
	    "ret=0 ;;\n"
	    "\targument) _writ_command \"%s$words[1]\" && ret=0 ;;\n"
	    "\tesac\n",
	    before);
}

static void
add_group(struct w_buf *buf, const struct w_cli_command *group)
{
	w_buf_add_fmt(buf, "\t'%s')\n", group->name);
	complete_zsh_add_names(buf, group->subs);
	w_buf_add_str(buf, "\t_arguments -C -A '-*' \\\n");
	for (const struct w_option *it = group->options; it->name != NULL; it++)
		complete_zsh_add_option(buf, it);

	W_AUTO_BUF struct w_buf before;
	w_buf_init(&before, 128);
	w_buf_add_fmt(&before, "%s ", group->name);
	add_choice(buf, before.data);
	w_buf_add_str(buf, "\treturn ret\n\t;;\n");
	for (size_t i = 0; group->subs[i] != NULL; i++)
		complete_zsh_add_command(buf, group->subs[i]);
}

void
w_complete_zsh(struct w_buf *buf)
{
	static const char locals[] =
	    "\tlocal curcontext=$curcontext state line ret=1\n"
	    "\tlocal -a names\n";

	w_buf_add_fmt(buf,
	    "#compdef writ\n\n%s_writ_command()\n{\n%s\tcase $1 in\n", call,
	    locals);
	for (size_t i = 0; w_cli_commands[i] != NULL; i++) {
		if (w_cli_commands[i]->is_hidden)
			continue;
		if (w_cli_commands[i]->subs != NULL)
			add_group(buf, w_cli_commands[i]);
		else
			complete_zsh_add_command(buf, w_cli_commands[i]);
	}
	w_buf_add_fmt(buf, "\tesac\n}\n\n_writ()\n{\n%s", locals);
	complete_zsh_add_names(buf, w_cli_commands);
	w_buf_add_str(buf, "\t_arguments -C -A '-*' \\\n");
	for (const struct w_option *it = w_cmd_writ.options; it->name != NULL;
	     it++)
		complete_zsh_add_option(buf, it);
	add_choice(buf, "");
	w_buf_add_str(buf,
	    "\treturn ret\n}\n\n"
	    "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n"
	    "\t_writ \"$@\"\n"
	    "else\n"
	    "\tcompdef _writ writ\n"
	    "fi\n");
}
