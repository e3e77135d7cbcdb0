/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Secrets in shell texts that cannot be parsed because of variables, loops or
 * substitutions. What such a text does is unknown. But it is recorded, so its
 * commands are guessed for the sole purpose of hiding: hiding a word too many
 * does no harm, showing a password does.
 *
 * Every run of words between shell operators is analyzed as a command, in an
 * analysis that is thrown away. Quoted text is also searched as a shell text of
 * its own, since a nested shell may get it.
 */

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/auto.h"
#include "base/basename.h"
#include "command/analysis/analyzer.h"
#include "command/shell/shell_unquoter.h"

/* A longer text is not searched: the kernel accepts no such word. */
#define TEXT_MAX     ((size_t)1 << 20)

#define QUOTES_MAX   4 /* nesting */
#define COMMANDS_MAX W_ANALYSIS_INNER_MAX

struct guess {
	struct w_analyzer *analyzer;
	const struct w_shell_text *shell;
	char *pool; /* the words of one command, each NUL-ended */
	size_t *places;
	const char **argv;
	size_t used; /* bytes of the pool */
	size_t argc;
};

/* Words that precede a command. */
static bool
is_before_command(const char *word)
{
	static const char *const words[] = {"if", "then", "else", "elif",
	    "while", "until", "do", "!", "time", "exec", "command", "builtin",
	    "eval", "{", "}"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i], word) == 0)
			return true;
	}
	const char *equals = strchr(word, '=');
	return equals != NULL && equals != word && word[0] != '-' &&
	       memchr(word, '/', (size_t)(equals - word)) == NULL;
}

/* "$NAME" and "${NAME}" are not the secret itself. */
static bool
secret_guessed_is_reference(const char *bytes, size_t len)
{
	if (len < 2 || bytes[0] != '$')
		return false;
	for (size_t i = 1; i < len; i++) {
		const char c = bytes[i];

		if (!w_is_name_start(c) && !w_is_digit(c) && c != '{' &&
		    c != '}')
			return false;
	}
	return true;
}

size_t
w_shell_plain_len(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '`' || (i + 1 < len && text[i + 1] == '(' &&
					  strchr("$<>", text[i]) != NULL))
			return i;
	}
	return len;
}

/* A command that runs is never hidden: the person who approves it must see
 * it. */
static void
secret_guessed_hide(const struct guess *guess, const char *bytes, size_t len)
{
	const size_t at = (size_t)(bytes - guess->pool);

	if (len == 0 || secret_guessed_is_reference(bytes, len))
		return;
	const size_t from = guess->places[at];
	const size_t to = guess->places[at + len - 1] + 1;
	w_analyzer_shell_secret(guess->analyzer, guess->shell, from,
	    from + w_shell_plain_len(guess->shell->text + from, to - from));
}

/* Analyzes the words from there on. Returns whether they are understood. */
static bool
analyze_from(const struct guess *guess, size_t from)
{
	struct w_analysis_shared *shared = guess->analyzer->shared;
	const size_t inner_count = shared->inner_count;
	struct w_analysis analysis = {.argv = guess->argv + from,
	    .argc = guess->argc - from,
	    .is_understood = true,
	    .is_itself_understood = true};
	struct w_analyzer inside = {.shared = shared,
	    .analysis = &analysis,
	    .context = guess->analyzer->context};

	if (shared->guess_count++ >= COMMANDS_MAX)
		return true;
	inside.context.how = 0;
	inside.context.placeholders = NULL;
	inside.context.unseen_count = 0;
	inside.context.depth++;
	w_analyzer_run(&inside);
	for (size_t i = 0; i < analysis.secret_count; i++) {
		const struct w_secret_place *place = &analysis.secrets[i];

		secret_guessed_hide(guess,
		    analysis.argv[place->word] + place->offset, place->len);
	}
	shared->inner_count = inner_count;
	w_analysis_release(&analysis);
	return analysis.is_understood;
}

static bool
secret_guessed_is_known(const struct guess *guess, const char *word)
{
	const struct w_command_source *source = guess->analyzer->shared->source;
	const char *name = w_basename(word);

	return name[0] != '-' && name[0] != '\0' &&
	       source->find(source->ctx, name, strlen(name)) != NULL;
}

/* The words so far are a command. If it is not understood, a known command may
 * begin at a later word. */
static void
end_command(struct guess *guess)
{
	size_t from = 0;

	/* TOKEN=value, anywhere. */
	for (size_t i = 0; i < guess->argc; i++) {
		const char *word = guess->argv[i];
		const size_t name = strcspn(word, "=");

		if (word[name] == '=' && word[0] != '-' &&
		    w_analyzer_is_secret_name(word, name))
			secret_guessed_hide(
			    guess, word + name + 1, strlen(word + name + 1));
	}
	while (from < guess->argc && is_before_command(guess->argv[from]))
		from++;
	guess->argv[guess->argc] = NULL;
	bool is_understood = from == guess->argc || analyze_from(guess, from);
	for (from++; !is_understood && from < guess->argc; from++) {
		if (secret_guessed_is_known(guess, guess->argv[from]))
			is_understood = analyze_from(guess, from);
	}
	guess->argc = 0;
	guess->used = 0;
}

