/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_SHELL_WORD_H
#define W_COMMAND_SHELL_WORD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* A shell string while it is read. */
struct w_shell_input {
	const char *text;
	size_t len;
	size_t at;
	char *out;    /* where the bytes of the next word go: words and their
			 NULs never need more than len + 1 bytes */
	size_t fault; /* where it becomes opaque */
	writ_error *err;
};

struct w_shell_word {
	const char *text;
	size_t len;
	size_t offset;
	size_t bare_len; /* how long it is before the first quoted byte */
	size_t name_len; /* it is NAME=value, with a name of this length; 0: it
			    is not */
	bool is_plain;   /* nothing in it was quoted, escaped or continued */
	bool is_quoted;  /* something was quoted or escaped */
};

/* Fails: the string is opaque from there on. */
writ_status w_shell_refuse(
    struct w_shell_input *in, size_t where, const char *why);

/* The byte there; NUL: the end. */
char w_shell_peek(const struct w_shell_input *in, size_t ahead);

/* Skips to the start of the next word or operator. */
void w_shell_skip_blanks(struct w_shell_input *in);

/* Reads a word, which may be empty only if quoted. At an operator or the end:
 * WRIT_OK and a NULL text. */
writ_status w_shell_read_word(
    struct w_shell_input *in, struct w_shell_word *out_word);

#endif /* W_COMMAND_SHELL_WORD_H */
