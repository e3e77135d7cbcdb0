/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Formats YAML line by line: each line that begins a node gets its place by the
 * levels above it, and those that continue a text or a flow collection move
 * with it. What is hard to tell apart need not be told apart here: a result
 * that means something else is refused at the end.
 */

#include "data/yaml_format.h"

#include <string.h>

#include "data/yaml.h"
#include "data/yaml_same.h"

#define STAGE      "format"
#define LEVELS_MAX (2 * W_YAML_DEPTH_MAX + 2)
#define STEP       2
#define PASSES_MAX 4

struct yaml_level {
	size_t was; /* column */
	size_t is;
	bool is_list;
};

/* How a line's value goes on in the next ones. */
enum yaml_rest {
	REST_NONE,  /* it has children, or ends here */
	REST_PLAIN, /* deeper lines belong to the text */
	REST_BLOCK, /* | and > */
	REST_OPEN,  /* quotes or brackets are not closed */
};

struct yaml_formatter {
	const char *text;
	size_t len;
	size_t at;
	struct w_buf *out;
	struct yaml_level levels[LEVELS_MAX];
	size_t depth;
	bool is_too_deep;
	/* The value at hand. */
	enum yaml_rest rest;
	bool keeps_blanks; /* |+ */
	size_t parent;     /* lines that are deeper belong to it */
	long shift;
	char quote; /* open; '\0': none */
	size_t brackets;
	/* Comments wait for the line that they are about. */
	size_t comments; /* where they begin; SIZE_MAX: none */
	bool has_blank;
	bool is_commenting; /* comments were just read */
	size_t next_indent; /* of what follows them */
	bool is_gap;        /* empty lines in a block were just read */
	bool ends_block;    /* they do not belong to it */
};

struct yaml_line {
	const char *text;
	size_t len;
	size_t indent;
};

/* ---- lines ---- */

static bool
next_line(struct yaml_formatter *in, struct yaml_line *out_line)
{
	const char *from = in->text + in->at;
	const char *end;

	if (in->at >= in->len)
		return false;
	end = memchr(from, '\n', in->len - in->at);
	size_t len = end == NULL ? in->len - in->at : (size_t)(end - from);
	in->at += len + (end != NULL);
	if (len > 0 && from[len - 1] == '\r')
		len--;
	*out_line = (struct yaml_line){.text = from, .len = len};
	while (out_line->indent < len && from[out_line->indent] == ' ')
		out_line->indent++;
	return true;
}

static size_t
trimmed_len(const char *text, size_t len)
{
	while (len > 0 && (text[len - 1] == ' ' || text[len - 1] == '\t'))
		len--;
	return len;
}

static void
put_blanks(struct w_buf *out, size_t count)
{
	while (count-- > 0)
		w_buf_add_char(out, ' ');
}

/* ---- what a line's text is ---- */

static bool
is_dash(const char *text, size_t len)
{
	return len > 0 && text[0] == '-' &&
	       (len == 1 || text[1] == ' ' || text[1] == '\t');
}

/* Behind a quoted text, or `len` if it is not closed. */
static size_t
skip_quoted(const char *text, size_t at, size_t len, char quote)
{
	for (; at < len; at++) {
		if (quote == '"' && text[at] == '\\') {
			at++;
		} else if (text[at] == quote) {
			if (quote == '"' || at + 1 >= len ||
			    text[at + 1] != '\'')
				return at + 1;
			at++;
		}
	}
	return len + 1;
}

/* Where the key ends, at its colon; len: there is none. */
static size_t
key_end(const char *text, size_t len)
{
	size_t at = 0;

	if (len > 0 && (text[0] == '"' || text[0] == '\'')) {
		at = skip_quoted(text, 1, len, text[0]);
		return at < len && text[at] == ':' &&
			       (at + 1 == len || text[at + 1] == ' ')
			   ? at
			   : len;
	}
	if (len == 0 || strchr("[{|>#&*!%@`", text[0]) != NULL)
		return len;
	for (; at < len; at++) {
		if (text[at] == ':' && (at + 1 == len || text[at + 1] == ' '))
			return at;
		if (text[at] == '#' && at > 0 && text[at - 1] == ' ')
			break;
	}
	return len;
}

