/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A unified diff of two texts. Equal lines at both ends are left aside; what is
 * between them is aligned by the longest common subsequence, or, where that
 * would take too much memory, shown as one change.
 */

#include "cli/output/line_diff.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CONTEXT   3
#define TABLE_MAX ((size_t)4 << 20) /* cells */

struct diff_line {
	const char *text;
	size_t len; /* without the line's end */
	char mark;  /* ' ', '-' or '+' */
	bool has_end;
};

struct diff_lines {
	struct diff_line *items;
	size_t count;
};

static bool
split_lines(const struct w_buf *text, struct diff_lines *lines)
{
	const char *at = text->data;
	const char *end = at + text->len;
	size_t count = 0;

	for (size_t i = 0; i < text->len; i++)
		count += at[i] == '\n';
	lines->items = calloc(count + 1, sizeof(*lines->items));
	if (lines->items == NULL)
		return false;
	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		struct diff_line *line = &lines->items[lines->count++];

		line->text = at;
		line->has_end = stop != NULL;
		line->len = (size_t)((stop != NULL ? stop : end) - at);
		at += line->len + line->has_end;
	}
	return true;
}

static bool
is_equal(const struct diff_line *one, const struct diff_line *other)
{
	return one->len == other->len && one->has_end == other->has_end &&
	       memcmp(one->text, other->text, one->len) == 0;
}

/* Appends lines with a mark to the script. */
static void
put_lines(struct diff_lines *script, const struct diff_lines *from,
    size_t start, size_t end, char mark)
{
	for (; start < end; start++) {
		script->items[script->count] = from->items[start];
		script->items[script->count++].mark = mark;
	}
}

/* Aligns [from, ends) of both. table: lengths of common subsequences. */
static void
align(struct diff_lines *script, const struct diff_lines *a,
    const struct diff_lines *b, size_t from, const size_t ends[2])
{
	const size_t rows = ends[0] - from;
	const size_t columns = ends[1] - from;
	uint32_t *table = NULL;

	if (rows > 0 && columns > 0 && (rows + 1) < TABLE_MAX / (columns + 1))
		table = calloc((rows + 1) * (columns + 1), sizeof(*table));
	if (table == NULL) {
		put_lines(script, a, from, ends[0], '-');
		put_lines(script, b, from, ends[1], '+');
		return;
	}
#define CELL(i, k) table[(i) * (columns + 1) + (k)]
	for (size_t i = rows; i > 0; i--) {
		for (size_t k = columns; k > 0; k--) {
			const uint32_t down = CELL(i, k - 1);
			const uint32_t right = CELL(i - 1, k);

			CELL(i - 1, k - 1) = is_equal(&a->items[from + i - 1],
						 &b->items[from + k - 1])
						 ? CELL(i, k) + 1
					     : down > right ? down
							    : right;
		}
	}
	size_t i = 0;
	size_t k = 0;
	while (i < rows || k < columns) {
		if (i < rows && k < columns &&
		    is_equal(&a->items[from + i], &b->items[from + k])) {
			put_lines(script, a, from + i, from + i + 1, ' ');
			i++;
			k++;
		} else if (k == columns ||
			   (i < rows && CELL(i + 1, k) >= CELL(i, k + 1))) {
			put_lines(script, a, from + i, from + i + 1, '-');
			i++;
		} else {
			put_lines(script, b, from + k, from + k + 1, '+');
			k++;
		}
	}
#undef CELL
	free(table);
}

static bool
make_script(struct diff_lines *script, const struct diff_lines *a,
    const struct diff_lines *b)
{
	size_t from = 0;
	size_t ends[2] = {a->count, b->count};

	script->items = calloc(a->count + b->count + 1, sizeof(*script->items));
	if (script->items == NULL)
		return false;
	while (from < ends[0] && from < ends[1] &&
	       is_equal(&a->items[from], &b->items[from]))
		from++;
	while (ends[0] > from && ends[1] > from &&
	       is_equal(&a->items[ends[0] - 1], &b->items[ends[1] - 1])) {
		ends[0]--;
		ends[1]--;
	}
	put_lines(script, a, 0, from, ' ');
	align(script, a, b, from, ends);
	put_lines(script, a, ends[0], a->count, ' ');
	return true;
}

/* ---- hunks ---- */

static void
add_line(struct w_buf *out, const struct diff_line *line, bool has_colour)
{
	const char *colour = line->mark == '+'   ? "\033[32m"
			     : line->mark == '-' ? "\033[31m"
						 : "";
	const bool is_painted = has_colour && colour[0] != '\0';

	w_buf_add_str(out, is_painted ? colour : "");
	w_buf_add_char(out, line->mark);
	w_buf_add(out, line->text, line->len);
	w_buf_add_str(out, is_painted ? "\033[0m\n" : "\n");
	if (!line->has_end)
		w_buf_add_str(out, "\\ No newline at end of file\n");
}

/* The end of the hunk that the change at `at` begins: changes closer than twice
 * the context are one. */
static size_t
hunk_end(const struct diff_lines *script, size_t at)
{
	size_t last = at;

	for (size_t i = at; i < script->count && i <= last + 2 * CONTEXT + 1;
	     i++) {
		if (script->items[i].mark != ' ')
			last = i;
	}
	return last + CONTEXT + 1 < script->count ? last + CONTEXT + 1
						  : script->count;
}

static void
add_hunks(struct w_buf *out, const struct diff_lines *script, bool has_colour)
{
	size_t lines[2] = {0, 0}; /* of both texts, before the hunk */
	size_t at = 0;

	while (at < script->count) {
		size_t sizes[2] = {0, 0};
		size_t start = at;

		while (at < script->count && script->items[at].mark == ' ')
			at++;
		if (at == script->count)
			return;
		const size_t end = hunk_end(script, at);
		const size_t skipped =
		    at - start > CONTEXT ? at - start - CONTEXT : 0;
		start += skipped;
		lines[0] += skipped;
		lines[1] += skipped;
		for (size_t i = start; i < end; i++) {
			sizes[0] += script->items[i].mark != '+';
			sizes[1] += script->items[i].mark != '-';
		}
		w_buf_add_fmt(out, "@@ -%zu,%zu +%zu,%zu @@\n",
		    lines[0] + (sizes[0] > 0), sizes[0],
		    lines[1] + (sizes[1] > 0), sizes[1]);
		for (size_t i = start; i < end; i++)
			add_line(out, &script->items[i], has_colour);
		lines[0] += sizes[0];
		lines[1] += sizes[1];
		at = end;
	}
}

void
w_cli_diff_add(struct w_buf *out, const struct w_line_diff *diff)
{
	struct diff_lines a = {.items = NULL};
	struct diff_lines b = {.items = NULL};
	struct diff_lines script = {.items = NULL};

	if (diff->old_text->len == diff->new_text->len &&
	    memcmp(diff->old_text->data, diff->new_text->data,
		diff->old_text->len) == 0)
		return;
	if (!split_lines(diff->old_text, &a) ||
	    !split_lines(diff->new_text, &b) || !make_script(&script, &a, &b)) {
		out->failed = true;
	} else {
		w_buf_add_fmt(
		    out, "--- %s\n+++ %s\n", diff->old_name, diff->new_name);
		add_hunks(out, &script, diff->has_colour);
	}
	free(a.items);
	free(b.items);
	free(script.items);
}
