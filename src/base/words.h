/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_WORDS_H
#define W_BASE_WORDS_H

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

struct w_buf;

/* Appends one word, quoted so that w_words_split() and a shell both read it
 * back as it was. */
void w_words_quote(struct w_buf *buf, const char *word);

#endif /* W_BASE_WORDS_H */
