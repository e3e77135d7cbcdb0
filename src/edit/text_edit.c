/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Exact replacements in a text.
 *
 *   find     every place of every edit, in the text as it is
 *   check    each is found, once unless it is global; none overlaps another
 *   write    what is between the places, and the new texts
 */

#include "edit/text_edit.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/grow.h"
#include "edit/edit_lines.h"
#include "edit/nearest_lines.h"

enum {
	LISTED = 5, /* places that an error names */
};

struct edit_place {
	size_t offset;
	size_t edit;
};

struct edit_job {
	const char *text;
	size_t len;
	const struct w_edit *edits; /* as they were given */
	size_t count;
	struct w_edit *exact; /* with the line ends of the text */
	struct w_buf *ends;   /* their storage, two for each */
	struct edit_place *places;
	size_t place_count;
	size_t place_cap;
	struct w_buf *why;
};

static void
text_edit_done(struct edit_job *job)
{
	for (size_t i = 0; job->ends != NULL && i < 2 * job->count; i++)
		w_buf_done(&job->ends[i]);
	free(job->ends);
	free(job->exact);
	free(job->places);
}

/* "edit 2: ", if there are several. */
static struct w_buf *
text_edit_begin_why(const struct edit_job *job, size_t edit)
{
	if (job->count > 1)
		w_buf_add_fmt(job->why, "edit %zu: ", edit + 1);
	return job->why;
}

/* ---- find ---- */

static bool
text_edit_convert(struct edit_job *job)
{
	const bool is_crlf = w_edit_is_crlf(job->text, job->len);

	job->exact = calloc(job->count, sizeof(*job->exact));
	job->ends = calloc(2 * job->count, sizeof(*job->ends));
	if (job->exact == NULL || job->ends == NULL)
		return false;
	for (size_t i = 0; i < 2 * job->count; i++)
		w_buf_init(&job->ends[i], (size_t)1 << 30);
	for (size_t i = 0; i < job->count; i++) {
		struct w_edit *exact = &job->exact[i];
		struct w_buf *old_buf = &job->ends[2 * i];
		struct w_buf *new_buf = &job->ends[2 * i + 1];

		*exact = job->edits[i];
		if (!is_crlf)
			continue;
		w_edit_add_crlf(old_buf, exact->old_text, exact->old_len);
		w_edit_add_crlf(new_buf, exact->new_text, exact->new_len);
		if (old_buf->failed || new_buf->failed)
			return false;
		exact->old_text = old_buf->data;
		exact->old_len = old_buf->len;
		exact->new_text = new_buf->data;
		exact->new_len = new_buf->len;
	}
	return true;
}

static writ_status
text_edit_fail_missing(struct edit_job *job, size_t edit)
{
	const struct w_edit *given = &job->edits[edit];
	W_AUTO_LINES struct w_edit_lines text = {NULL, 0};
	W_AUTO_LINES struct w_edit_lines wanted = {NULL, 0};
	struct w_buf *why = text_edit_begin_why(job, edit);

	w_buf_add_str(why, "old_string is not in the file; ");
	const size_t len = why->len;
	if (w_edit_lines_init(&text, job->text, job->len) &&
	    w_edit_lines_init(&wanted, given->old_text, given->old_len))
		w_edit_add_nearest(why, &text, &wanted);
	if (why->len == len)
		w_buf_add_str(why, "nothing in it is similar: read it again");
	return WRIT_E_INVALID;
}

static writ_status
text_edit_fail_many(struct edit_job *job, size_t edit, size_t first)
{
	const size_t found = job->place_count - first;
	struct w_buf *why = text_edit_begin_why(job, edit);

	w_buf_add_fmt(why, "old_string is there %zu times, in lines ", found);
	for (size_t i = 0; i < found && i < LISTED; i++)
		w_buf_add_fmt(why, "%s%zu", i == 0 ? "" : ", ",
		    w_edit_line_of(job->text, job->places[first + i].offset));
	w_buf_add_fmt(why,
	    "%s: give more of the lines around the one that you mean, or set "
	    "replace_all",
	    found > LISTED ? ", ..." : "");
	return WRIT_E_INVALID;
}

