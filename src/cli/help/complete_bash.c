/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Completion for bash: three generated tables and fixed functions that use
 * them. It needs no bash-completion package; with one, the arguments after
 * `writ run PROGRAM` are completed as those of PROGRAM.
 */

#include "cli/help/complete.h"

#include "cli/options/subcommand.h"

/* compgen -W expands its words, so a $(command) in the name of a module or a
 * file would be executed. _writ_match compares words without expansion. */
static const char walker[] =
    "# Adds those of the words that begin with the first; none is expanded.\n"
    "_writ_match()\n"
    "{\n"
    "\tlocal cur=$1 word\n"
    "\tshift\n"
    "\tfor word; do\n"
    "\t\tif [[ -n $word && $word == \"$cur\"* ]]; then\n"
    "\t\t\tCOMPREPLY+=(\"$word\")\n"
    "\t\tfi\n"
    "\tdone\n"
    "}\n"
    "\n"
    "# Likewise with the lines of a text.\n"
    "_writ_match_lines()\n"
    "{\n"
    "\tlocal lines\n"
    "\tmapfile -t lines <<<\"$2\"\n"
    "\t_writ_match \"$1\" \"${lines[@]}\"\n"
    "}\n"
    "\n"
    "# The profiles that there are; a path is one too.\n"
    "_writ_profiles()\n"
    "{\n"
    "\tif [[ $1 == */* ]]; then\n"
    "\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$1\")\n"
    "\telse\n"
    "\t\t_writ_match_lines \"$1\" \"$(writ sandbox list 2>/dev/null | "
    "cut -d' ' -f1)\"\n"
    "\tfi\n"
    "}\n"
    "\n"
    "# Presets of policies; a file is one too.\n"
    "_writ_policies()\n"
    "{\n"
    "\tmapfile -t COMPREPLY < <(compgen -f -- \"$1\")\n"
    "\t_writ_match_lines \"$1\" \"$(writ policy presets --names "
    "2>/dev/null)\"\n"
    "}\n"
    "\n"
    "# Fills COMPREPLY by what the tables call the values.\n"
    "_writ_reply()\n"
    "{\n"
    "\tlocal cur=$2 words\n"
    "\tcase $1 in\n"
    "\t@file) mapfile -t COMPREPLY < <(compgen -f -- \"$cur\") ;;\n"
    "\t@dir) mapfile -t COMPREPLY < <(compgen -d -- \"$cur\") ;;\n"
    "\t@command) mapfile -t COMPREPLY < <(compgen -c -- \"$cur\") ;;\n"
    "\t@user) mapfile -t COMPREPLY < <(compgen -u -- \"$cur\") ;;\n"
    "\t@group) mapfile -t COMPREPLY < <(compgen -g -- \"$cur\") ;;\n"
    "\t@profile) _writ_profiles \"$cur\" ;;\n"
    "\t@policy) _writ_policies \"$cur\" ;;\n"
    "\t@run) _writ_match_lines \"$cur\" \"$(writ audit list --ids "
    "2>/dev/null)\" ;;\n"
    "\t@running) _writ_match_lines \"$cur\" \"$(writ ps --ids "
    "2>/dev/null)\" ;;\n"
    "\t@approval) _writ_match_lines \"$cur\" \"$(writ approvals list --ids "
    "2>/dev/null)\" ;;\n"
    "\t@session) _writ_match_lines \"$cur\" \"$(writ session list --ids "
    "2>/dev/null)\" ;;\n"
    "\t@grant) _writ_match_lines \"$cur\" \"$(writ approvals grants --ids "
    "2>/dev/null)\" ;;\n"
    "\t@module) _writ_match_lines \"$cur\" \"$(writ module list --ids "
    "2>/dev/null)\" ;;\n"
    "\t*)\n"
    "\t\tIFS=' ' read -ra words <<<\"$1\"\n"
    "\t\t_writ_match \"$cur\" \"${words[@]}\"\n"
    "\t\t;;\n"
    "\tesac\n"
    "}\n"
    "\n"
    "_writ()\n"
    "{\n"
    "\tlocal cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}\n"
    "\tlocal i word values='' waits=0\n"
    "\tCOMPREPLY=()\n"
    "\tif ((COMP_CWORD == 1)); then\n"
    "\t\t_writ_reply \"$(_writ_words '')\" \"$cur\"\n"
    "\t\treturn\n"
    "\tfi\n"
    "\tfor ((i = 2; i < COMP_CWORD; i++)); do\n"
    "\t\tword=${COMP_WORDS[i]}\n"
    "\t\tif [[ $word == '=' ]]; then\n"
    "\t\t\tcontinue\n"
    "\t\telif ((waits)); then\n"
    "\t\t\twaits=0\n"
    "\t\telif [[ $word == -- && $command == run ]]; then\n"
    "\t\t\t_writ_program $((i + 1))\n"
    "\t\t\treturn\n"
    "\t\telif [[ $word == -* ]]; then\n"
    "\t\t\tif values=$(_writ_values \"$command$word\"); then\n"
    "\t\t\t\twaits=1\n"
    "\t\t\tfi\n"
    "\t\telif [[ $command == run ]]; then\n"
    "\t\t\t_writ_program \"$i\"\n"
    "\t\t\treturn\n"
    "\t\telif [[ $command == call ]]; then\n"
    "\t\t\t_writ_call \"$word\"\n"
    "\t\t\treturn\n"
    "\t\telif _writ_options \"$command $word\" >/dev/null; then\n"
    "\t\t\tcommand=\"$command $word\"\n"
    "\t\tfi\n"
    "\tdone\n"
    "\tif [[ $cur == '=' ]]; then\n"
    "\t\tcur=''\n"
    "\tfi\n"
    "\tif ((waits)); then\n"
    "\t\t_writ_reply \"$values\" \"$cur\"\n"
    "\telif [[ $cur == -* ]]; then\n"
    "\t\t_writ_reply \"$(_writ_options \"$command\")\" \"$cur\"\n"
    "\telse\n"
    "\t\t_writ_reply \"$(_writ_words \"$command\")\" \"$cur\"\n"
    "\tfi\n"
    "}\n"
    "\n"
    "# The words from here on belong to another program.\n"
    "_writ_program()\n"
    "{\n"
    "\tif declare -F _command_offset >/dev/null; then\n"
    "\t\t_command_offset \"$1\"\n"
    "\telif ((COMP_CWORD == $1)); then\n"
    "\t\t_writ_reply @command \"${COMP_WORDS[COMP_CWORD]}\"\n"
    "\telse\n"
    "\t\t_writ_reply @file \"${COMP_WORDS[COMP_CWORD]}\"\n"
    "\tfi\n"
    "}\n"
    "\n"
    "# The names of a module's arguments, or the words that one may be.\n"
    "_writ_call()\n"
    "{\n"
    "\tlocal cur=${COMP_WORDS[COMP_CWORD]} name=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "\tlocal known words names=()\n"
    "\tif [[ $cur == '=' ]]; then\n"
    "\t\tcur=''\n"
    "\telif [[ $name == '=' ]]; then\n"
    "\t\tname=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "\tfi\n"
    "\twhile IFS=$'\\t' read -r known words _; do\n"
    "\t\tif [[ $name == \"$known\" && $words != - ]]; then\n"
    "\t\t\t_writ_match_lines \"$cur\" \"${words//|/$'\\n'}\"\n"
    "\t\t\treturn\n"
    "\t\tfi\n"
    "\t\tnames+=(\"$known\")\n"
    "\tdone < <(writ module show --names -- \"$1\" 2>/dev/null)\n"
    "\tif [[ $cur == -* ]]; then\n"
    "\t\t_writ_match \"$cur\" \"${names[@]}\" --help\n"
    "\telse\n"
    "\t\t_writ_reply @file \"$cur\"\n"
    "\tfi\n"
    "}\n"
    "\n"
    "complete -F _writ -o filenames -o bashdefault writ\n";

