/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A unified diff of two texts.
 *
 * The common beginning and end are set aside; for the rest, the longest common
 * subsequence of lines is computed in a table of at most W_DIFF_LINES_MAX
 * squared entries of two bytes (8 MB, temporary). Where the rest is longer, all
 * of it is taken as replaced. Time and result are deterministic.
 */

#include "edit/file_diff.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/encode.h"

#define STAGE    "diff"
#define DIFF_MAX (4 * W_DIFF_BYTES_MAX + 65536)
#define CUT      "\n[the difference is longer]\n"

struct line {
	const char *text;
	size_t len; /* with its newline */
};

struct file_diff_lines {
	struct line *items;
	size_t count;
};

/* One line of the diff. */
struct edit {
	char sign; /* ' ', '-', '+' */
	struct line line;
};

struct diff {
	struct file_diff_lines sides[2];
	struct edit *edits;
	size_t count;
	size_t skipped; /* lines before both sides, equal and left out */
};

/* ---- lines ---- */

static bool
file_diff_is_text(const struct w_diff_side *side)
{
	return side->len <= W_DIFF_BYTES_MAX &&
	       memchr(side->text, '\0', side->len) == NULL &&
	       w_utf8_valid(side->text, side->len);
}

static size_t
file_diff_count_lines(const struct w_diff_side *side)
{
	size_t count = 0;

	for (size_t i = 0; i < side->len; i++)
		count += side->text[i] == '\n';
	return count + (side->len > 0 && side->text[side->len - 1] != '\n');
}

static bool
file_diff_split(const struct w_diff_side *side, struct file_diff_lines *out)
{
	size_t at = 0;

	out->items =
	    calloc(file_diff_count_lines(side) + 1, sizeof(*out->items));
	if (out->items == NULL)
		return false;
	while (at < side->len) {
		const char *start = side->text + at;
		const char *end = memchr(start, '\n', side->len - at);
		const size_t len =
		    end == NULL ? side->len - at : (size_t)(end - start) + 1;

		out->items[out->count++] =
		    (struct line){.text = start, .len = len};
		at += len;
	}
	return true;
}

static bool
is_equal(const struct line *left, const struct line *right)
{
	return left->len == right->len &&
	       memcmp(left->text, right->text, left->len) == 0;
}

/* ---- the edits ---- */

static void
file_diff_put(struct diff *diff, char sign, const struct line *line)
{
	diff->edits[diff->count++] = (struct edit){.sign = sign, .line = *line};
}

/* table[i][j]: length of the longest common subsequence of the lines from i
 * and from j on. */
static void
fill_table(uint16_t *table, const struct file_diff_lines *old,
    const struct file_diff_lines *new)
{
	const size_t width = new->count + 1;

	for (size_t i = old->count; i-- > 0;) {
		for (size_t j = new->count; j-- > 0;) {
			const uint16_t down = table[(i + 1) * width + j];
			const uint16_t right = table[i * width + j + 1];

			table[i * width + j] =
			    is_equal(&old->items[i], &new->items[j])
				? (uint16_t)(table[(i + 1) * width + j + 1] + 1)
				: (down > right ? down : right);
		}
	}
}

static void
read_table(struct diff *diff, const uint16_t *table,
    const struct file_diff_lines *old, const struct file_diff_lines *new)
{
	const size_t width = new->count + 1;
	size_t i = 0, j = 0;

	while (i < old->count || j < new->count) {
		if (i < old->count &&
		    j < new->count &&is_equal(&old->items[i], &new->items[j])) {
			file_diff_put(diff, ' ', &old->items[i]);
			i++;
			j++;
		} else if (j == new->count ||
			   (i < old->count && table[(i + 1) * width + j] >=
						  table[i * width + j + 1])) {
			file_diff_put(diff, '-', &old->items[i++]);
		} else {
			file_diff_put(diff, '+', &new->items[j++]);
		}
	}
}

