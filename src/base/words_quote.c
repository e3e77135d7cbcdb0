/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Quotes words so that they can be pasted into a shell: the command that is
 * shown must be the command that runs. When in doubt, quotes.
 */

#include "base/words.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"

#define DIGITS "0123456789"
#define NAME_BYTES \
	DIGITS "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* Whether a shell would not read the bare word as a word: NAME=x before a
 * command sets a variable, and some shells expand =x. */
static bool
is_assignment(const char *word)
{
	size_t name_len = strspn(word, NAME_BYTES);

	if (word[name_len] == '+')
		name_len++;
	return word[name_len] == '=' && strchr(DIGITS, word[0]) == NULL;
}

static bool
is_reserved(const char *word)
{
	static const char *const reserved[] = {"case", "coproc", "do", "done",
	    "elif", "else", "esac", "fi", "for", "foreach", "function", "if",
	    "in", "select", "then", "time", "until", "while"};

	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++) {
		if (strcmp(word, reserved[i]) == 0)
			return true;
	}
	return false;
}

void
w_words_add_quoted(struct w_buf *buf, const char *text, size_t len)
{
	const char *quote;

	while (len > 0 && (quote = memchr(text, '\'', len)) != NULL) {
		const size_t plain = (size_t)(quote - text);

		w_buf_add(buf, text, plain);
		w_buf_add_str(buf, "'\\''");
		text += plain + 1;
		len -= plain + 1;
	}
	w_buf_add(buf, text, len);
}

void
w_words_quote(struct w_buf *buf, const char *word)
{
	const bool is_plain =
	    word[0] != '\0' &&
	    word[strspn(word, NAME_BYTES "@%+=:,./-")] == '\0' &&
	    !is_assignment(word) && !is_reserved(word);

	if (is_plain) {
		w_buf_add_str(buf, word);
		return;
	}
	w_buf_add_char(buf, '\'');
	w_words_add_quoted(buf, word, strlen(word));
	w_buf_add_char(buf, '\'');
}
