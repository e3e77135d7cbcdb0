/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Secrets in texts for shells that cannot be taken apart: with variables,
 * loops, substitutions. What such a text does is not known, and nobody guesses.
 * But it is on record, and so for hiding alone its commands are guessed: a word
 * too many that is hidden does no harm, a password that is not does.
 *
 * Every stretch between the operators of a shell is taken for a command, and
 * judged by itself in a meaning that is thrown away. A quoted stretch is also
 * taken for a text of its own: a shell inside may get it.
 */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "command/analysis/analyzer.h"
#include "command/shell/shell_unquoter.h"

/* A longer text is not looked through: no program can be started with such a
 * word. */
#define TEXT_MAX     ((size_t)1 << 20)

#define QUOTES_MAX   4 /* one in the other */
#define COMMANDS_MAX W_ANALYSIS_INNER_MAX

struct loose {
	struct w_analyzer *analyzer;
	const struct w_shell_text *shell;
	char *pool; /* bytes of the words of one command, each with a NUL */
	size_t *places;
	const char **argv;
	size_t used; /* of the pool */
	size_t argc;
};

/* Words before a command that are none. */
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

/* "$NAME" and "${NAME}" are no secret, only where one is. */
static bool
secret_guessed_is_reference(const char *bytes, size_t len)
{
	if (len < 2 || bytes[0] != '$')
		return false;
	for (size_t i = 1; i < len; i++) {
		const char c = bytes[i];

		if (!(c == '_' || c == '{' || c == '}' ||
			(c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
			(c >= 'A' && c <= 'Z')))
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

/* What runs is never hidden: the person who is asked has to see it. */
static void
secret_guessed_hide(const struct loose *loose, const char *bytes, size_t len)
{
	const size_t at = (size_t)(bytes - loose->pool);

	if (len == 0 || secret_guessed_is_reference(bytes, len))
		return;
	const size_t from = loose->places[at];
	const size_t to = loose->places[at + len - 1] + 1;
	w_analyzer_shell_secret(loose->analyzer, loose->shell, from,
	    from + w_shell_plain_len(loose->shell->text + from, to - from));
}

/* TOKEN=value, wherever it stands. */
static void
hide_assigned(const struct loose *loose, const char *word)
{
	const size_t name = strcspn(word, "=");

	if (word[name] == '=' && word[0] != '-' &&
	    w_analyzer_is_secret_name(word, name))
		secret_guessed_hide(
		    loose, word + name + 1, strlen(word + name + 1));
}

/* Judges the words from there on. Returns whether they are understood. */
static bool
judge_from(const struct loose *loose, size_t from)
{
	struct w_analysis_shared *judge = loose->analyzer->judge;
	const size_t inner_count = judge->inner_count;
	struct w_analysis analysis = {.argv = loose->argv + from,
	    .argc = loose->argc - from,
	    .is_understood = true,
	    .is_itself_understood = true};
	struct w_analyzer inside = {.judge = judge,
	    .analysis = &analysis,
	    .setting = loose->analyzer->setting};

	if (judge->loose_count++ >= COMMANDS_MAX)
		return true;
	inside.setting.how = 0;
	inside.setting.placeholders = NULL;
	inside.setting.depth++;
	w_analyzer_run(&inside);
	for (size_t i = 0; i < analysis.secret_count; i++) {
		const struct w_secret_place *place = &analysis.secrets[i];

		secret_guessed_hide(loose,
		    analysis.argv[place->word] + place->offset, place->len);
	}
	judge->inner_count = inner_count;
	w_analysis_release(&analysis);
	return analysis.is_understood;
}

static bool
secret_guessed_is_known(const struct loose *loose, const char *word)
{
	const struct w_command_source *source = loose->analyzer->judge->source;
	const char *slash = strrchr(word, '/');
	const char *name = slash == NULL ? word : slash + 1;

	return name[0] != '-' && name[0] != '\0' &&
	       source->find(source->ctx, name, strlen(name)) != NULL;
}

/* The words so far are a command. Where it is not understood, one that is known
 * may begin behind something that is not. */
static void
end_command(struct loose *loose)
{
	size_t from = 0;

	for (size_t i = 0; i < loose->argc; i++)
		hide_assigned(loose, loose->argv[i]);
	while (from < loose->argc && is_before_command(loose->argv[from]))
		from++;
	loose->argv[loose->argc] = NULL;
	bool is_understood = from == loose->argc || judge_from(loose, from);
	for (from++; !is_understood && from < loose->argc; from++) {
		if (secret_guessed_is_known(loose, loose->argv[from]))
			is_understood = judge_from(loose, from);
	}
	loose->argc = 0;
	loose->used = 0;
}

/* Whether a command ends between two words. */
static bool
has_operator(const char *text, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (strchr(";|\n()`", text[i]) != NULL)
			return true;
		/* 2>&1 is none. */
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

/* The quoted stretches of a word that may be texts. */
static void
look_into_quotes(
    const struct loose *loose, size_t from, size_t to, size_t quotes)
{
	const char *text = loose->shell->text;

	for (size_t at = from; at < to; at++) {
		if (text[at] == '\\') {
			at++;
		} else if (text[at] == '\'' || text[at] == '"') {
			const size_t end = closing_quote(text, at, to);

			if (memchr(text + at, ' ', end - at) != NULL)
				secret_guessed_look_through(loose->analyzer,
				    loose->shell, at + 1, end, quotes + 1);
			at = end;
		}
	}
}

static void
secret_guessed_take_words(
    struct loose *loose, size_t from, size_t to, size_t quotes)
{
	const char *text = loose->shell->text;
	struct w_shell_unquoter unquoter = {
	    .text = text, .between = " \t\n;|&<>()`", .at = from, .end = to};
	size_t before = from;

	for (;;) {
		unquoter.bytes = loose->pool + loose->used;
		unquoter.places = loose->places + loose->used;
		if (!w_shell_unquoter_next(&unquoter))
			break;
		if (loose->argc > 0 &&
		    has_operator(text, before, unquoter.start)) {
			end_command(loose);
			/* Read again, to the beginning of the pool. */
			unquoter.at = unquoter.start;
			before = unquoter.start;
			continue;
		}
		unquoter.bytes[unquoter.len] = '\0';
		loose->argv[loose->argc++] = unquoter.bytes;
		loose->used += unquoter.len + 1;
		before = unquoter.at;
		look_into_quotes(loose, unquoter.start, unquoter.at, quotes);
	}
	if (loose->argc > 0)
		end_command(loose);
}

static void
secret_guessed_look_through(struct w_analyzer *analyzer,
    const struct w_shell_text *shell, size_t from, size_t to, size_t quotes)
{
	/* Words and what is between them: there are at most half as many. */
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
		analyzer->judge->is_out_of_memory = true;
		return;
	}
	struct loose loose = {.analyzer = analyzer,
	    .shell = shell,
	    .pool = pool,
	    .places = places,
	    .argv = argv};
	secret_guessed_take_words(&loose, from, to, quotes);
}

void
w_analyzer_loose_secrets(
    struct w_analyzer *analyzer, const struct w_shell_text *shell)
{
	if (analyzer->judge->is_loose || shell->len > TEXT_MAX)
		return;
	analyzer->judge->is_loose = true;
	secret_guessed_look_through(analyzer, shell, 0, shell->len, 0);
	analyzer->judge->is_loose = false;
}
