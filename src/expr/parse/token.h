/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXPR_TOKEN_H
#define W_EXPR_TOKEN_H

#include "expr/value.h"

/* Tokens of an expression. */
enum w_token_kind {
	W_TOKEN_END,
	W_TOKEN_INTEGER, /* unsigned: magnitude */
	W_TOKEN_VALUE,   /* a float or a string: value */
	W_TOKEN_NAME,
	W_TOKEN_SIGN,
};

struct w_token {
	enum w_token_kind kind;
	size_t at; /* offset and length in the text */
	size_t len;
	uint64_t magnitude;
	struct w_value value;
};

struct w_tokens {
	struct w_arena *arena;
	const char *text;
	size_t at;
	size_t end;
	writ_error *err;
};

/* Reads the next token. */
writ_status w_token_next(struct w_tokens *in, struct w_token *out_token);

/* Whether the token is that name or sign, not a string. */
bool w_token_is(const struct w_tokens *in, const struct w_token *token,
    const char *spelling);

/* The end of a string that opens at text[at]: after its closing quote;
 * SIZE_MAX: unclosed. A backslash escapes in '…' and "…". */
size_t w_token_string_end(const char *text, size_t at, size_t end);

/* For token.c: decodes the string of a token. */
writ_status w_token_unquote(struct w_tokens *in, struct w_token *token);

/* Fails with a position. */
#define w_token_fail(in, where, ...)                                      \
	(w_fail((in)->err, WRIT_E_INVALID, "expression", 0, __VA_ARGS__), \
	    w_token_locate(in, where))
writ_status w_token_locate(const struct w_tokens *in, size_t where);

#endif /* W_EXPR_TOKEN_H */
