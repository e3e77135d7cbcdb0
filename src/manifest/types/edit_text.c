/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Edits a text: a line, a block between two markers, or the value of a key in a
 * section. Whatever is not edited stays byte by byte.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manifest/types/typed_lines.h"

#define STAGE "edit"

/* ---- where something new goes ---- */

/* Behind the last line that matches after, before the first that matches
 * before; without either, at the end. */
static writ_status
find_place(const struct w_typed_edit *edit, const struct w_typed_lines *lines,
    size_t *out_at, writ_error *err)
{
	size_t at = W_TYPED_NOWHERE;
	writ_status status = WRIT_OK;

	if (edit->after != NULL) {
		status = w_typed_lines_find(lines, edit->after, true, &at, err);
		if (at != W_TYPED_NOWHERE)
			at++;
	} else if (edit->before != NULL) {
		status =
		    w_typed_lines_find(lines, edit->before, false, &at, err);
	}
	*out_at = at == W_TYPED_NOWHERE ? lines->count : at;
	return status;
}

/* Puts a text in the place of the lines from the one up to the other. */
static void
replace_lines(struct w_buf *out, const struct w_typed_lines *lines, size_t from,
    size_t to, const char *text)
{
	w_typed_lines_keep(out, lines, 0, from);
	if (text != NULL)
		w_typed_lines_put(out, lines, text);
	w_typed_lines_keep(out, lines, to, lines->count);
}

/* ---- a line ---- */

static writ_status
line_remove(const struct w_typed_edit *edit, const struct w_typed_lines *lines,
    struct w_buf *out, writ_error *err)
{
	for (size_t i = 0; i < lines->count; i++) {
		struct w_typed_lines one = *lines;
		size_t at = W_TYPED_NOWHERE;
		writ_status status = WRIT_OK;

		if (edit->match != NULL) {
			one.starts += i;
			one.count = 1;
			status = w_typed_lines_find(
			    &one, edit->match, false, &at, err);
		} else if (w_typed_line_is(lines, i, edit->line)) {
			at = 0;
		}
		if (status != WRIT_OK)
			return status;
		if (at == W_TYPED_NOWHERE)
			w_typed_lines_keep(out, lines, i, i + 1);
	}
	return WRIT_OK;
}

static writ_status
edit_line(const struct w_typed_edit *edit, const struct w_typed_lines *lines,
    struct w_buf *out, writ_error *err)
{
	size_t at = W_TYPED_NOWHERE;
	writ_status status = WRIT_OK;

	if (edit->is_absent)
		return line_remove(edit, lines, out, err);
	if (edit->match != NULL)
		status = w_typed_lines_find(lines, edit->match, true, &at, err);
	if (status != WRIT_OK)
		return status;
	if (at != W_TYPED_NOWHERE && !w_typed_line_is(lines, at, edit->line)) {
		replace_lines(out, lines, at, at + 1, edit->line);
		return WRIT_OK;
	}
	for (size_t i = 0; at == W_TYPED_NOWHERE && i < lines->count; i++) {
		if (w_typed_line_is(lines, i, edit->line))
			at = i;
	}
	if (at != W_TYPED_NOWHERE) {
		w_typed_lines_keep(out, lines, 0, lines->count);
		return WRIT_OK;
	}
	status = find_place(edit, lines, &at, err);
	if (status == WRIT_OK)
		replace_lines(out, lines, at, at, edit->line);
	return status;
}

/* ---- a block ---- */

static void
make_marker(struct w_buf *out, const char *marker, const char *word)
{
	const char *at = strstr(marker, W_EDIT_MARK);

	w_buf_add(out, marker, (size_t)(at - marker));
	w_buf_add_str(out, word);
	w_buf_add_str(out, at + strlen(W_EDIT_MARK));
}

static size_t
find_line(const struct w_typed_lines *lines, size_t from, const char *text)
{
	for (size_t i = from; i < lines->count; i++) {
		if (w_typed_line_is(lines, i, text))
			return i;
	}
	return W_TYPED_NOWHERE;
}

