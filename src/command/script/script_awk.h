/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_SCRIPT_AWK_H
#define W_COMMAND_SCRIPT_AWK_H

#include "base/buf.h"
#include "command/script/script_reader.h"

/* The tokens of an awk program. */
enum w_awk_kind {
	W_AWK_END, /* the end of the program, and what precedes its first token
		    */
	W_AWK_NEWLINE,
	W_AWK_NAME, /* also keywords and functions */
	W_AWK_NUMBER,
	W_AWK_STRING, /* text excludes its quotes */
	W_AWK_REGEX,
	W_AWK_OPERATOR,
};

struct w_awk_token {
	enum w_awk_kind kind;
	size_t at;
	size_t len;
	bool has_escapes; /* of a string */
	bool is_heading;  /* a parenthesis that closes the head of an if, while,
			     for or switch */
};

/* Appends all tokens of the program, and one W_AWK_END, to the buffer. */
writ_status w_awk_read_tokens(struct w_script_reader *in, struct w_buf *tokens);

/* Whether the token is that word or operator. */
bool w_awk_is(const struct w_script_reader *in, const struct w_awk_token *token,
    const char *word);

#endif /* W_COMMAND_SCRIPT_AWK_H */
