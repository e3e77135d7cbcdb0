/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_SHELL_UNQUOTER_H
#define W_COMMAND_SHELL_UNQUOTER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Iterates over the words of a shell text, with the place of every byte. Quotes
 * and backslashes are removed; expansions are ignored.
 */
struct w_shell_unquoter {
	const char *text;
	const char *between; /* bytes that separate words */
	size_t at;
	size_t end;
	size_t start;   /* of the word in the text; it ends at `at` */
	char *bytes;    /* of the word; room for end - at */
	size_t *places; /* of its bytes in the text; likewise */
	size_t len;
};

/* false: no more words. */
bool w_shell_unquoter_next(struct w_shell_unquoter *unquoter);

#endif /* W_COMMAND_SHELL_UNQUOTER_H */
