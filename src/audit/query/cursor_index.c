/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Candidates from the index, in the order of the query.
 *
 * The times of records rise unless the clock was set back. The index knows the
 * largest step back, so a range of times becomes a range of numbers that may be
 * too wide but never too narrow.
 */

#include <stdlib.h>
#include <string.h>

#include "audit/index/index.h"
#include "audit/query/cursor.h"
#include "base/basename.h"
#include "base/buf.h"

enum {
	VALUES_MAX = 16,
	SQL_MAX = 4096
};

/* A statement and its bound values. */
struct sql {
	struct w_buf text;
	struct value {
		const char *text; /* NULL: a number */
		uint64_t number;
	} values[VALUES_MAX];
	int count;
};

struct index_cursor {
	struct w_cursor cursor;
	writ_audit *audit;
	struct w_index *index;
	sqlite3_stmt *rows;
	sqlite3_stmt *end;  /* NULL: no runs are wanted */
	sqlite3_stmt *open; /* likewise */
};

static void
cursor_index_add_number(struct sql *sql, const char *text, uint64_t number)
{
	w_buf_add_str(&sql->text, text);
	sql->values[sql->count++] = (struct value){.number = number};
}

static void
cursor_index_add_text(struct sql *sql, const char *text, const char *value)
{
	w_buf_add_str(&sql->text, text);
	sql->values[sql->count++] = (struct value){.text = value};
}

static sqlite3_stmt *
cursor_index_prepare(struct w_index *index, const struct sql *sql)
{
	sqlite3_stmt *stmt =
	    sql->text.failed ? NULL : w_index_prepare(index, sql->text.data);

	for (int i = 0; stmt != NULL && i < sql->count; i++) {
		const struct value *value = &sql->values[i];

		if (value->text == NULL)
			(void)index->api->bind_int64(
			    stmt, i + 1, (sqlite3_int64)value->number);
		else
			(void)index->api->bind_text(
			    stmt, i + 1, value->text, -1, SQLITE_TRANSIENT);
	}
	return stmt;
}

/* ---- where ---- */

static uint64_t
ask_number(struct w_index *index, const char *text, uint64_t number,
    uint64_t otherwise)
{
	struct sql sql = {.count = 0};

	w_buf_init(&sql.text, SQL_MAX);
	cursor_index_add_number(&sql, text, number);
	sqlite3_stmt *row = cursor_index_prepare(index, &sql);
	if (row != NULL && index->api->step(row) == SQLITE_ROW)
		otherwise = (uint64_t)index->api->column_int64(row, 0);
	(void)index->api->finalize(row);
	w_buf_done(&sql.text);
	return otherwise;
}

static void
cursor_index_add_times(
    struct sql *sql, struct w_index *index, const struct w_query *query)
{
	uint64_t back = index->state.max_back_us;
	uint64_t since = query->filter.want.since_us;
	uint64_t until = query->filter.want.until_us;

	if (since > back) {
		cursor_index_add_number(sql, " AND b.seq > ?",
		    ask_number(index,
			"SELECT seq FROM records WHERE time < ? "
			"ORDER BY time DESC LIMIT 1",
			since - back, 0));
		cursor_index_add_number(sql, " AND b.time >= ?", since);
	}
	if (until != 0 && until < INT64_MAX - back) {
		cursor_index_add_number(sql, " AND b.seq < ?",
		    ask_number(index,
			"SELECT seq FROM records WHERE time > ? "
			"ORDER BY time LIMIT 1",
			until + back, INT64_MAX));
		cursor_index_add_number(sql, " AND b.time <= ?", until);
	}
}

#define END_OF_RUN                                            \
	"EXISTS(SELECT 1 FROM records e WHERE e.run = b.run " \
	"AND e.kind = 'end' AND "

