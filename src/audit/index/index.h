/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_INDEX_H
#define W_AUDIT_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "audit/audit.h"
#include "audit/index/sqlite.h"
#include "audit/query/audit_run_map.h"
#include "base/sha256.h"

/*
 * The index of a trail: the position of each record and the columns that
 * filters use.
 *
 *     records   a row for each line that is a record, by its number
 *     open      the begin records without an end
 *     state     up to where the trail was read, one row
 *
 * Readers build and update it before each query; a writer never touches it. It
 * is trusted only as far as it is checked:
 *
 * 1. The last indexed line must still be there with the same hash, or the whole
 *    index is rebuilt.
 * 2. What it finds is read from the trail; if the line does not match the row,
 *    the index is rebuilt too.
 * 3. The record numbers of a trail rise. While they do not, the trail is read
 *    without its index.
 *
 * When SQLite finds the file damaged (a small one is checked whenever it is
 * opened), it is rebuilt or not used, and the audit's note says which and why.
 * SQLite cannot detect a value that was changed into another valid one, so
 * nothing is verified with an index.
 */
struct w_index_state {
	struct w_trail_position last; /* the last indexed line; len 0: none */
	char hash[W_SHA256_HEX + 1];
	uint64_t max_time_us; /* the latest time so far */
	uint64_t max_back_us; /* the largest step back in time */
	bool is_disordered;   /* the trail is, see 3 */
};

struct w_index {
	const struct w_sqlite *api;
	sqlite3 *db;
	struct w_index_state state;
};

void w_index_free(struct w_index *index);

/* The audit's index, up to date; NULL: it cannot be used. Borrowed. */
struct w_index *w_index_ready(writ_audit *audit);

/* Deletes it because it turned out to be wrong. */
void w_index_drop(writ_audit *audit, const char *why);

/* ---- shared by the files of the index ---- */

/* Runs statements. Returns SQLite's result code. */
int w_index_exec(struct w_index *index, const char *sql);

/* Prepares one statement; NULL on failure. */
sqlite3_stmt *w_index_prepare(struct w_index *index, const char *sql);

/* The first creates the tables, the second their indexes. */
int w_index_make_tables(struct w_index *index);
int w_index_make_searchable(struct w_index *index);

/* Loads and stores the state. SQLITE_OK with len 0: there is none. */
int w_index_load_state(struct w_index *index);
int w_index_save_state(struct w_index *index);

/* Whether the last indexed line is still in the trail. */
bool w_index_has_same_end(writ_audit *audit);

/* Continues from there if there is anything new. Returns SQLite's result
 * code. */
int w_index_update(writ_audit *audit);

/* Reads the trail from the last indexed line on. The caller holds a
 * transaction. Returns SQLite's result code; SQLITE_IOERR also if the trail
 * cannot be read. */
int w_index_fill(struct w_index *index, writ_audit *audit);

#endif /* W_AUDIT_INDEX_H */
