/* SPDX-License-Identifier: Apache-2.0 */

/*
 * From a place in a text to its place in the document.
 *
 * The text and what is written are walked through side by side: indentation is
 * passed over, a line end may be a blank, and an escape is one character. Where
 * they part, the place is that of the text's beginning.
 */

#include <string.h>

#include "manifest/manifest.h"

struct locating {
	const char *source;
	size_t len;
	size_t at;
	size_t line_start;
	unsigned line;
	size_t indent; /* of a block scalar; SIZE_MAX: any */
	char style;    /* | > " ' or 0: plain */
};

/* The offset in the text of a line and column, from 1. */
static size_t
offset_of(const char *text, unsigned line, unsigned column)
{
	const char *at = text;

	for (; line > 1 && at != NULL; line--) {
		at = strchr(at, '\n');
		if (at != NULL)
			at++;
	}
	if (at == NULL || column == 0 || strnlen(at, column - 1) < column - 1)
		return SIZE_MAX;
	return (size_t)(at - text) + column - 1;
}

static void
next_line(struct locating *in)
{
	in->at++;
	in->line++;
	in->line_start = in->at;
	for (size_t i = 0;
	     i < in->indent && in->at < in->len && in->source[in->at] == ' ';
	     i++)
		in->at++;
}

/* Behind the header of a block scalar: the first line with something in it has
 * the indentation. */
static bool
enter_block(struct locating *in)
{
	const char *end = memchr(in->source + in->at, '\n', in->len - in->at);

	if (end == NULL)
		return false;
	for (const char *c = in->source + in->at; c < end && *c != '#'; c++) {
		/* The indentation is written down, which is rare. */
		if (*c >= '1' && *c <= '9')
			return false;
	}
	size_t at = (size_t)(end - in->source) + 1;
	while (at < in->len) {
		const size_t blanks = strspn(in->source + at, " ");

		in->indent = blanks;
		if (in->source[at + blanks] != '\n')
			break;
		at += blanks + 1;
	}
	in->at = (size_t)(end - in->source);
	next_line(in);
	return true;
}

/* A character that is written as two. 0: it is not. */
static char
escaped(const struct locating *in)
{
	const char *at = in->source + in->at;

	if (in->at + 1 >= in->len)
		return 0;
	if (in->style == '\'' && at[0] == '\'' && at[1] == '\'')
		return '\'';
	if (in->style != '"' || at[0] != '\\')
		return 0;
	switch (at[1]) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case '"':
	case '\\':
	case '/':
		return at[1];
	default:
		return 0;
	}
}

/* One character of the text. */
static bool
follow(struct locating *in, char c)
{
	const char escape = escaped(in);

	if (escape != 0) {
		in->at += 2;
		return escape == c;
	}
	/* More line ends than the text has: lines are folded. */
	while (in->at < in->len && in->source[in->at] == '\n' &&
	       in->style != '|' && c != '\n' && c != ' ')
		next_line(in);
	if (in->at >= in->len)
		return false;
	if (in->source[in->at] == '\n' &&
	    (c == '\n' || (c == ' ' && in->style != '|'))) {
		next_line(in);
		return true;
	}
	if (in->source[in->at] != c)
		return false;
	in->at++;
	return true;
}

static bool
find_place(struct locating *in, const char *text, size_t target)
{
	const char first = in->at < in->len ? in->source[in->at] : 0;

	if (first == '|' || first == '>') {
		in->style = first;
		if (!enter_block(in))
			return false;
	} else if (first == '"' || first == '\'') {
		in->style = first;
		in->at++;
	}
	for (size_t i = 0; i < target; i++) {
		if (!follow(in, text[i]))
			return false;
	}
	return true;
}

void
w_manifest_locate(const struct w_manifest *manifest,
    const struct w_manifest_location *at, const char *text, writ_error *err)
{
	struct locating in = {
	    .at = at->offset, .line = at->line, .indent = SIZE_MAX};
	const size_t target = offset_of(text, err->line, err->column);

	in.source = w_yaml_text(manifest->yaml, &in.len);
	if (at->line == 0 || at->column == 0 || err->line == 0 ||
	    target == SIZE_MAX || at->column - 1 > at->offset ||
	    at->offset > in.len) {
		w_locate(err, at->line, at->column);
		return;
	}
	in.line_start = at->offset - (at->column - 1);
	if (find_place(&in, text, target))
		w_locate(err, in.line, (unsigned)(in.at - in.line_start) + 1);
	else
		w_locate(err, at->line, at->column);
}