/* ---- values over several lines ---- */

/* Follows quotes and brackets to the end of a line. */
static void
follow_flow(struct yaml_formatter *in, const char *text, size_t len)
{
	size_t at = 0;
	bool may_quote = true;

	while (at < len) {
		const char c = text[at];

		if (in->quote != '\0') {
			at = skip_quoted(text, at, len, in->quote);
			if (at > len)
				return;
			in->quote = '\0';
			may_quote = false;
			continue;
		}
		if (c == '#' && (at == 0 || text[at - 1] == ' '))
			return;
		if ((c == '"' || c == '\'') && may_quote)
			in->quote = c;
		else if (c == '[' || c == '{')
			in->brackets++;
		else if ((c == ']' || c == '}') && in->brackets > 0)
			in->brackets--;
		if (c != ' ')
			may_quote = strchr("[{,:", c) != NULL;
		at++;
	}
}

static void
judge_value(struct yaml_formatter *in, const char *text, size_t len)
{
	in->rest = REST_NONE;
	in->quote = '\0';
	in->brackets = 0;
	if (len == 0 || text[0] == '#')
		return;
	if (text[0] == '|' || text[0] == '>') {
		in->rest = REST_BLOCK;
		in->keeps_blanks = memchr(text, '+', len) != NULL;
		return;
	}
	if (strchr("\"'[{", text[0]) == NULL) {
		in->rest = REST_PLAIN;
		return;
	}
	follow_flow(in, text, len);
	if (in->quote != '\0' || in->brackets > 0)
		in->rest = REST_OPEN;
}

/* ---- levels ---- */

static struct yaml_level *
push_level(struct yaml_formatter *in, size_t was, bool is_list)
{
	const size_t is =
	    in->depth == 0 ? 0 : in->levels[in->depth - 1].is + STEP;

	if (in->depth == LEVELS_MAX) {
		in->is_too_deep = true;
		return &in->levels[LEVELS_MAX - 1];
	}
	in->levels[in->depth] =
	    (struct yaml_level){.was = was, .is = is, .is_list = is_list};
	return &in->levels[in->depth++];
}

/* The level of a line that begins a node at that column. */
static const struct yaml_level *
find_level(struct yaml_formatter *in, size_t was, bool is_list)
{
	while (in->depth > 0 &&
	       (in->levels[in->depth - 1].was > was ||
		   (in->levels[in->depth - 1].was == was &&
		       in->levels[in->depth - 1].is_list && !is_list)))
		in->depth--;
	if (in->depth > 0 && in->levels[in->depth - 1].was == was &&
	    in->levels[in->depth - 1].is_list == is_list)
		return &in->levels[in->depth - 1];
	return push_level(in, was, is_list);
}

/* ---- writing ---- */

static void
put_comment(
    struct yaml_formatter *in, const struct yaml_line *line, size_t column)
{
	const size_t len = trimmed_len(line->text, line->len);

	if (in->has_blank && in->out->len > 0)
		w_buf_add_char(in->out, '\n');
	in->has_blank = false;
	put_blanks(in->out, column);
	w_buf_add(in->out, line->text + line->indent, len - line->indent);
	w_buf_add_char(in->out, '\n');
}

/* Comments and an empty line that stand before a line. */
static void
flush_before(struct yaml_formatter *in, size_t column)
{
	const size_t end = in->at;
	struct yaml_line line;

	if (in->comments == SIZE_MAX) {
		if (in->has_blank && in->out->len > 0)
			w_buf_add_char(in->out, '\n');
		in->has_blank = false;
		return;
	}
	const size_t until = in->comments;
	in->at = until;
	in->comments = SIZE_MAX;
	in->has_blank = false;
	while (in->at < end && next_line(in, &line)) {
		const size_t len = trimmed_len(line.text, line.len);

		if (len == 0) {
			in->has_blank = true;
			continue;
		}
		if (line.text[line.indent] != '#')
			break;
		put_comment(in, &line, column);
	}
	if (in->has_blank && in->out->len > 0)
		w_buf_add_char(in->out, '\n');
	in->has_blank = false;
	in->at = end;
}

