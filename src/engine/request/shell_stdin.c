/* SPDX-License-Identifier: Apache-2.0 */

/* Which commands are shells that read commands from standard input. In doubt
 * they are: then their input is judged as well. */

#include "engine/request/shell_stdin.h"

#include <stddef.h>
#include <string.h>

#include "base/basename.h"

static const char *const shells[] = {"sh", "bash", "dash", "zsh", "ksh", "mksh",
    "ash", "rbash", "ksh93", "yash", "fish", "csh", "tcsh"};

/* Other spellings of standard input. */
static const char *const inputs[] = {
    "-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"};

static bool
shell_stdin_is_one_of(const char *const *words, size_t count, const char *word)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(words[i], word) == 0)
			return true;
	}
	return false;
}

/* The name of a login shell begins with a dash. */
static bool
is_shell(const char *name)
{
	const char *word = w_basename(name);

	return shell_stdin_is_one_of(shells, sizeof(shells) / sizeof(*shells),
	    word[0] == '-' ? word + 1 : word);
}

/* The argv of an inner command is not NULL-ended. */
struct words {
	const char *const *argv;
	size_t argc;
};

static const char *
shell_stdin_word_at(const struct words *words, size_t at)
{
	return at < words->argc ? words->argv[at] : NULL;
}

/* Returns where the operands begin. *out_reads: an option makes it read
 * standard input; *out_has_text: an option gives it a text. */
static size_t
skip_options(
    const struct words *words, size_t at, bool *out_reads, bool *out_has_text)
{
	for (; shell_stdin_word_at(words, at) != NULL; at++) {
		const char *word = words->argv[at];

		if ((word[0] != '-' && word[0] != '+') || word[1] == '\0')
			break;
		if (strcmp(word, "--") == 0)
			return at + 1;
		const bool is_long = word[0] == '-' && word[1] == '-';
		const bool has_value =
		    is_long ? strcmp(word, "--rcfile") == 0 ||
				  strcmp(word, "--init-file") == 0
			    : strpbrk(word, "oO") != NULL;
		*out_reads |= !is_long && strchr(word, 's') != NULL;
		*out_has_text |= !is_long && strchr(word, 'c') != NULL;
		if (has_value && shell_stdin_word_at(words, at + 1) != NULL)
			at++;
	}
	return at;
}

static bool
reads_stdin(const struct words *words, size_t at)
{
	bool reads = false;
	bool has_text = false;

	at = skip_options(words, at, &reads, &has_text);
	const char *script = shell_stdin_word_at(words, at);
	if (has_text)
		return false;
	return reads || script == NULL ||
	       shell_stdin_is_one_of(
		   inputs, sizeof(inputs) / sizeof(*inputs), script);
}

bool
w_stdin_is_script_of(
    const char *const *argv, size_t argc, const char *const *names)
{
	const struct words words = {.argv = argv, .argc = argc};
	const char *first = shell_stdin_word_at(&words, 0);
	const char *second = shell_stdin_word_at(&words, 1);

	if (first == NULL)
		return false;
	bool is_called_so = is_shell(first);
	for (size_t i = 0; names != NULL && names[i] != NULL; i++)
		is_called_so |= is_shell(names[i]);
	if (is_called_so)
		return reads_stdin(&words, 1);
	/* busybox sh */
	return second != NULL && is_shell(second) &&
	       strstr(first, "box") != NULL && reads_stdin(&words, 2);
}

bool
w_stdin_is_script(const struct w_policy_facts *facts)
{
	for (size_t i = 0; i < facts->count; i++) {
		const struct w_policy_command *command = &facts->commands[i];
		const struct w_analysis *analysis = command->analysis;

		if (!command->is_remote && analysis->argv != NULL &&
		    w_stdin_is_script_of(
			analysis->argv, analysis->argc, command->program.names))
			return true;
	}
	return false;
}
