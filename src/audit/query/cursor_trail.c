/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Candidates from the trail itself, newest first. In this direction the end of
 * a run comes before its begin: ends wait in a map for their begins, so memory
 * holds only the runs that overlap.
 */

#include "audit/query/cursor.h"

#include <stdlib.h>

struct trail_cursor {
	struct w_cursor cursor;
	const struct w_query *query;
	struct w_trail_lines lines;
	struct w_trail_backward backward;
	struct w_audit_run_map ends;
	uint64_t before_seq; /* only earlier ones; 0: any */
	uint64_t after_seq;  /* only later ones */
};

/* Cheap pre-filter: whether the line must be parsed. */
static bool
is_candidate(const struct trail_cursor *cursor, const struct w_log_line *line,
    const char *run)
{
	const struct w_query *query = cursor->query;

	if (cursor->before_seq != 0 && line->seq >= cursor->before_seq)
		return false;
	if (!w_filter_has_position(&query->filter, line->seq, line->time_us))
		return false;
	/* An empty one may still appear elsewhere in the line. */
	return run[0] == '\0' || w_filter_has_run(&query->filter, run);
}

static bool
cursor_trail_take_record(struct trail_cursor *cursor,
    const struct w_log_line *line, const struct w_trail_position *position,
    struct w_candidate *out_candidate)
{
	const struct w_query *query = cursor->query;
	const char *kind = query->filter.want.kind;
	char run[W_ID_LEN + 1];

	w_entry_run_of(line, run);
	if ((kind != NULL && !w_log_line_is(line, kind)) ||
	    !is_candidate(cursor, line, run))
		return false;
	if (query->only != NULL &&
	    w_audit_run_map_get(query->only, run) == NULL)
		return false;
	*out_candidate = (struct w_candidate){.begin = *position};
	return true;
}

/* *out_is_full: no memory for another end. */
static bool
cursor_trail_take_run(struct trail_cursor *cursor,
    const struct w_log_line *line, const struct w_trail_position *position,
    struct w_candidate *out_candidate, bool *out_is_full)
{
	enum w_entry_kind kind = w_entry_kind_of(line);
	struct w_audit_run_slot *slot;
	char run[W_ID_LEN + 1];

	*out_is_full = false;
	w_entry_run_of(line, run);
	if (kind == W_ENTRY_OTHER || run[0] == '\0')
		return false;
	if (kind == W_ENTRY_END) {
		slot = w_audit_run_map_put(&cursor->ends, run);
		*out_is_full = slot == NULL;
		if (slot != NULL)
			slot->position = *position;
		return false;
	}
	slot = kind == W_ENTRY_BEGIN ? w_audit_run_map_get(&cursor->ends, run)
				     : NULL;
	*out_candidate = (struct w_candidate){.begin = *position};
	if (slot != NULL) {
		out_candidate->end = slot->position;
		w_audit_run_map_drop(slot);
	}
	return is_candidate(cursor, line, run);
}

static writ_status
cursor_trail_next(struct w_cursor *base, struct w_candidate *out_candidate,
    bool *out_is_there, writ_error *err)
{
	struct trail_cursor *cursor = (struct trail_cursor *)base;
	bool is_found = false;
	bool is_full = false;

	*out_is_there = false;
	while (!is_found) {
		struct w_log_line line;
		struct w_trail_position position;
		bool is_there;
		writ_status status = w_trail_backward_next(
		    &cursor->backward, &line, &position, &is_there, err);

		if (status != WRIT_OK || !is_there ||
		    line.seq <= cursor->after_seq)
			return status;
		is_found = cursor->query->on_run != NULL
			       ? cursor_trail_take_run(cursor, &line, &position,
				     out_candidate, &is_full)
			       : cursor_trail_take_record(
				     cursor, &line, &position, out_candidate);
		if (is_full)
			return w_fail_nomem(err, "audit");
	}
	*out_is_there = true;
	return WRIT_OK;
}

static void
cursor_trail_release(struct w_cursor *base)
{
	struct trail_cursor *cursor = (struct trail_cursor *)base;

	w_trail_backward_done(&cursor->backward);
	w_trail_lines_done(&cursor->lines);
	w_audit_run_map_done(&cursor->ends);
	free(cursor);
}

writ_status
w_cursor_open_trail(
    const struct w_query *query, struct w_cursor **out_cursor, writ_error *err)
{
	struct trail_cursor *cursor = calloc(1, sizeof(*cursor));

	if (cursor == NULL)
		return w_fail_nomem(err, "audit");
	cursor->cursor = (struct w_cursor){
	    .next = cursor_trail_next, .release = cursor_trail_release};
	cursor->query = query;
	cursor->after_seq = query->filter.want.after_seq;
	if (!query->filter.want.oldest_first)
		cursor->before_seq = query->given_seq;
	else if (query->given_seq > cursor->after_seq)
		cursor->after_seq = query->given_seq;
	w_trail_lines_init(&cursor->lines, query->audit->dir_fd);
	writ_status status =
	    w_trail_backward_init(&cursor->backward, &cursor->lines, err);
	if (status != WRIT_OK) {
		cursor_trail_release(&cursor->cursor);
		return status;
	}
	*out_cursor = &cursor->cursor;
	return WRIT_OK;
}