static writ_status
edit_block(const struct w_typed_edit *edit, const struct w_typed_lines *lines,
    struct w_buf *out, writ_error *err)
{
	W_AUTO_BUF struct w_buf begin, end, whole;
	writ_status status = WRIT_OK;

	w_buf_init(&begin, W_EDIT_TEXT_MAX);
	w_buf_init(&end, W_EDIT_TEXT_MAX);
	w_buf_init(&whole, W_EDIT_TEXT_MAX);
	make_marker(&begin, edit->marker, "BEGIN");
	make_marker(&end, edit->marker, "END");
	w_buf_add_fmt(&whole, "%s\n%s%s%s\n", begin.data, edit->block,
	    edit->block[0] == '\0' ||
		    edit->block[strlen(edit->block) - 1] == '\n'
		? ""
		: "\n",
	    end.data);
	if (begin.failed || end.failed || whole.failed)
		return w_fail_nomem(err, STAGE);
	size_t from = find_line(lines, 0, begin.data);
	size_t to = W_TYPED_NOWHERE;
	if (from != W_TYPED_NOWHERE) {
		to = find_line(lines, from + 1, end.data);
		if (to == W_TYPED_NOWHERE)
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "the block that begins in line %zu has no end "
			    "'%.80s'",
			    from + 1, end.data);
		to++;
	} else if (edit->is_absent) {
		from = to = lines->count;
	} else {
		status = find_place(edit, lines, &from, err);
		to = from;
	}
	if (status == WRIT_OK)
		replace_lines(
		    out, lines, from, to, edit->is_absent ? NULL : whole.data);
	return status;
}

/* ---- a key ---- */

static const char *
skip_blanks(const char *text, const char *end)
{
	while (text < end && (*text == ' ' || *text == '\t'))
		text++;
	return text;
}

/* Whether the line is [section]; NULL: any section. */
static bool
is_section(const char *line, size_t len, const char *section)
{
	const char *end = line + len;
	const char *at = skip_blanks(line, end);

	while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	if (end - at < 2 || *at != '[' || end[-1] != ']')
		return false;
	return section == NULL ||
	       ((size_t)(end - at) == strlen(section) + 2 &&
		   memcmp(at + 1, section, strlen(section)) == 0);
}

/* The lines of the section, without its header. false: it is not there. */
static bool
find_section(const struct w_typed_edit *edit, const struct w_typed_lines *lines,
    size_t *out_from, size_t *out_to)
{
	size_t from = edit->section == NULL ? 0 : W_TYPED_NOWHERE;
	size_t i = 0;
	size_t len;

	for (; i < lines->count && from == W_TYPED_NOWHERE; i++) {
		const char *line = w_typed_line(lines, i, &len);

		if (is_section(line, len, edit->section))
			from = i + 1;
	}
	if (from == W_TYPED_NOWHERE)
		return false;
	for (i = from; i < lines->count; i++) {
		const char *line = w_typed_line(lines, i, &len);

		if (is_section(line, len, NULL))
			break;
	}
	*out_from = from;
	*out_to = i;
	return true;
}

/* The value if the line sets the key, where it begins; NULL: it does not. */
static const char *
value_of(const char *line, size_t len, const char *key)
{
	const char *end = line + len;
	const char *at = skip_blanks(line, end);
	const size_t key_len = strlen(key);

	if ((size_t)(end - at) <= key_len || memcmp(at, key, key_len) != 0)
		return NULL;
	at = skip_blanks(at + key_len, end);
	if (at == end || (*at != '=' && *at != ':'))
		return NULL;
	return skip_blanks(at + 1, end);
}

