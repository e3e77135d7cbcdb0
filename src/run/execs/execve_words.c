/* SPDX-License-Identifier: Apache-2.0 */

/* Reads an argv from another process. */

#include "run/execs/execve_words.h"

#include <stdlib.h>
#include <string.h>

#include "run/denials/target.h"

enum {
	POINTERS_FIRST = 32, /* most commands have fewer words */
	POINTERS_MAX = PATH_MAX / sizeof(uint64_t),
	WORD_FIRST = 128, /* most words are shorter */
	WORDS_MAX = W_EXECVE_WORDS_BYTES / (sizeof(uint64_t) + 1)
};

/* Where reading stands. */
struct words_reader {
	struct w_execve_words *words;
	pid_t pid;
	size_t used; /* bytes of the text */
	size_t left; /* bytes that may still be read */
};

bool
w_execve_words_init(struct w_execve_words *words)
{
	*words = (struct w_execve_words){
	    .items = malloc((WORDS_MAX + 1) * sizeof(*words->items)),
	    .text = malloc(W_EXECVE_WORDS_BYTES),
	};
	if (words->items != NULL && words->text != NULL)
		return true;
	w_execve_words_done(words);
	return false;
}

void
w_execve_words_done(struct w_execve_words *words)
{
	free(words->items);
	free(words->text);
	*words = (struct w_execve_words){.items = NULL};
}

/* Takes one word. false: it does not fit, or cannot be read. */
static bool
take_word(struct words_reader *reader, uint64_t at)
{
	struct w_execve_words *words = reader->words;
	char *start = words->text + reader->used;
	size_t len = 0;

	for (size_t want = WORD_FIRST;; want = PATH_MAX) {
		if (want > reader->left)
			want = reader->left;
		const size_t got =
		    w_target_part(reader->pid, at + len, start + len, want);
		const char *end = memchr(start + len, '\0', got);

		if (end != NULL) {
			const size_t size = (size_t)(end - start) + 1;

			reader->left -= size - len;
			reader->used += size;
			words->items[words->count++] = start;
			return true;
		}
		len += got;
		reader->left -= got;
		if (got < want || reader->left == 0)
			return false;
	}
}

/* Whether there may be more words behind these. */
static bool
take_words(struct words_reader *reader, const uint64_t *pointers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (pointers[i] == 0)
			return false;
		if (reader->left > sizeof(uint64_t)) {
			reader->left -= sizeof(uint64_t);
			if (take_word(reader, pointers[i]))
				continue;
		}
		reader->words->is_truncated = true;
		return false;
	}
	return true;
}

void
w_execve_words_read(struct w_execve_words *words, pid_t pid, uint64_t at)
{
	struct words_reader reader = {
	    .words = words, .pid = pid, .left = W_EXECVE_WORDS_BYTES};
	uint64_t pointers[POINTERS_MAX];
	size_t want = POINTERS_FIRST;
	bool goes_on = at != 0;

	words->count = 0;
	words->is_truncated = false;
	while (goes_on) {
		const size_t got =
		    w_target_part(pid, at, pointers, want * sizeof(*pointers)) /
		    sizeof(*pointers);

		goes_on = take_words(&reader, pointers, got);
		/* The end of a mapping in the middle: the kernel will fail. */
		if (goes_on && got < want) {
			words->is_truncated = true;
			goes_on = false;
		}
		at += got * sizeof(*pointers);
		want = POINTERS_MAX;
	}
	words->items[words->count] = NULL;
}