static writ_status
text_edit_find(struct edit_job *job, size_t edit)
{
	const struct w_edit *exact = &job->exact[edit];
	const size_t first = job->place_count;
	size_t at = 0;

	if (exact->old_len == 0) {
		w_buf_add_str(text_edit_begin_why(job, edit),
		    "old_string is empty; to make a file or replace all of it, "
		    "use write");
		return WRIT_E_INVALID;
	}
	if (exact->old_len == exact->new_len &&
	    memcmp(exact->old_text, exact->new_text, exact->old_len) == 0) {
		w_buf_add_str(text_edit_begin_why(job, edit),
		    "old_string and new_string are the same");
		return WRIT_E_INVALID;
	}
	while (at < job->len) {
		const char *found = memmem(job->text + at, job->len - at,
		    exact->old_text, exact->old_len);

		if (found == NULL)
			break;
		if (!w_grow(&job->places, job->place_count, &job->place_cap))
			return WRIT_E_NOMEM;
		at = (size_t)(found - job->text);
		job->places[job->place_count++] = (struct edit_place){at, edit};
		at += exact->old_len;
	}
	if (job->place_count == first)
		return text_edit_fail_missing(job, edit);
	return exact->is_global || job->place_count == first + 1
		   ? WRIT_OK
		   : text_edit_fail_many(job, edit, first);
}

/* ---- check ---- */

static int
text_edit_compare(const void *a, const void *b)
{
	const struct edit_place *left = a;
	const struct edit_place *right = b;

	if (left->offset != right->offset)
		return left->offset < right->offset ? -1 : 1;
	return left->edit < right->edit ? -1 : left->edit > right->edit;
}

static writ_status
text_edit_check_overlap(struct edit_job *job)
{
	qsort(job->places, job->place_count, sizeof(*job->places),
	    text_edit_compare);
	for (size_t i = 1; i < job->place_count; i++) {
		const struct edit_place *before = &job->places[i - 1];
		const struct edit_place *place = &job->places[i];

		if (before->offset + job->exact[before->edit].old_len <=
		    place->offset)
			continue;
		w_buf_add_fmt(job->why,
		    "edits %zu and %zu overlap in line %zu: make one edit of "
		    "them",
		    (before->edit < place->edit ? before->edit : place->edit) +
			1,
		    (before->edit < place->edit ? place->edit : before->edit) +
			1,
		    w_edit_line_of(job->text, place->offset));
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

/* ---- write ---- */

static writ_status
text_edit_write(
    const struct edit_job *job, struct w_buf *out, struct w_edit_done *out_done)
{
	const size_t begin = out->len;
	size_t first = 0, last = 0, at = 0;

	for (size_t i = 0; i < job->place_count; i++) {
		const struct edit_place *place = &job->places[i];
		const struct w_edit *exact = &job->exact[place->edit];

		w_buf_add(out, job->text + at, place->offset - at);
		if (i == 0)
			first = out->len - begin;
		w_buf_add(out, exact->new_text, exact->new_len);
		last = out->len - begin;
		at = place->offset + exact->old_len;
	}
	w_buf_add(out, job->text + at, job->len - at);
	if (out->failed)
		return WRIT_E_NOMEM;
	*out_done = (struct w_edit_done){
	    .count = job->place_count,
	    .first_line = w_edit_line_of(out->data + begin, first),
	    .last_line = w_edit_line_of(
		out->data + begin, last > first ? last - 1 : last),
	};
	return WRIT_OK;
}

writ_status
w_edit_apply(const char *text, size_t len, const struct w_edit *edits,
    size_t count, struct w_buf *out, struct w_edit_done *out_done,
    struct w_buf *why)
{
	struct edit_job job = {
	    .text = text,
	    .len = len,
	    .edits = edits,
	    .count = count,
	    .why = why,
	};
	writ_status status = WRIT_OK;

	if (count == 0 || count > W_EDIT_MAX) {
		w_buf_add_fmt(
		    why, "expected 1 to %d edits, got %zu", W_EDIT_MAX, count);
		return WRIT_E_INVALID;
	}
	if (!text_edit_convert(&job))
		status = WRIT_E_NOMEM;
	for (size_t i = 0; i < count && status == WRIT_OK; i++)
		status = text_edit_find(&job, i);
	if (status == WRIT_OK)
		status = text_edit_check_overlap(&job);
	if (status == WRIT_OK)
		status = text_edit_write(&job, out, out_done);
	text_edit_done(&job);
	return status;
}