/* Appends the line with another value; "key = value" for a new one. */
static writ_status
put_key(const struct w_typed_edit *edit, const struct w_typed_lines *lines,
    size_t at, struct w_buf *out, writ_error *err)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_EDIT_TEXT_MAX);
	if (at == W_TYPED_NOWHERE) {
		w_buf_add_fmt(&text, "%s = %s", edit->key, edit->value);
	} else {
		size_t len;
		const char *line = w_typed_line(lines, at, &len);

		w_buf_add(&text, line,
		    (size_t)(value_of(line, len, edit->key) - line));
		w_buf_add_str(&text, edit->value);
	}
	if (text.failed)
		return w_fail_nomem(err, STAGE);
	w_typed_lines_put(out, lines, text.data);
	return WRIT_OK;
}

static writ_status
add_section(const struct w_typed_edit *edit, const struct w_typed_lines *lines,
    struct w_buf *out, writ_error *err)
{
	W_AUTO_BUF struct w_buf header;

	w_buf_init(&header, W_EDIT_TEXT_MAX);
	w_typed_lines_keep(out, lines, 0, lines->count);
	w_buf_add_fmt(
	    &header, "%s[%s]", lines->count > 0 ? "\n" : "", edit->section);
	if (header.failed)
		return w_fail_nomem(err, STAGE);
	w_typed_lines_put(out, lines, header.data);
	return put_key(edit, lines, W_TYPED_NOWHERE, out, err);
}

static bool
has_value(const struct w_typed_edit *edit, const struct w_typed_lines *lines,
    size_t at)
{
	size_t len;
	const char *line = w_typed_line(lines, at, &len);
	const char *value = value_of(line, len, edit->key);
	const char *end = line + len;

	while (end > value && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return (size_t)(end - value) == strlen(edit->value) &&
	       memcmp(value, edit->value, strlen(edit->value)) == 0;
}

/* A key that is there several times: the last one is changed, since it is the
 * one that most programs use; absent removes all. */
static writ_status
edit_key(const struct w_typed_edit *edit, const struct w_typed_lines *lines,
    struct w_buf *out, writ_error *err)
{
	size_t from = 0;
	size_t to = 0;
	size_t at = W_TYPED_NOWHERE;
	writ_status status = WRIT_OK;
	const bool is_there = find_section(edit, lines, &from, &to);

	if (!is_there && !edit->is_absent)
		return add_section(edit, lines, out, err);
	w_typed_lines_keep(out, lines, 0, from);
	for (size_t i = from; i < to; i++) {
		size_t len;
		const char *line = w_typed_line(lines, i, &len);
		const bool is_key = value_of(line, len, edit->key) != NULL;

		at = is_key ? i : at;
		if (edit->is_absent && !is_key)
			w_typed_lines_keep(out, lines, i, i + 1);
	}
	if (edit->is_absent) {
		w_typed_lines_keep(out, lines, to, lines->count);
		return WRIT_OK;
	}
	size_t place = at;
	if (at == W_TYPED_NOWHERE) {
		size_t len = 0;

		for (place = to; place > from && len == 0; place--)
			(void)w_typed_line(lines, place - 1, &len);
		place += len > 0;
	}
	w_typed_lines_keep(out, lines, from, place);
	if (at != W_TYPED_NOWHERE && has_value(edit, lines, at))
		w_typed_lines_keep(out, lines, at, at + 1);
	else
		status = put_key(edit, lines, at, out, err);
	w_typed_lines_keep(
	    out, lines, at == W_TYPED_NOWHERE ? place : at + 1, lines->count);
	return status;
}

/* ---- all ---- */

writ_status
w_typed_edit_text(const struct w_typed_edit *edit, const char *text, size_t len,
    struct w_buf *out, writ_error *err)
{
	struct w_typed_lines lines;
	writ_status status = w_typed_lines_read(&lines, text, len, err);

	if (status != WRIT_OK)
		return status;
	if (edit->block != NULL)
		status = edit_block(edit, &lines, out, err);
	else if (edit->key != NULL)
		status = edit_key(edit, &lines, out, err);
	else
		status = edit_line(edit, &lines, out, err);
	w_typed_lines_done(&lines);
	if (status == WRIT_OK && out->failed)
		status = w_fail_nomem(err, STAGE);
	return status;
}