/* A line of a text or a flow collection that goes on. */
static void
put_moved(struct yaml_formatter *in, const struct yaml_line *line, bool trims)
{
	const long column = (long)line->indent + in->shift;
	const size_t len =
	    trims ? trimmed_len(line->text, line->len) : line->len;

	if (len > line->indent || !trims)
		put_blanks(in->out, column > 0 ? (size_t)column : 0);
	if (len > line->indent)
		w_buf_add(
		    in->out, line->text + line->indent, len - line->indent);
	w_buf_add_char(in->out, '\n');
}

/* A key has one blank behind its colon. */
static void
put_content(struct yaml_formatter *in, const char *text, size_t len)
{
	const size_t key = key_end(text, len);
	size_t value = key == len ? 0 : key + 1;

	while (value < len && text[value] == ' ')
		value++;
	if (key < len) {
		w_buf_add(in->out, text, key + 1);
		/* A comment stays where it is. */
		if (value < len && text[value] == '#')
			put_blanks(in->out, value - key - 1);
		else if (value < len)
			w_buf_add_char(in->out, ' ');
	}
	w_buf_add(in->out, text + value, len - value);
	w_buf_add_char(in->out, '\n');
	judge_value(in, text + value, len - value);
}

/* A line that begins a node. */
static void
put_node(struct yaml_formatter *in, const struct yaml_line *line)
{
	const char *text = line->text + line->indent;
	size_t len = trimmed_len(line->text, line->len) - line->indent;
	size_t was = line->indent;
	const struct yaml_level *level =
	    find_level(in, was, is_dash(text, len));

	flush_before(in, level->is);
	put_blanks(in->out, level->is);
	while (level->is_list) {
		size_t skip = 1;

		while (skip < len && text[skip] == ' ')
			skip++;
		in->parent = was;
		in->shift = (long)level->is - (long)was;
		w_buf_add_char(in->out, '-');
		if (skip == len) {
			w_buf_add_char(in->out, '\n');
			in->rest = REST_NONE;
			return;
		}
		w_buf_add_char(in->out, ' ');
		text += skip;
		len -= skip;
		was += skip;
		if (key_end(text, len) == len && !is_dash(text, len)) {
			w_buf_add(in->out, text, len);
			w_buf_add_char(in->out, '\n');
			judge_value(in, text, len);
			return;
		}
		level = push_level(in, was, is_dash(text, len));
	}
	in->parent = was;
	in->shift = (long)level->is - (long)was;
	put_content(in, text, len);
}

/* ---- what a line belongs to ---- */

static bool
goes_on(const struct yaml_formatter *in, const struct yaml_line *line,
    bool is_blank)
{
	switch (in->rest) {
	case REST_NONE:
		return false;
	case REST_OPEN:
		return true;
	case REST_BLOCK:
		return is_blank || line->indent > in->parent;
	case REST_PLAIN:
		return !is_blank && line->indent > in->parent &&
		       line->text[line->indent] != '#';
	}
	return false;
}

/* Empty lines at the end of a block do not belong to it, unless it says so. */
static bool
is_end_of_block(const struct yaml_formatter *in)
{
	struct yaml_formatter ahead = *in;
	struct yaml_line line;

	while (next_line(&ahead, &line)) {
		if (trimmed_len(line.text, line.len) > 0)
			return line.indent <= in->parent;
	}
	return true;
}

/* The indent of the next line that is no comment; 0 at the end. */
static size_t
next_indent(const struct yaml_formatter *in)
{
	struct yaml_formatter ahead = *in;
	struct yaml_line line;

	while (next_line(&ahead, &line)) {
		if (trimmed_len(line.text, line.len) > 0 &&
		    line.text[line.indent] != '#')
			return line.indent;
	}
	return 0;
}

/* A comment that is deeper than what follows ends what is there; others are
 * about what follows, and wait for it. */
static void
take_comment(
    struct yaml_formatter *in, const struct yaml_line *line, size_t line_at)
{
	if (in->comments != SIZE_MAX)
		return;
	if (!in->is_commenting)
		in->next_indent = next_indent(in);
	in->is_commenting = true;
	for (size_t i = in->depth; line->indent > in->next_indent && i-- > 0;) {
		if (in->levels[i].was == line->indent) {
			put_comment(in, line, in->levels[i].is);
			return;
		}
	}
	in->comments = line_at;
	if (in->has_blank && in->out->len > 0)
		w_buf_add_char(in->out, '\n');
	in->has_blank = false;
}

