/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ __complete -- WORD...`: prints what the last word may be, for the
 * scripts in completions/; complete.h has the format. The words are those
 * after `writ`, up to the cursor.
 *
 * It runs at each press of a key, in the middle of a line that somebody types:
 * it prints no messages and always succeeds.
 */

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "cli/cli_command.h"
#include "cli/help/complete.h"
#include "cli/help/usage.h"
#include "cli/options/options.h"
#include "cli/options/subcommand.h"
#include "cli/output/print.h"

#define FIRST_MAX 4096

/* What the words before the last one have settled. */
struct complete_place {
	const struct w_cli_command *command; /* NULL: there is no such one */
	const struct w_cli_command *topic;   /* of `writ help` */
	const struct w_option *waits;        /* the option without its value */
	bool has_ended;                      /* after "--" */
	int program; /* the word that stopped the options; -1: none */
};

/* clang-format off */
static const struct w_option options[] = {
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "always"},
	{.status = ""},
};
/* clang-format on */

/* The option of a group or of its subcommands, which may stand before the
 * name of the subcommand. letter: 0 for the long name, of len bytes. */
static const struct w_option *
complete_find(const struct w_cli_command *command, char letter,
    const char *name, size_t len)
{
	const struct w_cli_command *const *sub = command->subs;
	const struct w_option *found =
	    letter != 0 ? w_options_find_letter(command->options, letter)
			: w_options_find(command->options, name, len);

	for (; found == NULL && sub != NULL && *sub != NULL; sub++)
		found = complete_find(*sub, letter, name, len);
	return found;
}

/* The option whose value is the next word; NULL: none. */
static const struct w_option *
waiting(const struct w_cli_command *command, const char *word)
{
	const struct w_option *option = NULL;

	if (word[1] == '-') {
		option = complete_find(command, 0, word + 2, strlen(word + 2));
		return option != NULL && option->arg[0] != '\0' ? option : NULL;
	}
	for (word++; *word != '\0'; word++) {
		option = complete_find(command, *word, NULL, 0);
		if (option == NULL)
			return NULL;
		if (option->arg[0] != '\0')
			return word[1] == '\0' ? option : NULL;
	}
	return NULL;
}

/* The command of that name within another; NULL: none that is shown. */
static const struct w_cli_command *
complete_enter(const struct w_cli_command *command, const char *word)
{
	if (command != &w_cmd_writ)
		return w_subcommand_find(command, word);
	const struct w_cli_command *found = w_cli_command_find(word);

	return found != NULL && !found->is_hidden ? found : NULL;
}

static bool
is_option(const struct complete_place *place, const char *word)
{
	return !place->has_ended && word[0] == '-' && word[1] != '\0';
}

static void
complete_step(struct complete_place *place, char **words, int at)
{
	const char *word = words[at];
	const struct w_cli_command *command = place->command;

	if (place->waits != NULL)
		place->waits = NULL;
	else if (is_option(place, word) && strcmp(word, "--") == 0)
		place->has_ended = true;
	else if (is_option(place, word))
		place->waits = waiting(command, word);
	else if (command == &w_cmd_writ || command->subs != NULL)
		place->command = complete_enter(command, word);
	else if (command->stops_at_operand)
		place->program = at;
	else if (command == &w_cmd_help && place->topic != NULL)
		place->topic = complete_enter(place->topic, word);
}

static void
add_commands(struct w_complete_answer *answer,
    const struct w_cli_command *const *commands)
{
	for (; commands != NULL && *commands != NULL; commands++) {
		if (!(*commands)->is_hidden)
			w_complete_add(answer, "", w_subcommand_word(*commands),
			    (*commands)->summary);
	}
}

/* Letters are offered only after a single dash: else each option would be
 * there twice. */
static void
add_options(struct w_complete_answer *answer,
    const struct w_cli_command *command, const char *word)
{
	const bool has_letters = word[0] == '-' && word[1] != '-';

	for (const struct w_option *it = command->options; it->name[0] != '\0';
	     it++) {
		const char letter[] = {it->letter, '\0'};

		w_complete_add(answer, "--", it->name, it->help);
		if (has_letters)
			w_complete_add(answer, "-", letter, it->help);
	}
}

/* "--name=VALUE": the values, or nothing if it takes none. */
static void
add_attached(struct w_complete_answer *answer,
    const struct w_cli_command *command, const char *word)
{
	const size_t len = strcspn(word, "=");
	const struct w_option *option =
	    complete_find(command, 0, word + 2, len - 2);
	W_AUTO_FREE char *head = strndup(word, len + 1);

	if (option != NULL && option->arg[0] != '\0' && head != NULL)
		w_complete_add_values(
		    answer, option->words, head, word + len + 1);
}

static void
add_operands(struct w_complete_answer *answer,
    const struct complete_place *place, const char *word)
{
	const struct w_cli_command *command = place->command;

	if (command == &w_cmd_help) {
		if (place->topic != NULL)
			add_commands(answer, place->topic == &w_cmd_writ
						 ? w_cli_commands
						 : place->topic->subs);
	} else if (command == &w_cmd_writ) {
		add_commands(answer, w_cli_commands);
		add_options(answer, command, word);
	} else if (command->subs != NULL) {
		add_commands(answer, command->subs);
	} else if (command->operand != NULL) {
		w_complete_add_values(
		    answer, command->operand->words, "", word);
	}
}

/* words: count of them, at least one. */
static void
complete_answer(struct w_complete_answer *answer, char **words, int count)
{
	struct complete_place place = {
	    .command = &w_cmd_writ, .topic = &w_cmd_writ, .program = -1};
	const char *word = words[count - 1];

	for (int i = 0; i < count - 1 && place.command != NULL; i++) {
		complete_step(&place, words, i);
		if (place.program >= 0)
			break;
	}
	if (place.command == NULL)
		return;
	if (place.program >= 0 && place.command == &w_cmd_call)
		w_complete_add_module(
		    answer, words[place.program], words[count - 2], word);
	else if (place.program >= 0)
		w_buf_add_fmt(&answer->first, "program %d", place.program);
	else if (place.waits != NULL)
		w_complete_add_values(answer, place.waits->words, "", word);
	else if (is_option(&place, word) && strchr(word, '=') != NULL &&
		 word[1] == '-')
		add_attached(answer, place.command, word);
	else if (!place.has_ended && word[0] == '-')
		add_options(answer, place.command, word);
	else
		add_operands(answer, &place, word);
}

static int
complete_run(int argc, char **argv)
{
	struct w_complete_answer answer;
	W_AUTO_FD int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (argc < 3 || strcmp(argv[1], "--") != 0)
		return w_usage_print(&w_cmd_complete);
	if (null < 0 || dup2(null, STDERR_FILENO) < 0)
		return 0;
	w_buf_init(&answer.first, FIRST_MAX);
	w_buf_init(&answer.rows, W_PRINT_MAX);
	w_buf_add_char(&answer.first, ':');
	complete_answer(&answer, argv + 2, argc - 2);
	w_buf_add_char(&answer.first, '\n');
	if (w_print(&answer.first) == 0)
		(void)w_print(&answer.rows);
	w_buf_done(&answer.first);
	w_buf_done(&answer.rows);
	return 0;
}

const struct w_cli_command w_cmd_complete = {
    .name = "__complete",
    .summary = "Print what the last word of a command line may be",
    .usage = "__complete -- WORD...",
    .options = options,
    .exits = exits,
    .is_hidden = true,
    .stops_at_operand = true,
    .usage_exit = 0,
    .run = complete_run,
};