static void
add_outcome(struct sql *sql, const char *outcome)
{
	if (strcmp(outcome, "ok") == 0) {
		w_buf_add_str(&sql->text,
		    " AND " END_OF_RUN "e.outcome = 'exited' AND e.code = 0)");
	} else if (strcmp(outcome, "failed") == 0) {
		w_buf_add_str(&sql->text,
		    " AND " END_OF_RUN
		    "(e.outcome IS NOT 'exited' OR e.code IS NOT 0))");
	} else if (strcmp(outcome, "refused") == 0) {
		w_buf_add_str(&sql->text, " AND b.kind = 'refused'");
	} else if (strcmp(outcome, "running") == 0 ||
		   strcmp(outcome, "lost") == 0 ||
		   strcmp(outcome, "unknown") == 0) {
		w_buf_add_str(
		    &sql->text, " AND b.seq IN (SELECT seq FROM open)");
	} else {
		cursor_index_add_text(sql, " AND (b.outcome = ? OR ", outcome);
		cursor_index_add_text(
		    sql, END_OF_RUN "e.outcome = ?))", outcome);
	}
}

static void
add_run_filters(struct sql *sql, const writ_audit_filter *want)
{
	w_buf_add_str(&sql->text,
	    " AND b.kind IN ('begin', 'refused') AND b.run IS NOT NULL");
	if (want->agent != NULL)
		cursor_index_add_text(sql, " AND b.agent = ?", want->agent);
	if (want->program != NULL) {
		cursor_index_add_text(
		    sql, " AND (b.program = ?", w_basename(want->program));
		cursor_index_add_text(
		    sql, " OR b.asked = ?)", w_basename(want->program));
	}
	if (want->outcome != NULL)
		add_outcome(sql, want->outcome);
}

/* b is the row of a record; e, in END_OF_RUN, the end record of its run. */
static void
write_query(struct sql *sql, struct w_index *index, const struct w_query *query)
{
	const writ_audit_filter *want = &query->filter.want;

	w_buf_add_str(&sql->text,
	    "SELECT b.seq, b.segment, b.offset, b.len, b.run, b.kind "
	    "FROM records b ");
	if (want->run_id != NULL) {
		cursor_index_add_text(sql,
		    "INDEXED BY records_run WHERE b.run >= ?", want->run_id);
		cursor_index_add_text(
		    sql, " AND b.run < ? || '~'", want->run_id);
	} else {
		w_buf_add_str(&sql->text, "NOT INDEXED WHERE 1");
	}
	if (want->after_seq != 0 && want->after_seq < INT64_MAX)
		cursor_index_add_number(sql, " AND b.seq > ?", want->after_seq);
	if (query->given_seq != 0)
		cursor_index_add_number(sql,
		    want->oldest_first ? " AND b.seq > ?" : " AND b.seq < ?",
		    query->given_seq);
	cursor_index_add_times(sql, index, query);
	if (query->on_run != NULL)
		add_run_filters(sql, want);
	else if (want->kind != NULL)
		cursor_index_add_text(sql, " AND b.kind = ?", want->kind);
	w_buf_add_str(&sql->text,
	    want->oldest_first ? " ORDER BY b.seq" : " ORDER BY b.seq DESC");
}

/* ---- rows ---- */

static struct w_trail_position
take_position(const struct index_cursor *cursor, sqlite3_stmt *row)
{
	const struct w_sqlite *api = cursor->index->api;

	return (struct w_trail_position){
	    .seq = (uint64_t)api->column_int64(row, 0),
	    .segment = (uint32_t)api->column_int64(row, 1),
	    .offset = (uint64_t)api->column_int64(row, 2),
	    .len = (uint32_t)api->column_int64(row, 3),
	};
}

/* false: the index contradicts itself. */
static bool
find_end(
    struct index_cursor *cursor, struct w_candidate *candidate, bool is_begin)
{
	const struct w_sqlite *api = cursor->index->api;