/* Compares the lines between the common beginning and end. */
static bool
compare_middle(struct diff *diff, size_t before, size_t after)
{
	struct file_diff_lines parts[2];

	for (int i = 0; i < 2; i++)
		parts[i] = (struct file_diff_lines){
		    .items = diff->sides[i].items + before,
		    .count = diff->sides[i].count - before - after};
	if (parts[0].count > W_DIFF_LINES_MAX ||
	    parts[1].count > W_DIFF_LINES_MAX) {
		for (size_t i = 0; i < parts[0].count; i++)
			file_diff_put(diff, '-', &parts[0].items[i]);
		for (size_t i = 0; i < parts[1].count; i++)
			file_diff_put(diff, '+', &parts[1].items[i]);
		return true;
	}
	W_AUTO_FREE uint16_t *table =
	    calloc((parts[0].count + 1) * (parts[1].count + 1), sizeof(*table));
	if (table == NULL)
		return false;
	fill_table(table, &parts[0], &parts[1]);
	read_table(diff, table, &parts[0], &parts[1]);
	return true;
}

static bool
file_diff_compare(struct diff *diff)
{
	const struct file_diff_lines *old = &diff->sides[0];
	const struct file_diff_lines *new = &diff->sides[1];
	size_t before = 0, after = 0;

	diff->edits = calloc(old->count + new->count + 1, sizeof(*diff->edits));
	if (diff->edits == NULL)
		return false;
	while (before < old->count &&
	       before < new->count &&is_equal(
			    &old->items[before], &new->items[before]))
		before++;
	while (after < old->count - before &&
	       after < new->count - before &&is_equal(
					&old->items[old->count - 1 - after],
					&new->items[new->count - 1 - after]))
		after++;
	for (size_t i = 0; i < before; i++)
		file_diff_put(diff, ' ', &old->items[i]);
	if (!compare_middle(diff, before, after))
		return false;
	for (size_t i = old->count - after; i < old->count; i++)
		file_diff_put(diff, ' ', &old->items[i]);
	return true;
}

/* ---- output ---- */

/* The end of the hunk that begins with a change at `from`: changes whose
 * contexts meet are in one hunk. */
static size_t
hunk_end(const struct diff *diff, size_t from)
{
	size_t end = from, same = 0;

	for (size_t i = from; i < diff->count; i++) {
		same = diff->edits[i].sign == ' ' ? same + 1 : 0;
		if (same > 2 * W_DIFF_CONTEXT)
			break;
		if (same == 0)
			end = i + 1;
	}
	end += W_DIFF_CONTEXT;
	return end > diff->count ? diff->count : end;
}

static void
put_range(struct w_buf *buf, char sign, size_t first, size_t count)
{
	/* For an empty range diff names the line before it. */
	w_buf_add_fmt(buf, " %c%zu", sign, count == 0 ? first : first + 1);
	if (count != 1)
		w_buf_add_fmt(buf, ",%zu", count);
}

/* lines: how many of each side come before this hunk. */
static void
put_hunk(struct w_buf *buf, const struct diff *diff, size_t start, size_t end,
    size_t lines[2])
{
	size_t counts[2] = {0, 0};

	for (size_t i = start; i < end; i++) {
		counts[0] += diff->edits[i].sign != '+';
		counts[1] += diff->edits[i].sign != '-';
	}
	w_buf_add_str(buf, "@@");
	put_range(buf, '-', lines[0], counts[0]);
	put_range(buf, '+', lines[1], counts[1]);
	w_buf_add_str(buf, " @@\n");
	for (size_t i = start; i < end; i++) {
		const struct line *line = &diff->edits[i].line;

		w_buf_add_char(buf, diff->edits[i].sign);
		w_buf_add(buf, line->text, line->len);
		if (line->text[line->len - 1] != '\n')
			w_buf_add_str(buf, "\n\\ No newline at end of file\n");
	}
	lines[0] += counts[0];
	lines[1] += counts[1];
}

static void
file_diff_print(struct w_buf *buf, const struct diff *diff)
{
	size_t lines[2] = {diff->skipped, diff->skipped};
	size_t at = 0;

	while (at < diff->count) {
		size_t change = at;

		while (change < diff->count && diff->edits[change].sign == ' ')
			change++;
		if (change == diff->count)
			return;
		const size_t start =
		    change - at > W_DIFF_CONTEXT ? change - W_DIFF_CONTEXT : at;
		const size_t end = hunk_end(diff, change);
		lines[0] += start - at;
		lines[1] += start - at;
		put_hunk(buf, diff, start, end, lines);
		at = end;
	}
}

