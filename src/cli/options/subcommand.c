/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Finds and runs a subcommand. Its name need not come first: options may stand
 * before it. The tables of all subcommands tell which of these take a value.
 */

#include "cli/options/subcommand.h"

#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/match.h"
#include "cli/help/usage.h"
#include "cli/options/options.h"
#include "cli/output/print.h"

#define SUBS_MAX  24
#define WORDS_MAX 512

/* Whether the word is an option and the next word is its value. */
static bool
takes_next(const struct w_cli_command *group, const char *word)
{
	const bool is_long = word[1] == '-';
	const struct w_option *option = NULL;

	if (is_long ? strchr(word, '=') != NULL : word[2] != '\0')
		return false;
	for (size_t i = 0; group->subs[i] != NULL && option == NULL; i++) {
		const struct w_option *options = group->subs[i]->options;

		option = is_long ? w_options_find(
				       options, word + 2, strlen(word + 2))
				 : w_options_find_letter(options, word[1]);
	}
	return option != NULL && option->arg[0] != '\0';
}

/* The index of the first operand; argc or more: there is none. */
static int
operand_at(const struct w_cli_command *group, int argc, char **argv)
{
	int i = 1;

	for (; i < argc; i++) {
		if (argv[i][0] != '-' || argv[i][1] == '\0')
			return i;
		if (strcmp(argv[i], "--") == 0)
			return i + 1;
		if (takes_next(group, argv[i]))
			i++;
	}
	return argc;
}

static bool
wants_help(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--help") == 0 ||
		    strcmp(argv[i], "-h") == 0)
			return true;
	}
	return false;
}

/* "list, show or check" */
static void
subcommand_add_words(struct w_buf *buf, const struct w_cli_command *group)
{
	for (size_t i = 0; group->subs[i] != NULL; i++) {
		const bool is_last = group->subs[i + 1] == NULL;

		w_buf_add_fmt(buf, "%s%s",
		    i == 0    ? ""
		    : is_last ? " or "
			      : ", ",
		    w_subcommand_word(group->subs[i]));
	}
}

static int
subcommand_fail_usage(
    const struct w_cli_command *group, int argc, char **argv, const char *word)
{
	writ_error err;
	W_AUTO_BUF struct w_buf words;

	w_buf_init(&words, WORDS_MAX);
	subcommand_add_words(&words, group);
	if (word != NULL)
		(void)w_subcommand_unknown(group, word, &err);
	else
		(void)w_usage_fail(group, &err, "say what: %s", words.data);
	if (w_options_want_json(argc, argv))
		w_print_error_json(&err);
	else
		w_print_error(&err, NULL);
	return group->usage_exit;
}

const char *
w_subcommand_word(const struct w_cli_command *sub)
{
	const char *blank = strrchr(sub->name, ' ');

	return blank == NULL ? sub->name : blank + 1;
}

const struct w_cli_command *
w_subcommand_find(const struct w_cli_command *group, const char *word)
{
	for (size_t i = 0; group->subs != NULL && group->subs[i] != NULL; i++) {
		if (strcmp(w_subcommand_word(group->subs[i]), word) == 0)
			return group->subs[i];
	}
	return NULL;
}

writ_status
w_subcommand_unknown(
    const struct w_cli_command *group, const char *word, writ_error *err)
{
	const char *names[SUBS_MAX + 1];
	size_t count = 0;
	W_AUTO_BUF struct w_buf words;

	w_buf_init(&words, WORDS_MAX);
	for (; count < SUBS_MAX && group->subs[count] != NULL; count++)
		names[count] = w_subcommand_word(group->subs[count]);
	names[count] = NULL;

	const char *near = w_match_nearest(word, names);
	if (near != NULL)
		return w_usage_fail(group, err,
		    "unknown word '%s', did you mean '%s'?", word, near);
	subcommand_add_words(&words, group);
	return w_usage_fail(
	    group, err, "unknown word '%s', expected %s", word, words.data);
}

int
w_subcommand_run(const struct w_cli_command *group, int argc, char **argv)
{
	const int at = operand_at(group, argc, argv);
	const struct w_cli_command *sub = NULL;

	if (at >= argc && wants_help(argc, argv))
		return w_usage_print(group);
	if (at >= argc)
		return group->run != NULL
			   ? group->run(argc, argv)
			   : subcommand_fail_usage(group, argc, argv, NULL);
	char *word = argv[at];
	sub = w_subcommand_find(group, word);
	if (sub == NULL)
		return subcommand_fail_usage(group, argc, argv, word);

	/* Moves the options before the word behind it. */
	for (int i = at; i > 1; i--)
		argv[i] = argv[i - 1];
	argv[1] = word;
	return sub->run(argc - 1, argv + 1);
}
