/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Applies the hunks of a patch to the text of a file.
 *
 * A hunk is looked for where the patch says, then ever further away; its lines
 * are compared exactly, then without white space at their ends, then without
 * that on both sides. What stays is the file's own line, whatever the patch
 * has.
 */

#include <string.h>

#include "edit/edit_lines.h"
#include "edit/nearest_lines.h"
#include "edit/patch.h"

enum patch_strictness {
	EXACT,
	ENDS,  /* white space at the ends of lines is ignored */
	SIDES, /* and at their beginnings */
	STRICTNESS_COUNT,
};

struct patch_job {
	const struct w_patch *patch;
	const struct w_patch_file *file;
	struct w_edit_lines text;
	const char *line_end;
	size_t at;    /* lines of the text that were written */
	size_t moved; /* how far hunks are from where they should be, in ... */
	bool is_back; /* ... this direction */
	bool is_open; /* what was written last has no line end */
	struct w_buf *out;
	struct w_buf *why;
};

/* ---- comparing ---- */

static bool
patch_apply_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool
patch_apply_is_same(const char *a, size_t a_len, const char *b, size_t b_len,
    enum patch_strictness how)
{
	if (how != EXACT) {
		while (a_len > 0 && patch_apply_is_blank(a[a_len - 1]))
			a_len--;
		while (b_len > 0 && patch_apply_is_blank(b[b_len - 1]))
			b_len--;
	}
	while (how == SIDES && a_len > 0 && patch_apply_is_blank(*a)) {
		a++;
		a_len--;
	}
	while (how == SIDES && b_len > 0 && patch_apply_is_blank(*b)) {
		b++;
		b_len--;
	}
	return a_len == b_len && memcmp(a, b, a_len) == 0;
}

static size_t
patch_apply_old_count(
    const struct patch_job *job, const struct w_patch_hunk *hunk)
{
	size_t count = 0;

	for (size_t i = 0; i < hunk->count; i++)
		count += job->patch->lines[hunk->first + i].sign != '+';
	return count;
}

static bool
patch_apply_fits(const struct patch_job *job, const struct w_patch_hunk *hunk,
    size_t at, enum patch_strictness how)
{
	for (size_t i = 0; i < hunk->count; i++) {
		const struct w_patch_line *line =
		    &job->patch->lines[hunk->first + i];

		if (line->sign == '+')
			continue;
		if (at >= job->text.count)
			return false;
		const struct w_edit_line *own = &job->text.items[at++];
		if (!patch_apply_is_same(
			line->text, line->len, own->text, own->len, how))
			return false;
	}
	return true;
}

/* ---- finding ---- */

/* The line behind the one that the hunk names as coming before it. */
static bool
patch_apply_find_place(const struct patch_job *job,
    const struct w_patch_hunk *hunk, size_t *out_from)
{
	for (int how = 0; how < STRICTNESS_COUNT; how++) {
		for (size_t i = job->at; i < job->text.count; i++) {
			const struct w_edit_line *own = &job->text.items[i];

			if (!patch_apply_is_same(hunk->place, hunk->place_len,
				own->text, own->len,
				(enum patch_strictness)how))
				continue;
			*out_from = i + 1;
			return true;
		}
	}
	return false;
}

/* From the expected line outwards. */
static bool
patch_apply_find_around(const struct patch_job *job,
    const struct w_patch_hunk *hunk, size_t expected, size_t last,
    size_t *out_at)
{
	for (int how = 0; how < STRICTNESS_COUNT; how++) {
		const enum patch_strictness strictness =
		    (enum patch_strictness)how;
		size_t after = expected, before = expected;
		bool has_before = true;

		while (after <= last || has_before) {
			if (after <= last &&
			    patch_apply_fits(job, hunk, after, strictness)) {
				*out_at = after;
				return true;
			}
			after++;
			has_before = before > job->at;
			if (!has_before)
				continue;
			before--;
			if (patch_apply_fits(job, hunk, before, strictness)) {
				*out_at = before;
				return true;
			}
		}
	}
	return false;
}

static bool
patch_apply_find_after(const struct patch_job *job,
    const struct w_patch_hunk *hunk, size_t from, size_t last, size_t *out_at)
{
	for (int how = 0; how < STRICTNESS_COUNT; how++) {
		const enum patch_strictness strictness =
		    (enum patch_strictness)how;

		if (hunk->is_at_end &&
		    patch_apply_fits(job, hunk, last, strictness)) {
			*out_at = last;
			return true;
		}
		for (size_t i = from; i <= last; i++) {
			if (!patch_apply_fits(job, hunk, i, strictness))
				continue;
			*out_at = i;
			return true;
		}
	}
	return false;
}

static size_t
patch_apply_expected(
    const struct patch_job *job, const struct w_patch_hunk *hunk, size_t last)
{
	size_t line = hunk->old_line - 1;

	if (!job->is_back)
		line += job->moved;
	else
		line = line > job->moved ? line - job->moved : 0;
	if (line < job->at)
		line = job->at;
	return line > last ? last : line;
}

static bool
patch_apply_find(struct patch_job *job, const struct w_patch_hunk *hunk,
    size_t old_count, size_t *out_at)
{
	size_t from = job->at;

	if (old_count > job->text.count - job->at)
		return false;
	const size_t last = job->text.count - old_count;
	if (hunk->place != NULL && !patch_apply_find_place(job, hunk, &from))
		return false;
	/* What is only added goes behind the named line, or to the end. */
	if (old_count == 0) {
		*out_at = hunk->place != NULL ? from
			  : hunk->old_line > 0
			      ? patch_apply_expected(job, hunk, last)
			      : job->text.count;
		return true;
	}
	if (hunk->old_line == 0)
		return patch_apply_find_after(job, hunk, from, last, out_at);
	const size_t expected = patch_apply_expected(job, hunk, last);
	if (!patch_apply_find_around(job, hunk, expected, last, out_at))
		return false;
	job->is_back = *out_at < hunk->old_line - 1;
	job->moved = job->is_back ? hunk->old_line - 1 - *out_at
				  : *out_at - (hunk->old_line - 1);
	return true;
}

