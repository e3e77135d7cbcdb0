/* SPDX-License-Identifier: Apache-2.0 */

/* Adds the new lines of a trail to its index, up to the last complete one. */

#include <stdlib.h>
#include <string.h>

#include "audit/index/index.h"
#include "audit/query/entry.h"
#include "base/basename.h"
#include "log/log_reader.h"

/* Columns of an insertion, from 1. */
enum index_fill_column {
	SEQ = 1,
	SEGMENT,
	OFFSET,
	LEN,
	TIME,
	KIND,
	RUN,
	AGENT,
	PROGRAM,
	ASKED,
	OUTCOME,
	CODE,
};

struct fill {
	struct w_index *index;
	const struct w_sqlite *api;
	sqlite3_stmt *insert;
	struct w_audit_run_map open; /* begin records without an end */
};

static void
bind_number(struct fill *fill, enum index_fill_column column, uint64_t value)
{
	(void)fill->api->bind_int64(
	    fill->insert, (int)column, (sqlite3_int64)value);
}

/* The text must last until the row is stepped. */
static void
bind_text(struct fill *fill, enum index_fill_column column, const char *text)
{
	if (text == NULL)
		(void)fill->api->bind_null(fill->insert, (int)column);
	else
		(void)fill->api->bind_text(
		    fill->insert, (int)column, text, -1, SQLITE_STATIC);
}

static void
bind_entry(struct fill *fill, const struct w_entry *entry)
{
	bind_text(fill, KIND, entry->word);
	bind_text(fill, RUN, entry->run);
	bind_text(fill, AGENT, entry->agent);
	bind_text(fill, PROGRAM, w_basename(entry->program));
	bind_text(fill, ASKED, w_basename(entry->asked));
	bind_text(fill, OUTCOME, entry->outcome);
	if (entry->kind == W_ENTRY_END)
		(void)fill->api->bind_int64(
		    fill->insert, CODE, entry->exit_code);
	else
		(void)fill->api->bind_null(fill->insert, CODE);
}

/* false: no memory. */
static bool
note_open(struct fill *fill, const struct w_entry *entry, uint64_t seq)
{
	struct w_audit_run_slot *slot;

	if (entry->run == NULL)
		return true;
	if (entry->kind == W_ENTRY_END) {
		slot = w_audit_run_map_get(&fill->open, entry->run);
		if (slot != NULL)
			w_audit_run_map_drop(slot);
		return true;
	}
	if (entry->kind != W_ENTRY_BEGIN)
		return true;
	slot = w_audit_run_map_put(&fill->open, entry->run);
	if (slot != NULL)
		slot->position.seq = seq;
	return slot != NULL;
}

static int
index_fill_put_line(struct fill *fill, const struct w_log_line *line,
    const struct w_log_place *place)
{
	struct w_entry entry;

	/* Not JSON, so not a record. */
	if (!w_entry_read(line, &entry))
		return entry.is_full ? SQLITE_NOMEM : SQLITE_OK;
	bind_number(fill, SEQ, line->seq);
	bind_number(fill, SEGMENT, place->segment);
	bind_number(fill, OFFSET, place->offset);
	bind_number(fill, LEN, line->len);
	bind_number(fill, TIME, line->time_us);
	bind_entry(fill, &entry);
	int code = fill->api->step(fill->insert);
	(void)fill->api->reset(fill->insert);
	if (code == SQLITE_DONE && !note_open(fill, &entry, line->seq))
		code = SQLITE_NOMEM;
	w_entry_done(&entry);
	return code == SQLITE_DONE ? SQLITE_OK : code;
}

static void
advance(struct w_index_state *state, const struct w_log_line *line,
    const struct w_log_place *place)
{
	if (line->time_us >= state->max_time_us)
		state->max_time_us = line->time_us;
	else if (state->max_time_us - line->time_us > state->max_back_us)
		state->max_back_us = state->max_time_us - line->time_us;
	state->last = (struct w_trail_position){.seq = line->seq,
	    .segment = place->segment,
	    .offset = place->offset,
	    .len = (uint32_t)line->len};
	memcpy(state->hash, line->hash, W_SHA256_HEX);
	state->hash[W_SHA256_HEX] = '\0';
}

