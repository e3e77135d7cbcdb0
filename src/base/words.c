/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Command strings to words. Nothing is ever expanded.
 *
 * Only these bytes are special; all others, also those of UTF-8, are copied:
 *
 *   between words   blank, tab and newline are skipped, and so is a backslash
 *                   with a newline after it; anything else begins a word
 *   in a word       blank, tab, newline and the end finish it
 *                   '  opens single quotes, "  opens double quotes
 *                   \  takes the next byte as it is; with a newline both go
 *   in '...'        everything is literal up to the next '
 *   in "..."        \ before $ ` " \ goes, before a newline both go, before
 *                   anything else both stay; the next plain " closes
 *
 * Quoted parts join with what touches them, and '' alone is an empty word. A
 * hash sign begins no comment. What opens must close, a backslash outside
 * quotes must have something after it, and a NUL byte is refused, because no
 * argument of a program can hold one.
 */

#include "base/words.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/place.h"

#define STAGE "words"

struct splitter {
	const char *text;
	size_t len;
	size_t at;
	struct w_buf word;
	writ_error *err;
};

static writ_status
refuse(const struct splitter *in, size_t where, const char *what)
{
	(void)w_fail(in->err, WRIT_E_INVALID, STAGE, 0, "%s", what);
	w_locate_offset(in->err, in->text, where);
	return WRIT_E_INVALID;
}

static bool
is_separator(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* Takes the bytes up to the first of these (or the end) into the word. */
static void
take_until(struct splitter *in, const char *stops)
{
	size_t start = in->at;

	while (in->at < in->len && strchr(stops, in->text[in->at]) == NULL)
		in->at++;
	w_buf_add(&in->word, in->text + start, in->at - start);
}

static writ_status
read_single(struct splitter *in)
{
	size_t open = in->at++;
	take_until(in, "'");
	if (in->at == in->len) {
		(void)refuse(in, open, "this single quote is never closed");
		w_suggest(in->err, "close it, or write \\' for the character");
		return WRIT_E_INVALID;
	}
	in->at++;
	return WRIT_OK;
}

static writ_status
read_double(struct splitter *in)
{
	size_t open = in->at++;

	for (;;) {
		take_until(in, "\"\\");
		if (in->at == in->len || in->at + 1 == in->len)
			break;
		if (in->text[in->at] == '"')
			break;

		char next = in->text[in->at + 1];
		if (strchr("$`\"\\\n", next) == NULL)
			w_buf_add_char(&in->word, '\\');
		if (next != '\n')
			w_buf_add_char(&in->word, next);
		in->at += 2;
	}
	if (in->at == in->len || in->text[in->at] != '"') {
		(void)refuse(in, open, "this double quote is never closed");
		w_suggest(in->err, "close it, or write \\\" for the character");
		return WRIT_E_INVALID;
	}
	in->at++;
	return WRIT_OK;
}

static writ_status
read_escape(struct splitter *in)
{
	if (in->at + 1 == in->len)
		return refuse(in, in->at, "nothing follows this backslash");
	if (in->text[in->at + 1] != '\n')
		w_buf_add_char(&in->word, in->text[in->at + 1]);
	in->at += 2;
	return WRIT_OK;
}

static writ_status
read_word(struct splitter *in)
{
	writ_status status = WRIT_OK;

	while (status == WRIT_OK && in->at < in->len) {
		take_until(in, " \t\n'\"\\");
		if (in->at == in->len || is_separator(in->text[in->at]))
			break;
		if (in->text[in->at] == '\'')
			status = read_single(in);
		else if (in->text[in->at] == '"')
			status = read_double(in);
		else
			status = read_escape(in);
	}
	return status;
}

static void
skip_between(struct splitter *in)
{
	while (in->at < in->len) {
		const char *at = in->text + in->at;

		if (is_separator(at[0]))
			in->at += 1;
		else if (in->len - in->at > 1 && at[0] == '\\' && at[1] == '\n')
			in->at += 2;
		else
			return;
	}
}

/* The memory stays, for the next word. */
static void
clear_word(struct splitter *in)
{
	if (in->word.cap > 0)
		in->word.data[0] = '\0';
	in->word.len = 0;
}

static writ_status
read_all(struct splitter *in, struct w_words *words)
{
	for (skip_between(in); in->at < in->len; skip_between(in)) {
		clear_word(in);
		writ_status status = read_word(in);
		if (status != WRIT_OK)
			return status;
		if (in->word.failed ||
		    !w_words_add(words, in->word.data, in->word.len))
			return w_fail_nomem(in->err, STAGE);
	}
	return WRIT_OK;
}

writ_status
w_words_split(
    const char *text, size_t len, struct w_words *out_words, writ_error *err)
{
	struct splitter in = {.text = text, .len = len, .err = err};
	struct w_words words = {0};

	const char *nul = len > 0 ? memchr(text, '\0', len) : NULL;
	if (nul != NULL)
		return refuse(&in, (size_t)(nul - text),
		    "a NUL byte cannot be in a command");

	w_buf_init(&in.word, len);
	writ_status status = read_all(&in, &words);
	w_buf_done(&in.word);
	if (status != WRIT_OK) {
		w_words_done(&words);
		return status;
	}
	*out_words = words;
	return WRIT_OK;
}