/* Whether a command ends between two words. */
static bool
has_operator(const char *text, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (strchr(";|\n()`", text[i]) != NULL)
			return true;
		/* 2>&1 does not end a command. */
		if (text[i] == '&' &&
		    (i == 0 || (text[i - 1] != '>' && text[i - 1] != '<')))
			return true;
	}
	return false;
}

static void secret_guessed_look_through(struct w_analyzer *analyzer,
    const struct w_shell_text *shell, size_t from, size_t to, size_t quotes);

static size_t
closing_quote(const char *text, size_t from, size_t to)
{
	size_t at = from + 1;

	while (at < to && text[at] != text[from])
		at += text[from] == '"' && text[at] == '\\' ? 2 : 1;
	return at < to ? at : to;
}

/* Searches the quoted parts of a word that may be shell texts. */
static void
look_into_quotes(
    const struct guess *guess, size_t from, size_t to, size_t quotes)
{
	const char *text = guess->shell->text;

	for (size_t at = from; at < to; at++) {
		if (text[at] == '\\') {
			at++;
		} else if (text[at] == '\'' || text[at] == '"') {
			const size_t end = closing_quote(text, at, to);

			if (memchr(text + at, ' ', end - at) != NULL)
				secret_guessed_look_through(guess->analyzer,
				    guess->shell, at + 1, end, quotes + 1);
			at = end;
		}
	}
}

static void
secret_guessed_take_words(
    struct guess *guess, size_t from, size_t to, size_t quotes)
{
	const char *text = guess->shell->text;
	struct w_shell_unquoter unquoter = {
	    .text = text, .between = " \t\n;|&<>()`", .at = from, .end = to};
	size_t before = from;

	for (;;) {
		unquoter.bytes = guess->pool + guess->used;
		unquoter.places = guess->places + guess->used;
		if (!w_shell_unquoter_next(&unquoter))
			break;
		if (guess->argc > 0 &&
		    has_operator(text, before, unquoter.start)) {
			end_command(guess);
			/* Read again, to the beginning of the pool. */
			unquoter.at = unquoter.start;
			before = unquoter.start;
			continue;
		}
		unquoter.bytes[unquoter.len] = '\0';
		guess->argv[guess->argc++] = unquoter.bytes;
		guess->used += unquoter.len + 1;
		before = unquoter.at;
		look_into_quotes(guess, unquoter.start, unquoter.at, quotes);
	}
	if (guess->argc > 0)
		end_command(guess);
}

static void
secret_guessed_look_through(struct w_analyzer *analyzer,
    const struct w_shell_text *shell, size_t from, size_t to, size_t quotes)
{
	/* Words and separators alternate: at most half are words. */
	const size_t room = to - from + 2;
	W_AUTO_FREE char *pool = NULL;
	W_AUTO_FREE size_t *places = NULL;
	W_AUTO_FREE const char **argv = NULL;

	if (from >= to || quotes > QUOTES_MAX)
		return;
	pool = malloc(room);
	places = calloc(room, sizeof(*places));
	argv = calloc(room, sizeof(*argv));
	if (pool == NULL || places == NULL || argv == NULL) {
		analyzer->shared->is_out_of_memory = true;
		return;
	}
	struct guess guess = {.analyzer = analyzer,
	    .shell = shell,
	    .pool = pool,
	    .places = places,
	    .argv = argv};
	secret_guessed_take_words(&guess, from, to, quotes);
}

void
w_analyzer_guessed_words(struct w_analyzer *analyzer)
{
	struct w_analysis_shared *shared = analyzer->shared;
	const struct w_analysis *outer = analyzer->analysis;
	const struct guess guess = {.analyzer = analyzer};

	if (shared->is_guessing)
		return;
	shared->is_guessing = true;
	for (size_t from = 1; from < outer->argc; from++) {
		const size_t inner_count = shared->inner_count;
		struct w_analysis analysis = {.argv = outer->argv + from,
		    .argc = outer->argc - from,
		    .is_understood = true,
		    .is_itself_understood = true};
		struct w_analyzer inside = {.shared = shared,
		    .analysis = &analysis,
		    .context = analyzer->context};

		if (!secret_guessed_is_known(&guess, outer->argv[from]))
			continue;
		if (shared->guess_count++ >= COMMANDS_MAX)
			break;
		inside.context.depth++;
		w_analyzer_run(&inside);
		for (size_t i = 0; i < analysis.secret_count; i++)
			w_analyzer_secret(analyzer,
			    analysis.secrets[i].word + from,
			    analysis.secrets[i].offset,
			    analysis.secrets[i].len);
		shared->inner_count = inner_count;
		w_analysis_release(&analysis);
		if (analysis.is_understood)
			break;
	}
	shared->is_guessing = false;
}

void
w_analyzer_guessed_secrets(
    struct w_analyzer *analyzer, const struct w_shell_text *shell)
{
	if (analyzer->shared->is_guessing || shell->len > TEXT_MAX)
		return;
	analyzer->shared->is_guessing = true;
	secret_guessed_look_through(analyzer, shell, 0, shell->len, 0);
	analyzer->shared->is_guessing = false;
}