/* ---- writing ---- */

/* A line may come behind one that had no end. */
static void
patch_apply_put(
    struct patch_job *job, const char *text, size_t len, const char *line_end)
{
	if (job->is_open)
		w_buf_add_str(job->out, job->line_end);
	w_buf_add(job->out, text, len);
	w_buf_add_str(job->out, line_end);
	job->is_open = line_end[0] == '\0';
}

static void
patch_apply_keep(struct patch_job *job, size_t until)
{
	for (; job->at < until; job->at++) {
		const struct w_edit_line *own = &job->text.items[job->at];

		if (job->is_open)
			w_buf_add_str(job->out, job->line_end);
		w_buf_add(job->out, own->text, own->whole);
		job->is_open = own->text[own->whole - 1] != '\n';
	}
}

static void
patch_apply_write(
    struct patch_job *job, const struct w_patch_hunk *hunk, size_t at)
{
	const bool is_crlf = job->line_end[0] == '\r';

	patch_apply_keep(job, at);
	for (size_t i = 0; i < hunk->count; i++) {
		const struct w_patch_line *line =
		    &job->patch->lines[hunk->first + i];
		size_t len = line->len;

		if (line->sign == ' ') {
			patch_apply_keep(job, job->at + 1);
		} else if (line->sign == '-') {
			job->at++;
		} else {
			if (is_crlf && len > 0 && line->text[len - 1] == '\r')
				len--;
			patch_apply_put(job, line->text, len, job->line_end);
		}
	}
}

/* How the file ends: as the patch says, else as it did. */
static void
patch_apply_end(struct patch_job *job, const char *text, size_t len)
{
	const struct w_patch_hunk *last =
	    &job->patch->hunks[job->file->first + job->file->count - 1];
	const bool was_open = len > 0 && text[len - 1] != '\n';
	const size_t end_len = strlen(job->line_end);
	bool is_open = was_open;

	if (job->at < job->text.count)
		return;
	if (last->new_is_open)
		is_open = true;
	else if (last->old_is_open)
		is_open = false;
	if (job->out->failed || job->out->len == 0 || is_open == job->is_open)
		return;
	if (!is_open)
		w_buf_add_str(job->out, job->line_end);
	else if (job->out->len >= end_len)
		job->out->len -= end_len;
	job->out->data[job->out->len] = '\0';
}

/* ---- what is wrong ---- */

static void
patch_apply_add_wanted(struct w_buf *buf, const struct patch_job *job,
    const struct w_patch_hunk *hunk)
{
	for (size_t i = 0; i < hunk->count; i++) {
		const struct w_patch_line *line =
		    &job->patch->lines[hunk->first + i];

		if (line->sign == '+')
			continue;
		w_buf_add(buf, line->text, line->len);
		w_buf_add_char(buf, '\n');
	}
}

static writ_status
patch_apply_fail(
    const struct patch_job *job, size_t number, const struct w_patch_hunk *hunk)
{
	W_AUTO_LINES struct w_edit_lines lines = {NULL, 0};
	W_AUTO_BUF struct w_buf wanted;

	w_buf_init(&wanted, W_PATCH_BYTES_MAX * 2);
	if (hunk->place != NULL) {
		w_buf_add(&wanted, hunk->place, hunk->place_len);
		w_buf_add_char(&wanted, '\n');
	}
	patch_apply_add_wanted(&wanted, job, hunk);
	w_buf_add_fmt(job->why,
	    "'%s': the lines of hunk %zu are not in the file%s; ",
	    job->file->path, number,
	    job->at > 0 ? " behind those of the hunk before" : "");
	const size_t len = job->why->len;
	if (!wanted.failed &&
	    w_edit_lines_init(&lines, wanted.data, wanted.len))
		w_edit_add_nearest(job->why, &job->text, &lines);
	if (job->why->len == len)
		w_buf_add_str(
		    job->why, "nothing in it is similar: read it again");
	return WRIT_E_INVALID;
}

writ_status
w_patch_apply(const struct w_patch *patch, size_t file, const char *text,
    size_t len, struct w_buf *out, struct w_buf *why)
{
	struct patch_job job = {
	    .patch = patch,
	    .file = &patch->files[file],
	    .line_end = w_edit_is_crlf(text, len) ? "\r\n" : "\n",
	    .out = out,
	    .why = why,
	};
	writ_status status = WRIT_OK;

	if (!w_edit_lines_init(&job.text, text, len))
		return WRIT_E_NOMEM;
	for (size_t i = 0; i < job.file->count && status == WRIT_OK; i++) {
		const struct w_patch_hunk *hunk =
		    &patch->hunks[job.file->first + i];
		const size_t old_count = patch_apply_old_count(&job, hunk);
		size_t at = 0;

		if (patch_apply_find(&job, hunk, old_count, &at))
			patch_apply_write(&job, hunk, at);
		else
			status = patch_apply_fail(&job, i + 1, hunk);
	}
	if (status == WRIT_OK && job.file->count > 0)
		patch_apply_end(&job, text, len);
	if (status == WRIT_OK)
		patch_apply_keep(&job, job.text.count);
	w_edit_lines_done(&job.text);
	return status == WRIT_OK && out->failed ? WRIT_E_NOMEM : status;
}
