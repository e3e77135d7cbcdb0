/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_SHELL_UNQUOTER_H
#define W_COMMAND_SHELL_UNQUOTER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The words of a text for a shell, each with the place of every byte: quotes
 * and backslashes are taken away, whatever else the shell would make of it.
 */
struct w_shell_unquoter {
	const char *text;
	const char *between; /* bytes that part words */
	size_t at;
	size_t end;
	size_t start;   /* of the word in the text; it ends at `at` */
	char *bytes;    /* of the word; room for end - at */
	size_t *places; /* of its bytes in the text; likewise */
	size_t len;
};

/* false: there is none any more. */
bool w_shell_unquoter_next(struct w_shell_unquoter *unquoter);

#endif /* W_COMMAND_SHELL_UNQUOTER_H */
