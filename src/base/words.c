/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Splits command strings into words. Nothing is ever expanded.
 *
 * Only these bytes are special; all others, including UTF-8, are copied:
 *
 *   between words   space, tab and newline are skipped, and so is a backslash
 *                   with a newline after it; anything else begins a word
 *   in a word       space, tab, newline and the end finish it
 *                   '  opens single quotes, "  opens double quotes
 *                   \  makes the next byte literal; with a newline both go
 *   in '...'        everything is literal up to the next '
 *   in "..."        \ before $ ` " \ goes, before a newline both go, before
 *                   anything else both stay; the next plain " closes
 *
 * Quoted parts join with adjacent text, and '' alone is an empty word. A hash
 * sign does not start a comment. Quotes must be closed, a backslash outside
 * quotes must have something after it, and a NUL byte is an error, because no
 * argument can contain one.
 *
 * One state machine serves texts and templates: it is fed pieces of text, whose
 * bytes can be special, and values, whose bytes cannot.
 */

#include "base/words.h"

#include <stdlib.h>
#include <string.h>

#include "base/position.h"
#include "base/size.h"

#define STAGE "words"

enum state {
	BETWEEN, /* words */
	IN_WORD,
	IN_SINGLE,
	IN_DOUBLE
};

static writ_status
words_refuse(writ_error *err, const char *text, size_t where, const char *what)
{
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "%s", what);
	w_locate_offset(err, text, where);
	return WRIT_E_INVALID;
}

void
w_splitter_init(struct w_splitter *splitter, char *room)
{
	*splitter = (struct w_splitter){.out = room};
}

static void
words_put(struct w_splitter *in, const char *bytes, size_t len)
{
	if (len > 0)
		memcpy(in->out + in->len, bytes, len);
	in->len += len;
}

static void
put_char(struct w_splitter *in, char c)
{
	in->out[in->len++] = c;
}

static void
finish_word(struct w_splitter *in)
{
	put_char(in, '\0');
	in->count++;
	in->state = BETWEEN;
}

/* The byte after a backslash. */
static void
words_take_escaped(struct w_splitter *in, char c)
{
	in->is_escaped = false;
	if (in->state == IN_DOUBLE && strchr("$`\"\\\n", c) == NULL)
		put_char(in, '\\');
	if (c == '\n')
		return;
	if (in->state == BETWEEN)
		in->state = IN_WORD;
	put_char(in, c);
}

/* A byte that is special in the current state. */
static void
take_special(struct w_splitter *in, char c, size_t where)
{
	if (c == '\\') {
		in->is_escaped = true;
		in->escape_at = where;
	} else if (in->state == IN_SINGLE || in->state == IN_DOUBLE) {
		in->state = IN_WORD;
	} else if (c == '\'' || c == '"') {
		in->state = c == '"' ? IN_DOUBLE : IN_SINGLE;
		in->quote_at = where;
	} else if (in->state == IN_WORD) {
		finish_word(in);
	}
}

void
w_splitter_feed(
    struct w_splitter *in, const char *text, size_t len, size_t offset)
{
	static const char *const specials[] = {
	    [BETWEEN] = " \t\n'\"\\",
	    [IN_WORD] = " \t\n'\"\\",
	    [IN_SINGLE] = "'",
	    [IN_DOUBLE] = "\"\\",
	};

	for (size_t at = 0; at < len; at++) {
		if (in->is_escaped) {
			words_take_escaped(in, text[at]);
			continue;
		}
		size_t start = at;
		while (
		    at < len && strchr(specials[in->state], text[at]) == NULL)
			at++;
		words_put(in, text + start, at - start);
		if (at > start && in->state == BETWEEN)
			in->state = IN_WORD;
		if (at < len)
			take_special(in, text[at], offset + at);
	}
}

bool
w_splitter_value(struct w_splitter *in, const char *bytes, size_t len)
{
	if (in->is_escaped)
		return false;
	if (in->state == BETWEEN)
		in->state = IN_WORD;
	words_put(in, bytes, len);
	return true;
}

writ_status
w_splitter_end(struct w_splitter *in, const char *text, writ_error *err)
{
	const char *quote = in->state == IN_DOUBLE ? "\"" : "'";

	if (in->state == IN_SINGLE || in->state == IN_DOUBLE) {
		(void)words_refuse(err, text, in->quote_at,
		    in->state == IN_SINGLE
			? "this single quote is never closed"
			: "this double quote is never closed");
		w_suggest(
		    err, "close it, or write \\%s for the character", quote);
		return WRIT_E_INVALID;
	}
	if (in->is_escaped)
		return words_refuse(
		    err, text, in->escape_at, "nothing follows this backslash");
	if (in->state == IN_WORD)
		finish_word(in);
	return WRIT_OK;
}

static writ_status
list_words(const struct w_splitter *in, struct w_words *out_words)
{
	struct w_words words = {0};
	const char *at = in->out;

	for (size_t i = 0; i < in->count; i++) {
		size_t len = strlen(at);

		if (!w_words_add(&words, at, len)) {
			w_words_done(&words);
			return WRIT_E_NOMEM;
		}
		at += len + 1;
	}
	*out_words = words;
	return WRIT_OK;
}

writ_status
w_words_split(
    const char *text, size_t len, struct w_words *out_words, writ_error *err)
{
	struct w_splitter in;
	size_t size;
	const char *nul = len > 0 ? memchr(text, '\0', len) : NULL;

	if (nul != NULL)
		return words_refuse(err, text, (size_t)(nul - text),
		    "a NUL byte cannot be in a command");
	char *room = w_size_add(len, 1, &size) ? malloc(size) : NULL;
	if (room == NULL)
		return w_fail_nomem(err, STAGE);
	w_splitter_init(&in, room);
	w_splitter_feed(&in, text, len, 0);
	writ_status status = w_splitter_end(&in, text, err);
	if (status == WRIT_OK && list_words(&in, out_words) != WRIT_OK)
		status = w_fail_nomem(err, STAGE);
	free(room);
	return status;
}