static void
put_label(struct w_buf *buf, const char *mark, const char *label)
{
	const size_t len = strlen(label);
	const bool is_plain =
	    w_utf8_valid(label, len) && memchr(label, '\n', len) == NULL;

	w_buf_add_str(buf, mark);
	w_buf_add_str(buf, is_plain ? label : "(a name that cannot be shown)");
	w_buf_add_char(buf, '\n');
}

static void
file_diff_done(struct diff *diff)
{
	free(diff->sides[0].items);
	free(diff->sides[1].items);
	free(diff->edits);
}

static bool
file_diff_make(struct w_buf *buf, struct diff *diff,
    const struct w_diff_side *old, const struct w_diff_side *new)
{
	if (!file_diff_split(old, &diff->sides[0]) ||
	    !file_diff_split(new, &diff->sides[1]) || !file_diff_compare(diff))
		return false;
	put_label(buf, "--- ", old->label);
	put_label(buf, "+++ ", new->label);
	const size_t len = buf->len;

	file_diff_print(buf, diff);
	if (buf->len == len)
		buf->len = 0;
	return true;
}

writ_status
w_diff_unified(const struct w_diff_side *old, const struct w_diff_side *new,
    char **out_diff, writ_error *err)
{
	struct diff diff = {.count = 0};
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, DIFF_MAX);
	*out_diff = NULL;
	if (!file_diff_is_text(old) || !file_diff_is_text(new) ||
	    file_diff_count_lines(old) > W_DIFF_LINES_MAX ||
	    file_diff_count_lines(new) > W_DIFF_LINES_MAX)
		return WRIT_OK;
	bool ok = file_diff_make(&buf, &diff, old, new);
	file_diff_done(&diff);
	if (ok && buf.len > 0) {
		*out_diff = w_buf_take(&buf, NULL);
		ok = *out_diff != NULL;
	}
	return ok ? WRIT_OK : w_fail_nomem(err, STAGE);
}

/* ---- long texts ---- */

/* Back to the beginning of a line, and over the lines of a context. */
static size_t
file_diff_widen_start(const char *text, size_t at)
{
	for (int lines = 0; at > 0; at--) {
		if (text[at - 1] == '\n' && lines++ == W_DIFF_CONTEXT)
			break;
	}
	return at;
}

static size_t
file_diff_widen_end(const struct w_diff_side *side, size_t at)
{
	for (int lines = 0; at < side->len; at++) {
		if (side->text[at] == '\n' && lines++ == W_DIFF_CONTEXT)
			return at + 1;
	}
	return side->len;
}

writ_status
w_diff_add_bounded(struct w_buf *out, const struct w_diff_side *old,
    const struct w_diff_side *new, size_t bytes_max, writ_error *err)
{
	const size_t shorter = old->len < new->len ? old->len : new->len;
	struct diff diff = {.count = 0};
	W_AUTO_BUF struct w_buf buf;
	size_t start = 0, end = 0;

	w_buf_init(&buf, 2 * (old->len + new->len) + 65536);
	while (start < shorter && old->text[start] == new->text[start])
		start++;
	while (end < shorter - start &&
	       old->text[old->len - 1 - end] == new->text[new->len - 1 - end])
		end++;
	if (start == old->len && start == new->len)
		return WRIT_OK;
	start = file_diff_widen_start(old->text, start);
	/* The same text follows on both sides, and so the same lines. */
	end = old->len - file_diff_widen_end(old, old->len - end);
	const struct w_diff_side parts[2] = {
	    {old->label, old->text + start, old->len - start - end},
	    {new->label, new->text + start, new->len - start - end}};
	for (size_t i = 0; i < start; i++)
		diff.skipped += old->text[i] == '\n';
	const bool ok = file_diff_make(&buf, &diff, &parts[0], &parts[1]);
	file_diff_done(&diff);
	if (!ok || buf.failed)
		return w_fail_nomem(err, STAGE);
	w_buf_add(out, buf.data, buf.len > bytes_max ? bytes_max : buf.len);
	if (buf.len > bytes_max)
		w_buf_add_str(out, CUT);
	return WRIT_OK;
}
