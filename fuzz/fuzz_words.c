/* SPDX-License-Identifier: Apache-2.0 */

/* Command strings: splitting, quoting and splitting again gives the same
 * words; any word, quoted, is one word. */

#include "base/words.h"

#include "base/buf.h"
#include "check.h"

/* Quoting can make four bytes of one, and two around it. */
static void
init_for(struct w_buf *buf, size_t size)
{
	w_buf_init(buf, 4 * size + 8);
}

static void
check_word(const char *word)
{
	W_AUTO_BUF struct w_buf buf;
	W_AUTO_WORDS struct w_words words = {0};

	init_for(&buf, strlen(word));
	w_words_quote(&buf, word);
	CHECK(!buf.failed);
	CHECK(w_words_split(buf.data, buf.len, &words, NULL) == WRIT_OK);
	CHECK(words.count == 1);
	CHECK(strcmp(words.items[0], word) == 0);
}

static void
check_stable(const struct w_words *words, size_t size)
{
	W_AUTO_BUF struct w_buf buf;
	W_AUTO_WORDS struct w_words again = {0};

	/* Each word took at least a byte of the input, and a blank here. */
	init_for(&buf, 2 * size);
	for (size_t i = 0; i < words->count; i++) {
		w_words_quote(&buf, words->items[i]);
		w_buf_add_char(&buf, i % 2 == 0 ? ' ' : '\n');
	}
	CHECK(!buf.failed);
	CHECK(w_words_split(buf.data, buf.len, &again, NULL) == WRIT_OK);
	CHECK(again.count == words->count);
	for (size_t i = 0; i < words->count; i++)
		CHECK(strcmp(again.items[i], words->items[i]) == 0);
	CHECK(words->items == NULL || words->items[words->count] == NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Without a NUL behind it: the length alone must end the text. */
	char *exact = copy_exact(data, size);
	W_AUTO_WORDS struct w_words words = {0};
	writ_error err;
	writ_status status = w_words_split(exact, size, &words, &err);
	if (status == WRIT_OK) {
		CHECK(size == 0 || memchr(exact, '\0', size) == NULL);
		check_stable(&words, size);
	} else {
		CHECK(status == WRIT_E_INVALID);
		CHECK(words.count == 0 && words.items == NULL);
		CHECK(err.line > 0 && err.column > 0 && err.column <= size);
		check_error(&err, status);
	}
	free(exact);

	char *word = copy_string(data, size);
	check_word(word);
	free(word);
	return 0;
}
