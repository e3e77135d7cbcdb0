/* SPDX-License-Identifier: Apache-2.0 */

/* Runs a query over the trail. */

#include "audit/query/query.h"

#include <stdlib.h>
#include <string.h>

#include "audit/index/index.h"
#include "audit/query/cursor.h"
#include "base/auto.h"
#include "log/log_reader.h"

/* ---- one candidate ---- */

static bool
match_run(struct w_query *query, const struct w_audit_run_view *view,
    const struct w_log_line *begin)
{
	const struct w_filter *filter = &query->filter;

	return w_filter_has_position(filter, begin->seq, begin->time_us) &&
	       w_filter_has_run(filter, view->begin.run) &&
	       w_filter_has_request(filter, &view->begin) &&
	       w_filter_has_outcome(filter, view->state, &view->begin,
		   view->has_end ? &view->end : NULL);
}

static bool
match_record(struct w_query *query, const struct w_entry *entry,
    const struct w_log_line *line)
{
	const struct w_filter *filter = &query->filter;
	const char *run = entry->run == NULL ? "" : entry->run;

	return w_filter_has_position(filter, line->seq, line->time_us) &&
	       w_filter_has_run(filter, run) &&
	       (filter->want.kind == NULL ||
		   w_log_line_is(line, filter->want.kind)) &&
	       (query->only == NULL ||
		   w_audit_run_map_get(query->only, run) != NULL) &&
	       w_filter_has_text(filter, line->bytes, line->len);
}

static void
give_record(struct w_query *query, const struct w_entry *entry,
    const struct w_log_line *line, const struct w_trail_position *position)
{
	char file[W_LOG_NAME_MAX];

	w_log_segment_name(W_TRAIL_NAME, position->segment, file);
	const writ_record record = {
	    .seq = line->seq,
	    .time_us = line->time_us,
	    .kind = entry->word,
	    .run_id = entry->run,
	    .json = line->bytes,
	    .json_len = line->len,
	    .file = file,
	    .offset = position->offset,
	};
	query->is_over = !query->on_record(query->ctx, &record);
}

/* What happened to a candidate. */
enum query_what {
	GIVE,
	KEEP, /* saved to be delivered in reverse */
};

static bool
query_keep(struct w_query *query, const struct w_candidate *candidate)
{
	size_t limit = query->filter.want.limit;

	if (query->kept_count == query->kept_cap &&
	    (limit == 0 || query->kept_cap < limit)) {
		size_t cap = query->kept_cap == 0 ? 64 : query->kept_cap * 2;

		if (limit != 0 && cap > limit)
			cap = limit;
		struct w_candidate *kept =
		    reallocarray(query->kept, cap, sizeof(*kept));
		if (kept == NULL)
			return false;
		query->kept = kept;
		query->kept_cap = cap;
	}
	query->kept[query->kept_count++ % query->kept_cap] = *candidate;
	return true;
}

static writ_status
query_accept(struct w_query *query, const struct w_candidate *candidate,
    enum query_what what, writ_error *err)
{
	if (what == KEEP)
		return query_keep(query, candidate)
			   ? WRIT_OK
			   : w_fail_nomem(err, "audit");
	query->given++;
	if (query->filter.want.limit == query->given)
		query->is_over = true;
	query->given_seq = candidate->begin.seq;
	return WRIT_OK;
}

/* Reads the lines of a candidate and checks that they are what the cursor
 * said. */
static writ_status
load_run(struct w_query *query, const struct w_candidate *candidate,
    struct w_log_line lines[2], bool *out_is_good, writ_error *err)
{
	bool is_there[2] = {false, false};
	char run[W_ID_LEN + 1];

	writ_status status = w_trail_lines_get(
	    &query->lines[0], &candidate->begin, &lines[0], &is_there[0], err);
	if (status == WRIT_OK && candidate->end.len != 0)
		status = w_trail_lines_get(&query->lines[1], &candidate->end,
		    &lines[1], &is_there[1], err);
	if (status != WRIT_OK)
		return status;
	*out_is_good = is_there[0] && is_there[1] == (candidate->end.len != 0);
	if (!*out_is_good || candidate->run[0] == '\0')
		return WRIT_OK;
	w_entry_run_of(&lines[0], run);
	*out_is_good = strcmp(run, candidate->run) == 0;
	return WRIT_OK;
}

static writ_status
try_run(struct w_query *query, const struct w_candidate *candidate,
    enum query_what what, writ_error *err)
{
	struct w_log_line lines[2];
	const struct w_log_line *end =
	    candidate->end.len != 0 ? &lines[1] : NULL;
	struct w_audit_run_view view;
	bool is_good;