static int
read_lines(struct fill *fill, struct w_log_reader *reader)
{
	struct w_index_state *state = &fill->index->state;
	int code = SQLITE_OK;

	while (code == SQLITE_OK) {
		enum w_log_read what;
		struct w_log_line line;
		struct w_log_place place;

		if (w_log_reader_next(reader, &what, &line, &place, NULL) !=
		    WRIT_OK)
			return SQLITE_IOERR;
		if (what == W_LOG_END)
			break;
		if (what != W_LOG_LINE)
			continue;
		if (line.seq <= state->last.seq) {
			state->is_disordered = true;
			break;
		}
		code = index_fill_put_line(fill, &line, &place);
		if (code == SQLITE_OK)
			advance(state, &line, &place);
	}
	return code;
}

/* Runs with a begin record and no end record, from the last update. */
static int
load_open_runs(struct fill *fill)
{
	const struct w_sqlite *api = fill->api;
	sqlite3_stmt *row =
	    w_index_prepare(fill->index, "SELECT seq, run FROM open");
	int code = row == NULL ? SQLITE_ERROR : api->step(row);

	while (code == SQLITE_ROW) {
		const char *run = (const char *)api->column_text(row, 1);
		struct w_audit_run_slot *slot =
		    run == NULL || !w_entry_is_run_id(run, strlen(run))
			? NULL
			: w_audit_run_map_put(&fill->open, run);

		if (slot == NULL) {
			code = SQLITE_CORRUPT;
			break;
		}
		slot->position.seq = (uint64_t)api->column_int64(row, 0);
		code = api->step(row);
	}
	(void)api->finalize(row);
	return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int
save_open_runs(struct fill *fill)
{
	const struct w_sqlite *api = fill->api;
	int code = w_index_exec(fill->index, "DELETE FROM open");
	sqlite3_stmt *row = w_index_prepare(
	    fill->index, "INSERT OR REPLACE INTO open(seq, run) VALUES(?, ?)");

	if (row == NULL)
		return SQLITE_ERROR;
	for (size_t i = 0; i < fill->open.cap && code == SQLITE_OK; i++) {
		const struct w_audit_run_slot *slot = &fill->open.slots[i];

		if (slot->run[0] == '\0' || slot->is_gone)
			continue;
		(void)api->bind_int64(
		    row, 1, (sqlite3_int64)slot->position.seq);
		(void)api->bind_text(row, 2, slot->run, -1, SQLITE_STATIC);
		code = api->step(row) == SQLITE_DONE ? SQLITE_OK : SQLITE_ERROR;
		(void)api->reset(row);
	}
	(void)api->finalize(row);
	return code;
}

static int
fill_from(struct fill *fill, writ_audit *audit)
{
	const struct w_trail_position *last = &fill->index->state.last;
	struct w_log_reader *reader;
	uint64_t offset = last->len == 0 ? 0 : last->offset + last->len + 1;

	if (w_log_reader_open(audit->dir, W_TRAIL_NAME, &reader, NULL) !=
	    WRIT_OK)
		return SQLITE_IOERR;
	int code =
	    w_log_reader_seek(reader, last->segment, offset, NULL) == WRIT_OK
		? read_lines(fill, reader)
		: SQLITE_IOERR;
	w_log_reader_free(reader);
	return code;
}

int
w_index_fill(struct w_index *index, writ_audit *audit)
{
	struct fill fill = {.index = index, .api = index->api};

	fill.insert = w_index_prepare(index,
	    "INSERT INTO records VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	if (fill.insert == NULL)
		return SQLITE_CORRUPT;
	index->state.is_disordered = false;
	int code = load_open_runs(&fill);
	if (code == SQLITE_OK)
		code = fill_from(&fill, audit);
	if (code == SQLITE_OK)
		code = save_open_runs(&fill);
	if (code == SQLITE_OK)
		code = w_index_save_state(index);
	(void)index->api->finalize(fill.insert);
	w_audit_run_map_done(&fill.open);
	return code;
}
