/* SPDX-License-Identifier: Apache-2.0 */

/*
 * String literals. In '…' and "…" a backslash escapes n t r b f v \ ' " ` /,
 * uXXXX and u{X…}; in `…` it is literal. No string contains a NUL.
 */

#include <string.h>

#include "base/hex.h"
#include "expr/parse/token.h"

#define CODE_MAX 0x10ffffU

struct unquoting {
	struct w_tokens *in;
	size_t at;
	size_t end; /* of the content */
	char *out;
	size_t len;
};

/* Writes UTF-8. An escape is never shorter than its character. */
static void
put_code(struct unquoting *text, uint32_t code)
{
	char *out = text->out + text->len;

	if (code < 0x80) {
		out[0] = (char)code;
		text->len += 1;
	} else if (code < 0x800) {
		out[0] = (char)(0xc0 | code >> 6);
		out[1] = (char)(0x80 | (code & 0x3f));
		text->len += 2;
	} else if (code < 0x10000) {
		out[0] = (char)(0xe0 | code >> 12);
		out[1] = (char)(0x80 | (code >> 6 & 0x3f));
		out[2] = (char)(0x80 | (code & 0x3f));
		text->len += 3;
	} else {
		out[0] = (char)(0xf0 | code >> 18);
		out[1] = (char)(0x80 | (code >> 12 & 0x3f));
		out[2] = (char)(0x80 | (code >> 6 & 0x3f));
		out[3] = (char)(0x80 | (code & 0x3f));
		text->len += 4;
	}
}

/* After \u: four digits, or any number in braces. */
static bool
read_code(struct unquoting *text, uint32_t *out_code)
{
	const char *source = text->in->text;
	bool has_braces = text->at < text->end && source[text->at] == '{';
	uint32_t code = 0;
	size_t digits = 0;

	text->at += has_braces ? 1 : 0;
	while (text->at < text->end && w_hex_digit(source[text->at]) >= 0 &&
	       code <= CODE_MAX && (has_braces || digits < 4)) {
		code = code << 4 | (uint32_t)w_hex_digit(source[text->at]);
		text->at++;
		digits++;
	}
	if (has_braces) {
		if (text->at == text->end || source[text->at] != '}')
			return false;
		text->at++;
	}
	*out_code = code;
	return (has_braces ? digits > 0 : digits == 4) && code != 0 &&
	       code <= CODE_MAX && (code < 0xd800 || code > 0xdfff);
}

static writ_status
read_escape(struct unquoting *text)
{
	static const char from[] = "ntrbfv\\'\"`/";
	static const char to[] = "\n\t\r\b\f\v\\'\"`/";
	size_t start = text->at;
	char c = text->in->text[start + 1];
	const char *found = memchr(from, c, sizeof(from) - 1);
	uint32_t code;

	text->at += 2;
	if (found != NULL) {
		text->out[text->len++] = to[found - from];
		return WRIT_OK;
	}
	if (c == 'u' && read_code(text, &code)) {
		put_code(text, code);
		return WRIT_OK;
	}
	(void)w_token_fail(text->in, start, "no such escape in a string");
	w_suggest(text->in->err,
	    "write \\\\ for a backslash, or `...` around the string");
	return WRIT_E_INVALID;
}

writ_status
w_token_unquote(struct w_tokens *in, struct w_token *token)
{
	struct unquoting text = {
	    .in = in, .at = token->at + 1, .end = token->at + token->len - 1};
	bool is_plain = in->text[token->at] == '`';
	writ_status status = WRIT_OK;

	text.out = w_arena_alloc(in->arena, token->len, 1);
	if (text.out == NULL)
		return w_fail_nomem(in->err, "expression");
	while (status == WRIT_OK && text.at < text.end) {
		if (in->text[text.at] == '\\' && !is_plain)
			status = read_escape(&text);
		else
			text.out[text.len++] = in->text[text.at++];
	}
	token->value = w_value_text(text.out, text.len);
	return status;
}
