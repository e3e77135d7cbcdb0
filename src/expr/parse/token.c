/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Splits an expression into tokens: names, numbers, strings and signs. Blanks
 * and line breaks only separate them; there are no comments.
 */

#include "expr/parse/token.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/position.h"

#define NUMBER_LEN_MAX 64

writ_status
w_token_locate(const struct w_tokens *in, size_t where)
{
	w_locate_offset(in->err, in->text, where);
	return WRIT_E_INVALID;
}

bool
w_token_is(const struct w_tokens *in, const struct w_token *token,
    const char *spelling)
{
	return (token->kind == W_TOKEN_NAME || token->kind == W_TOKEN_SIGN) &&
	       strlen(spelling) == token->len &&
	       memcmp(in->text + token->at, spelling, token->len) == 0;
}

static bool
token_is_name_byte(char c)
{
	return c == '_' || w_is_digit(c) || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

static char
byte_at(const struct w_tokens *in, size_t at)
{
	return at < in->end ? in->text[at] : '\0';
}

/* ---- numbers ---- */

/* Length of the number, including letters: 12ab is one invalid number. */
static size_t
number_len(const struct w_tokens *in)
{
	size_t at = in->at;
	bool is_hex = byte_at(in, at) == '0' && byte_at(in, at + 1) == 'x';

	for (;; at++) {
		char c = byte_at(in, at);
		bool is_exponent =
		    at > in->at && !is_hex &&
		    (in->text[at - 1] == 'e' || in->text[at - 1] == 'E');

		if (c == '.' && !w_is_digit(byte_at(in, at + 1)))
			break;
		if ((c == '+' || c == '-') && !is_exponent)
			break;
		if (c != '.' && c != '+' && c != '-' && !token_is_name_byte(c))
			break;
	}
	return at - in->at;
}

static int
base_of(const char *digits)
{
	if (digits[0] != '0')
		return 10;
	if (digits[1] == 'x')
		return 16;
	if (digits[1] == 'o')
		return 8;
	return digits[1] == 'b' ? 2 : 10;
}

static bool
read_integer(const char *digits, struct w_token *token)
{
	int base = base_of(digits);
	const char *from = base == 10 ? digits : digits + 2;
	char *end;

	errno = 0;
	token->kind = W_TOKEN_INTEGER;
	token->magnitude = strtoull(from, &end, base);
	return *from != '\0' && token_is_name_byte(*from) && *end == '\0' &&
	       errno == 0;
}

static bool
read_float(const char *digits, struct w_token *token)
{
	char *end;

	if (digits[strspn(digits, "0123456789.eE+-")] != '\0')
		return false;
	token->kind = W_TOKEN_VALUE;
	token->value = (struct w_value){
	    .kind = W_VALUE_FLOAT, .as.number = strtod(digits, &end)};
	return *end == '\0' && isfinite(token->value.as.number);
}

static writ_status
token_read_number(struct w_tokens *in, struct w_token *token)
{
	char digits[NUMBER_LEN_MAX + 1];
	size_t len = 0;

	token->len = number_len(in);
	for (size_t i = 0; i < token->len && len < NUMBER_LEN_MAX; i++) {
		if (in->text[in->at + i] != '_')
			digits[len++] = in->text[in->at + i];
	}
	digits[len] = '\0';
	bool is_whole = base_of(digits) != 10 || strpbrk(digits, ".eE") == NULL;
	bool is_read =
	    is_whole ? read_integer(digits, token) : read_float(digits, token);
	if (!is_read || len == NUMBER_LEN_MAX)
		return w_token_fail(in, in->at,
		    "'%.*s' is not a number, or is too large",
		    (int)(token->len < 40 ? token->len : 40),
		    in->text + in->at);
	return WRIT_OK;
}

/* ---- strings and signs ---- */

size_t
w_token_string_end(const char *text, size_t at, size_t end)
{
	char quote = text[at];

	for (at++; at < end; at++) {
		if (text[at] == quote)
			return at + 1;
		if (text[at] == '\\' && quote != '`')
			at++;
	}
	return SIZE_MAX;
}

static writ_status
token_read_string(struct w_tokens *in, struct w_token *token)
{
	size_t end = w_token_string_end(in->text, in->at, in->end);

	if (end == SIZE_MAX)
		return w_token_fail(in, in->at, "this quote is never closed");
	token->kind = W_TOKEN_VALUE;
	token->len = end - in->at;
	return w_token_unquote(in, token);
}

static size_t
sign_len(const struct w_tokens *in)
{
	static const char pairs[][3] = {
	    "?.", "??", "==", "!=", "<=", ">=", "&&", "||", "**", ".."};
	const char *at = in->text + in->at;

	/* In x ?.5 : 1 the dot belongs to the number. */
	if (at[0] == '?' && byte_at(in, in->at + 1) == '.' &&
	    w_is_digit(byte_at(in, in->at + 2)))
		return 1;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (in->end - in->at >= 2 && memcmp(at, pairs[i], 2) == 0)
			return 2;
	}
	return at[0] != '\0' &&
	       strchr("()[]{},:.?+-*/%^<>!#|;=", at[0]) != NULL;
}

static writ_status
read_sign(struct w_tokens *in, struct w_token *token)
{
	char c = in->text[in->at];

	token->kind = W_TOKEN_SIGN;
	token->len = sign_len(in);
	if (token->len > 0)
		return WRIT_OK;
	if ((unsigned char)c <= ' ' || (unsigned char)c >= 0x7f)
		return w_token_fail(
		    in, in->at, "a byte that cannot be in an expression");
	(void)w_token_fail(in, in->at, "unexpected '%c'", c);
	if (c == '&')
		w_suggest(in->err, "write '&&' for 'and'");
	return WRIT_E_INVALID;
}

writ_status
w_token_next(struct w_tokens *in, struct w_token *out_token)
{
	struct w_token token = {.kind = W_TOKEN_END};
	writ_status status = WRIT_OK;

	while (in->at < in->end && in->text[in->at] != '\0' &&
	       strchr(" \t\r\n", in->text[in->at]) != NULL)
		in->at++;
	token.at = in->at;
	char c = byte_at(in, in->at);
	if (in->at == in->end) {
		token.len = 0;
	} else if (w_is_digit(c) ||
		   (c == '.' && w_is_digit(byte_at(in, in->at + 1)))) {
		status = token_read_number(in, &token);
	} else if (token_is_name_byte(c)) {
		token.kind = W_TOKEN_NAME;
		while (token_is_name_byte(byte_at(in, token.at + token.len)))
			token.len++;
	} else if (c == '\'' || c == '"' || c == '`') {
		status = token_read_string(in, &token);
	} else {
		status = read_sign(in, &token);
	}
	if (status != WRIT_OK)
		return status;
	in->at += token.len;
	*out_token = token;
	return WRIT_OK;
}