/* Whether it belongs to the value before. */
static bool
take_rest(
    struct yaml_formatter *in, const struct yaml_line *line, bool is_blank)
{
	if (!goes_on(in, line, is_blank))
		return false;
	if (in->rest == REST_BLOCK && is_blank && !in->keeps_blanks) {
		if (!in->is_gap)
			in->ends_block = is_end_of_block(in);
		in->is_gap = true;
		if (in->ends_block)
			return false;
	}
	in->is_gap = in->is_gap && is_blank;
	put_moved(in, line, in->rest != REST_BLOCK);
	if (in->rest != REST_OPEN)
		return true;
	follow_flow(in, line->text, line->len);
	if (in->quote == '\0' && in->brackets == 0)
		in->rest = REST_NONE;
	return true;
}

static void
format_line(
    struct yaml_formatter *in, const struct yaml_line *line, size_t line_at)
{
	const bool is_blank = trimmed_len(line->text, line->len) == 0;
	const bool is_marker =
	    line->len >= 3 && (memcmp(line->text, "---", 3) == 0 ||
				  memcmp(line->text, "...", 3) == 0);

	if (take_rest(in, line, is_blank))
		return;
	in->is_gap = false;
	if (in->rest != REST_PLAIN || !is_blank)
		in->rest = REST_NONE;
	if (is_blank) {
		in->has_blank = true;
		return;
	}
	if (line->text[line->indent] == '#') {
		take_comment(in, line, line_at);
		return;
	}
	in->is_commenting = false;
	if (is_marker) {
		flush_before(in, 0);
		w_buf_add(
		    in->out, line->text, trimmed_len(line->text, line->len));
		w_buf_add_char(in->out, '\n');
		in->depth = 0;
	} else {
		put_node(in, line);
	}
}

/* ---- the whole text ---- */

/* One pass over the text. */
static writ_status
format_text(const char *text, size_t len, struct w_buf *out, writ_error *err)
{
	struct yaml_formatter in = {
	    .text = text, .len = len, .out = out, .comments = SIZE_MAX};
	struct yaml_line line;

	for (size_t at = 0; next_line(&in, &line); at = in.at)
		format_line(&in, &line, at);
	if (in.comments != SIZE_MAX)
		flush_before(&in, 0);
	while (out->len > 1 && out->data[out->len - 1] == '\n' &&
	       out->data[out->len - 2] == '\n' && !in.keeps_blanks)
		out->data[--out->len] = '\0';
	if (out->failed)
		return w_fail_nomem(err, STAGE);
	if (in.is_too_deep)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the text is nested too deep to be formatted");
	return WRIT_OK;
}

/* Strange texts take more than one pass until nothing changes any more. */
static writ_status
settle_text(const char *text, size_t len, struct w_buf *out, writ_error *err)
{
	W_AUTO_BUF struct w_buf next;
	writ_status status = format_text(text, len, out, err);

	w_buf_init(&next, out->max);
	for (int i = 0; status == WRIT_OK && i < PASSES_MAX; i++) {
		status = format_text(out->data, out->len, &next, err);
		if (status != WRIT_OK)
			return status;
		if (next.len == out->len &&
		    memcmp(next.data, out->data, next.len) == 0)
			return WRIT_OK;
		out->len = 0;
		w_buf_add(out, next.data, next.len);
		next.len = 0;
	}
	return status != WRIT_OK
		   ? status
		   : w_fail(err, WRIT_E_INVALID, STAGE, 0,
			 "the text does not come to rest when it is formatted");
}

writ_status
w_yaml_format(const char *text, size_t len, const struct w_json_limits *limits,
    struct w_buf *out, writ_error *err)
{
	struct w_yaml *yaml = NULL;
	writ_status status = w_yaml_read(text, len, limits, &yaml, err);

	if (status == WRIT_OK)
		status = settle_text(text, len, out, err);
	if (status == WRIT_OK)
		status = w_yaml_check_same(yaml, out, limits, err);
	w_yaml_free(yaml);
	return status;
}
