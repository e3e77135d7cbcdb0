/* SPDX-License-Identifier: Apache-2.0 */

/* Formats a word of a command for people. */

#include <string.h>

#include "base/printable.h"
#include "base/words.h"

/* More than the words of a command can have. */
#define WORD_MAX ((size_t)64 << 20)

/* Doubles backslashes within $'...', so that one of the word cannot be taken
 * for one of an escape. */
static void
printable_word_add_escaped(struct w_buf *buf, const char *word)
{
	W_AUTO_BUF struct w_buf doubled;

	w_buf_init(&doubled, WORD_MAX);
	for (const char *c = word; *c != '\0'; c++) {
		if (*c == '\\' || *c == '\'')
			w_buf_add_char(&doubled, '\\');
		w_buf_add_char(&doubled, *c);
	}
	w_buf_add_str(buf, "$'");
	(void)w_printable_add(buf, doubled.data, 0);
	w_buf_add_char(buf, '\'');
	buf->failed = buf->failed || doubled.failed;
}

void
w_printable_add_word(struct w_buf *buf, const char *word)
{
	W_AUTO_BUF struct w_buf shown;

	w_buf_init(&shown, WORD_MAX);
	(void)w_printable_add(&shown, word, 0);
	if (strcmp(shown.data, word) == 0)
		w_words_quote(buf, word);
	else
		printable_word_add_escaped(buf, word);
	buf->failed = buf->failed || shown.failed;
}
