/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_WORDS_H
#define W_BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * A NULL-ended list of strings that owns its elements. In an empty list items
 * may be NULL.
 */
struct w_words {
	char **items;
	size_t count;
	size_t cap;
};

void w_words_done(struct w_words *words);
#define W_AUTO_WORDS __attribute__((cleanup(w_words_done)))

/* Appends a copy. false: no memory, and the list is unchanged. */
int w_words_add(struct w_words *words, const char *text, size_t len);

/*
 * Splits a command string by POSIX quoting rules, without any expansion; the
 * rules are in words.c. *out_words is written only on success. An unfinished
 * quote or escape and a NUL byte are WRIT_E_INVALID with the column.
 */
writ_status w_words_split(
    const char *text, size_t len, struct w_words *out_words, writ_error *err);

/*
 * The same for a text that comes in pieces, with values between them that are
 * taken literally. The words are stored in room one after the other, each with
 * a NUL: it must have as many bytes as all pieces and values together, plus
 * one.
 */
struct w_splitter {
	char *out;
	size_t len;   /* bytes written */
	size_t count; /* complete words */
	int state;
	bool is_escaped; /* by a backslash at escape_at */
	size_t escape_at;
	size_t quote_at;
};

void w_splitter_init(struct w_splitter *splitter, char *room);

/* Feeds a piece without NULs; offset is its position in the whole text. */
void w_splitter_feed(
    struct w_splitter *in, const char *text, size_t len, size_t offset);

/* Feeds a literal value. false: it follows a backslash, which is
 * meaningless. */
bool w_splitter_value(struct w_splitter *in, const char *bytes, size_t len);

/* Ends the last word; fails like w_words_split(). */
writ_status w_splitter_end(
    struct w_splitter *in, const char *text, writ_error *err);

struct w_buf;

/* Appends one word, quoted so that w_words_split() and a shell both read it
 * back unchanged. */
void w_words_quote(struct w_buf *buf, const char *word);

/* Appends text as it stands between single quotes in a shell. */
void w_words_add_quoted(struct w_buf *buf, const char *text, size_t len);

#endif /* W_BASE_WORDS_H */
