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
 * The index of a trail: where each record stands, and what the filters ask.
 *
 *     records   a row for each line that is a record, by its number
 *     open      the begins that have no end
 *     state     up to where the trail was read, one row
 *
 * Readers make it and bring it up to date before they ask; a writer never
 * touches it. It is believed only as far as it is checked:
 *
 *  1. The line at which it stops must still stand there with the same hash,
 *     or all of it is made again.
 *  2. What it finds is read from the trail; a line that is not the one the
 *     row speaks of means the same.
 *  3. The numbers of a trail rise. One that does not rise is read without
 *     its index, for as long as that is so.
 *
 * Whatever SQLite finds wrong with the file itself (a small one is looked
 * through whenever it is opened), the answer is the same: it is made again, or
 * done without, and the audit's note says which and why. What it cannot find
 * is a value that was changed into another of its kind; so nothing is proved
 * from an index.
 */
struct w_index_state {
	struct w_trail_position
	    last; /* the last line that is in it; len 0: none */
	char hash[W_SHA256_HEX + 1];
	uint64_t max_time_us; /* the latest time so far */
	uint64_t max_back_us; /* the most by which a later one was earlier */
	bool is_disordered;   /* of the trail: see 3 */
};

struct w_index {
	const struct w_sqlite *api;
	sqlite3 *db;
	struct w_index_state state;
};

void w_index_free(struct w_index *index);

/* The audit's index, up to date; NULL: it cannot be used. Borrowed. */
struct w_index *w_index_ready(writ_audit *audit);

/* Deletes it: it did not hold what it promised. */
void w_index_drop(writ_audit *audit, const char *why);

/* ---- between the files of the index ---- */

/* Runs statements. SQLite's result code. */
int w_index_exec(struct w_index *index, const char *sql);

/* Prepares one statement; NULL: failed. */
sqlite3_stmt *w_index_prepare(struct w_index *index, const char *sql);

/* Makes the tables, without the means to search them, and those means. */
int w_index_make_tables(struct w_index *index);
int w_index_make_searchable(struct w_index *index);

/* Reads and writes the state. SQLITE_OK with len 0: there is none. */
int w_index_load_state(struct w_index *index);
int w_index_save_state(struct w_index *index);

/* Whether the line at which the index stops still stands in the trail. */
bool w_index_has_same_end(writ_audit *audit);

/* Goes on from there, if there is anything to do. SQLite's result code. */
int w_index_update(writ_audit *audit);

/* Reads the trail from where the index stops. The caller holds a transaction.
 * SQLite's result code; SQLITE_IOERR also when the trail cannot be read. */
int w_index_fill(struct w_index *index, writ_audit *audit);

#endif /* W_AUDIT_INDEX_H */