	writ_status status = load_run(query, candidate, lines, &is_good, err);
	if (status != WRIT_OK)
		return status;
	if (is_good &&
	    !w_filter_has_text(&query->filter, lines[0].bytes, lines[0].len) &&
	    (end == NULL ||
		!w_filter_has_text(&query->filter, end->bytes, end->len)))
		return WRIT_OK;
	view.is_full = false;
	if (!is_good ||
	    !w_audit_run_view_init(&view, &lines[0], end, &query->liveness)) {
		query->is_stale = true;
		return view.is_full ? w_fail_nomem(err, "audit") : WRIT_OK;
	}
	if (match_run(query, &view, &lines[0])) {
		if (what == GIVE && !w_audit_run_view_fill(&view, &lines[0],
					end, query->audit->output_dir))
			status = w_fail_nomem(err, "audit");
		else if (what == GIVE)
			query->is_over = !query->on_run(query->ctx, &view.run);
		if (status == WRIT_OK)
			status = query_accept(query, candidate, what, err);
	}
	w_audit_run_view_done(&view);
	return status;
}

static writ_status
try_record(struct w_query *query, const struct w_candidate *candidate,
    enum query_what what, writ_error *err)
{
	struct w_log_line line;
	struct w_entry entry;
	bool is_there;

	writ_status status = w_trail_lines_get(
	    &query->lines[0], &candidate->begin, &line, &is_there, err);
	if (status != WRIT_OK)
		return status;
	entry.is_full = false;
	if (!is_there || !w_entry_read(&line, &entry)) {
		query->is_stale = !is_there;
		return entry.is_full ? w_fail_nomem(err, "audit") : WRIT_OK;
	}
	if (match_record(query, &entry, &line)) {
		if (what == GIVE)
			give_record(query, &entry, &line, &candidate->begin);
		status = query_accept(query, candidate, what, err);
	}
	w_entry_done(&entry);
	return status;
}

static writ_status
try_candidate(struct w_query *query, const struct w_candidate *candidate,
    enum query_what what, writ_error *err)
{
	return query->on_run != NULL ? try_run(query, candidate, what, err)
				     : try_record(query, candidate, what, err);
}

/* ---- all of them ---- */

static writ_status
give_kept(struct w_query *query, writ_error *err)
{
	size_t count = query->kept_count < query->kept_cap ? query->kept_count
							   : query->kept_cap;
	writ_status status = WRIT_OK;

	for (size_t i = 1; i <= count && !query->is_over; i++) {
		size_t at = (query->kept_count - i) % query->kept_cap;

		status = try_candidate(query, &query->kept[at], GIVE, err);
		if (status != WRIT_OK)
			break;
	}
	return status;
}

static writ_status
drain(struct w_query *query, struct w_cursor *cursor, writ_error *err)
{
	bool is_reversed =
	    query->filter.want.oldest_first && !cursor->is_ordered;
	bool is_there = true;

	while (!query->is_over && is_there && !cursor->is_broken) {
		struct w_candidate candidate;
		writ_status status =
		    cursor->next(cursor, &candidate, &is_there, err);

		if (status == WRIT_OK && is_there)
			status = try_candidate(
			    query, &candidate, is_reversed ? KEEP : GIVE, err);
		if (status != WRIT_OK)
			return status;
		if (query->is_stale && cursor->is_indexed)
			return WRIT_OK;
		query->is_stale = false;
	}
	return is_reversed ? give_kept(query, err) : WRIT_OK;
}

/* Whether nearly every line will be read anyway, in the trail's own order: then
 * an index only makes it slower. */
static bool
is_broad(const struct w_query *query)
{
	const writ_audit_filter *want = &query->filter.want;

	return !want->oldest_first &&
	       (want->limit == 0 || want->text != NULL) &&
	       want->run_id == NULL && want->since_us == 0 &&
	       want->until_us == 0 && want->after_seq == 0 &&
	       want->kind == NULL && !w_filter_is_of_runs(&query->filter);
}

/* A stale index is rebuilt once and then not used: nothing is delivered
 * twice. */
static writ_status
query_ask(struct w_query *query, writ_error *err)
{
	for (int tries = 0; tries < 2 && !is_broad(query); tries++) {
		struct w_cursor *cursor = NULL;
		writ_status status = w_cursor_open_index(query, &cursor, err);

		if (status != WRIT_OK || cursor == NULL) {
			if (status != WRIT_OK)
				return status;
			break;
		}
		query->is_stale = false;
		status = drain(query, cursor, err);
		bool is_good = !query->is_stale && !cursor->is_broken;
		cursor->release(cursor);
		if (status != WRIT_OK || is_good)
			return status;
		w_index_drop(query->audit, "it did not fit the trail");
	}
	struct w_cursor *cursor = NULL;
	writ_status status = w_cursor_open_trail(query, &cursor, err);
	if (status != WRIT_OK)
		return status;
	status = drain(query, cursor, err);
	cursor->release(cursor);
	return status;
}

writ_status
w_query_run(
    struct w_query *query, const writ_audit_filter *given, writ_error *err)
{
	writ_status status = w_audit_find_dir(query->audit, err);

	if (status == WRIT_OK)
		status = w_filter_init(&query->filter, given, err);
	if (status != WRIT_OK)
		return status;
	for (int i = 0; i < 2; i++)
		w_trail_lines_init(&query->lines[i], query->audit->dir_fd);
	w_liveness_init(&query->liveness);
	if (query->audit->dir_fd >= 0)
		status = query_ask(query, err);
	for (int i = 0; i < 2; i++)
		w_trail_lines_done(&query->lines[i]);
	free(query->kept);
	w_filter_done(&query->filter);
	return status;
}