	(void)api->bind_text(cursor->end, 1, candidate->run, -1, SQLITE_STATIC);
	(void)api->bind_int64(
	    cursor->end, 2, (sqlite3_int64)candidate->begin.seq);
	int code = api->step(cursor->end);
	if (code == SQLITE_ROW)
		candidate->end = take_position(cursor, cursor->end);
	(void)api->reset(cursor->end);
	if (code == SQLITE_ROW)
		return candidate->end.len != 0;
	if (code != SQLITE_DONE || !is_begin)
		return code == SQLITE_DONE;
	/* Runs without an end are in the open table: one that is not has lost
	 * its end. */
	(void)api->bind_int64(
	    cursor->open, 1, (sqlite3_int64)candidate->begin.seq);
	bool is_open = api->step(cursor->open) == SQLITE_ROW;
	(void)api->reset(cursor->open);
	return is_open;
}

static bool
cursor_index_take_run(
    struct index_cursor *cursor, struct w_candidate *candidate)
{
	const struct w_sqlite *api = cursor->index->api;
	const char *run = (const char *)api->column_text(cursor->rows, 4);
	const char *kind = (const char *)api->column_text(cursor->rows, 5);

	if (run == NULL || kind == NULL || strlen(run) > W_ID_LEN)
		return false;
	memcpy(candidate->run, run, strlen(run) + 1);
	return find_end(cursor, candidate, strcmp(kind, "begin") == 0);
}

static writ_status
cursor_index_next(struct w_cursor *base, struct w_candidate *out_candidate,
    bool *out_is_there, writ_error *err)
{
	struct index_cursor *cursor = (struct index_cursor *)base;
	int code = cursor->index->api->step(cursor->rows);

	(void)err;
	*out_is_there = code == SQLITE_ROW;
	base->is_broken = code != SQLITE_ROW && code != SQLITE_DONE;
	if (code != SQLITE_ROW)
		return WRIT_OK;
	*out_candidate =
	    (struct w_candidate){.begin = take_position(cursor, cursor->rows)};
	if (cursor->end != NULL &&
	    !cursor_index_take_run(cursor, out_candidate)) {
		base->is_broken = true;
		*out_is_there = false;
	}
	return WRIT_OK;
}

static void
cursor_index_release(struct w_cursor *base)
{
	struct index_cursor *cursor = (struct index_cursor *)base;

	(void)cursor->index->api->finalize(cursor->rows);
	(void)cursor->index->api->finalize(cursor->end);
	(void)cursor->index->api->finalize(cursor->open);
	cursor->audit->index_users--;
	free(cursor);
}

static bool
prepare_cursor(struct index_cursor *cursor, const struct w_query *query)
{
	struct sql sql = {.count = 0};

	w_buf_init(&sql.text, SQL_MAX);
	write_query(&sql, cursor->index, query);
	cursor->rows = cursor_index_prepare(cursor->index, &sql);
	w_buf_done(&sql.text);
	if (query->on_run == NULL)
		return cursor->rows != NULL;
	cursor->end = w_index_prepare(cursor->index,
	    "SELECT seq, segment, offset, len FROM records WHERE run = ? AND "
	    "kind = 'end' AND seq > ? ORDER BY seq LIMIT 1");
	cursor->open =
	    w_index_prepare(cursor->index, "SELECT 1 FROM open WHERE seq = ?");
	return cursor->rows != NULL && cursor->end != NULL &&
	       cursor->open != NULL;
}

writ_status
w_cursor_open_index(
    const struct w_query *query, struct w_cursor **out_cursor, writ_error *err)
{
	struct w_index *index = w_index_ready(query->audit);

	*out_cursor = NULL;
	if (index == NULL)
		return WRIT_OK;
	struct index_cursor *cursor = calloc(1, sizeof(*cursor));
	if (cursor == NULL)
		return w_fail_nomem(err, "audit");
	cursor->cursor = (struct w_cursor){.next = cursor_index_next,
	    .release = cursor_index_release,
	    .is_ordered = true,
	    .is_indexed = true};
	cursor->index = index;
	cursor->audit = query->audit;
	cursor->audit->index_users++;
	cursor->cursor.is_broken = !prepare_cursor(cursor, query);
	*out_cursor = &cursor->cursor;
	return WRIT_OK;
}
