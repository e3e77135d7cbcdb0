/* SPDX-License-Identifier: Apache-2.0 */

/* The index's schema, as SQL. */

#include <string.h>

#include "audit/index/index.h"

/* Programs are stored by the last component of their path. The indexes by time
 * and by run are created last: twice as fast as maintaining them. */
static const char tables[] =
    "CREATE TABLE records(seq INTEGER PRIMARY KEY, segment INT, offset INT,"
    " len INT, time INT, kind TEXT, run TEXT, agent TEXT, program TEXT,"
    " asked TEXT, outcome TEXT, code INT);"
    "CREATE TABLE open(seq INTEGER PRIMARY KEY, run TEXT);"
    "CREATE TABLE state(id INTEGER PRIMARY KEY, seq INT, segment INT,"
    " offset INT, len INT, hash TEXT, max_time INT, max_back INT,"
    " disordered INT);";

static const char searchable[] =
    "CREATE INDEX records_time ON records(time);"
    "CREATE INDEX records_run ON records(run) WHERE run IS NOT NULL;";

int
w_index_exec(struct w_index *index, const char *sql)
{
	return index->api->exec(index->db, sql, NULL, NULL, NULL);
}

sqlite3_stmt *
w_index_prepare(struct w_index *index, const char *sql)
{
	sqlite3_stmt *stmt = NULL;

	(void)index->api->prepare_v2(index->db, sql, -1, &stmt, NULL);
	return stmt;
}

int
w_index_make_tables(struct w_index *index)
{
	return w_index_exec(index, tables);
}

int
w_index_make_searchable(struct w_index *index)
{
	return w_index_exec(index, searchable);
}

static void
take_state(struct w_index *index, sqlite3_stmt *row)
{
	const struct w_sqlite *api = index->api;
	struct w_index_state *state = &index->state;
	const unsigned char *hash = api->column_text(row, 4);

	if (hash == NULL || strlen((const char *)hash) != W_SHA256_HEX)
		return;
	state->last.seq = (uint64_t)api->column_int64(row, 0);
	state->last.segment = (uint32_t)api->column_int64(row, 1);
	state->last.offset = (uint64_t)api->column_int64(row, 2);
	state->last.len = (uint32_t)api->column_int64(row, 3);
	memcpy(state->hash, hash, W_SHA256_HEX + 1);
	state->max_time_us = (uint64_t)api->column_int64(row, 5);
	state->max_back_us = (uint64_t)api->column_int64(row, 6);
	state->is_disordered = api->column_int64(row, 7) != 0;
}

int
w_index_load_state(struct w_index *index)
{
	const struct w_sqlite *api = index->api;
	sqlite3_stmt *row = w_index_prepare(index,
	    "SELECT seq, segment, offset, len, hash, max_time, max_back, "
	    "disordered FROM state WHERE id = 1");

	index->state = (struct w_index_state){0};
	if (row == NULL)
		return api->extended_errcode(index->db);
	int code = api->step(row);
	if (code == SQLITE_ROW)
		take_state(index, row);
	(void)api->finalize(row);
	return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

int
w_index_save_state(struct w_index *index)
{
	const struct w_sqlite *api = index->api;
	const struct w_index_state *state = &index->state;
	const uint64_t values[] = {state->last.seq, state->last.segment,
	    state->last.offset, state->last.len, state->max_time_us,
	    state->max_back_us, state->is_disordered};
	sqlite3_stmt *row = w_index_prepare(index,
	    "INSERT OR REPLACE INTO state(id, seq, segment, offset, len, "
	    "max_time, max_back, disordered, hash) "
	    "VALUES(1, ?, ?, ?, ?, ?, ?, ?, ?)");

	if (row == NULL)
		return api->extended_errcode(index->db);
	for (int i = 0; i < 7; i++)
		(void)api->bind_int64(row, i + 1, (sqlite3_int64)values[i]);
	(void)api->bind_text(row, 8, state->hash, -1, SQLITE_STATIC);
	int code = api->step(row);
	(void)api->finalize(row);
	return code == SQLITE_DONE ? SQLITE_OK : code;
}