static void
add_option_names(struct w_buf *buf, const struct w_option *options)
{
	const char *blank = "";

	for (; options->name != NULL; options++) {
		w_buf_add_fmt(buf, "%s--%s", blank, options->name);
		blank = " ";
	}
}

static void
add_options_row(struct w_buf *buf, const struct w_cli_command *command)
{
	w_buf_add_fmt(buf, "\t'%s') echo '", command->name);
	add_option_names(buf, command->options);
	w_buf_add_str(buf, "' ;;\n");
}

static void
add_words_row(struct w_buf *buf, const struct w_cli_command *command)
{
	if (command->operands == NULL && command->subs == NULL)
		return;
	w_buf_add_fmt(buf, "\t'%s') echo '", command->name);
	if (command->subs == NULL)
		w_complete_add_words(buf, command->operands);
	for (size_t i = 0; command->subs != NULL && command->subs[i] != NULL;
	     i++)
		w_buf_add_fmt(buf, "%s%s", i == 0 ? "" : " ",
		    w_subcommand_word(command->subs[i]));
	w_buf_add_str(buf, "' ;;\n");
}

static void
add_value_rows(struct w_buf *buf, const struct w_cli_command *command)
{
	const struct w_option *it = command->options;

	for (; it->name != NULL; it++) {
		if (it->arg == NULL)
			continue;
		w_buf_add_fmt(buf, "\t'%s--%s'", command->name, it->name);
		if (it->letter != 0)
			w_buf_add_fmt(
			    buf, " | '%s-%c'", command->name, it->letter);
		w_buf_add_str(buf, ") echo '");
		w_complete_add_words(buf, it->words != NULL ? it->words : "");
		w_buf_add_str(buf, "' ;;\n");
	}
}

/* Calls add for every command and subcommand that is not hidden. */
static void
add_rows(struct w_buf *buf,
    void (*add)(struct w_buf *buf, const struct w_cli_command *command))
{
	for (size_t i = 0; w_cli_commands[i] != NULL; i++) {
		const struct w_cli_command *command = w_cli_commands[i];

		if (command->is_hidden)
			continue;
		add(buf, command);
		for (size_t k = 0;
		     command->subs != NULL && command->subs[k] != NULL; k++)
			add(buf, command->subs[k]);
	}
}

void
w_complete_bash(struct w_buf *buf)
{
	w_buf_add_str(buf, "# bash completion for writ\n\n");

	w_buf_add_str(buf, "# The options of a command; fails for none.\n"
			   "_writ_options()\n{\n\tcase $1 in\n");
	add_rows(buf, add_options_row);
	w_buf_add_str(buf, "\t*) return 1 ;;\n\tesac\n}\n\n");

	w_buf_add_str(buf, "# The operands of a command, or the commands.\n"
			   "_writ_words()\n{\n\tcase $1 in\n\t'') echo '");
	w_complete_add_words(buf, "@commands");
	w_buf_add_char(buf, ' ');
	add_option_names(buf, w_cmd_writ.options);
	w_buf_add_str(buf, "' ;;\n");
	add_rows(buf, add_words_row);
	w_buf_add_str(buf, "\tesac\n}\n\n");

	w_buf_add_str(buf, "# The values of an option; fails for a switch.\n"
			   "_writ_values()\n{\n\tcase $1 in\n");
	add_rows(buf, add_value_rows);
	w_buf_add_str(buf, "\t*) return 1 ;;\n\tesac\n}\n\n");

	w_buf_add_str(buf, walker);
}
