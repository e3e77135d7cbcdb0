/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_WORDS_H
#define W_BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * A NULL-ended list of strings that owns its elements. An empty list may have
 * items == NULL.
 */
struct w_words {
	char **items;
	size_t count;
	size_t cap;
};

void w_words_done(struct w_words *words);
#define W_AUTO_WORDS __attribute__((cleanup(w_words_done)))

/* Appends a copy. false: no memory, list unchanged. */
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
 * parts of words whatever is in them. Words lie in the room behind each other,
 * each with a NUL: it must have as many bytes as all pieces and values
 * together, and one more.
 */
struct w_splitter {
	char *out;
	size_t len;   /* of what was written */
	size_t count; /* of the words that are finished */
	int state;
	bool is_escaped; /* by a backslash at escape_at */
	size_t escape_at;
	size_t quote_at;
};

void w_splitter_init(struct w_splitter *splitter, char *room);

/* A piece without a NUL that stands at that offset of the whole text. */
void w_splitter_feed(
    struct w_splitter *splitter, const char *text, size_t len, size_t offset);

/* false: the value stands behind a backslash, which cannot mean anything. */
bool w_splitter_value(
    struct w_splitter *splitter, const char *bytes, size_t len);

/* Finishes the last word; errors as those of w_words_split(). */
writ_status w_splitter_end(
    struct w_splitter *splitter, const char *text, writ_error *err);

struct w_buf;

/* Appends one word, quoted so that w_words_split() and a shell both read it
 * back as it was. */
void w_words_quote(struct w_buf *buf, const char *word);

#endif /* W_BASE_WORDS_H */
