/* SPDX-License-Identifier: Apache-2.0 */

/*
 * jq filters. They compute, read their input and the environment, and print;
 * their only other effect is to import modules, which are files.
 */

#include "command/script/script_reader.h"

#include <string.h>

#include "base/ascii.h"
#include "command/grammar/effect.h"

/* Nesting of interpolations in strings. */
#define DEPTH_MAX 64

struct jq {
	struct w_script_reader *in;
	size_t parens[DEPTH_MAX]; /* open ones in each interpolation */
	size_t depth;
};

/* Continues a string, up to its end or an interpolation. */
static writ_status
script_jq_read_string(struct jq *jq)
{
	struct w_script_reader *in = jq->in;
	size_t open = in->at;

	for (; in->at < in->len; in->at++) {
		if (in->text[in->at] == '"') {
			in->at++;
			return WRIT_OK;
		}
		if (in->text[in->at] != '\\')
			continue;
		in->at++;
		if (w_script_peek(in, 0) != '(')
			continue;
		if (jq->depth == DEPTH_MAX)
			return w_script_refuse(
			    in, in->at, "its strings are too deep");
		jq->parens[jq->depth++] = 0;
		in->at++;
		return WRIT_OK;
	}
	return w_script_refuse(in, open, "a string is never closed");
}

/* Releases differ on whether a backslash continues a comment. */
static writ_status
skip_comment(struct w_script_reader *in)
{
	while (in->at < in->len && in->text[in->at] != '\n') {
		if (w_script_is_one_of(in->text[in->at], "\\\r"))
			return w_script_refuse(
			    in, in->at, "where this comment ends is not clear");
		in->at++;
	}
	return WRIT_OK;
}

static writ_status
script_jq_read_name(struct w_script_reader *in)
{
	static const char *const readers[] = {
	    "import", "include", "modulemeta"};
	size_t start = in->at;

	while (w_is_name_start(w_script_peek(in, 0)) ||
	       w_is_digit(w_script_peek(in, 0)))
		in->at++;
	if (start > 0 && w_script_is_one_of(in->text[start - 1], ".$@"))
		return WRIT_OK;
	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
		if (strlen(readers[i]) == in->at - start &&
		    memcmp(readers[i], in->text + start, in->at - start) == 0)
			return w_script_touches(in, W_EFFECT_READ, NULL, 0);
	}
	return WRIT_OK;
}

/* A parenthesis; the last one of an interpolation returns to its string. */
static writ_status
read_parenthesis(struct jq *jq, char c)
{
	if (jq->depth == 0)
		return WRIT_OK;
	size_t *open = &jq->parens[jq->depth - 1];
	if (c == '(') {
		++*open;
		return WRIT_OK;
	}
	if (*open > 0) {
		--*open;
		return WRIT_OK;
	}
	jq->depth--;
	return script_jq_read_string(jq);
}

writ_status
w_script_read_jq(struct w_script_reader *in)
{
	struct jq jq = {.in = in};
	writ_status status = WRIT_OK;

	while (status == WRIT_OK && in->at < in->len) {
		char c = in->text[in->at];

		if (w_is_name_start(c)) {
			status = script_jq_read_name(in);
			continue;
		}
		if (c == '#') {
			status = skip_comment(in);
			continue;
		}
		in->at++;
		if (c == '"')
			status = script_jq_read_string(&jq);
		else if (c == '(' || c == ')')
			status = read_parenthesis(&jq, c);
	}
	if (status == WRIT_OK && jq.depth > 0)
		return w_script_refuse(in, in->len, "a string is never closed");
	return status;
}
