/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Words to text that can be pasted into a shell: what is shown of a command
 * must be that command. When in doubt, quotes.
 */

#include "base/words.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"

#define DIGITS "0123456789"
#define NAME_BYTES \
	DIGITS "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* Whether a shell reads the bare word as something else than a word: NAME=x
 * in front of a command sets a variable, and some shells look up =x. */
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

static bool
needs_quotes(const char *word)
{
	return word[0] == '\0' ||
	       word[strspn(word, NAME_BYTES "@%+=:,./-")] != '\0' ||
	       is_assignment(word) || is_reserved(word);
}

void
w_words_quote(struct w_buf *buf, const char *word)
{
	if (!needs_quotes(word)) {
		w_buf_add_str(buf, word);
		return;
	}

	w_buf_add_char(buf, '\'');
	for (;;) {
		size_t plain = strcspn(word, "'");

		w_buf_add(buf, word, plain);
		if (word[plain] == '\0')
			break;
		w_buf_add_str(buf, "'\\''");
		word += plain + 1;
	}
	w_buf_add_char(buf, '\'');
}
