/* SPDX-License-Identifier: Apache-2.0 */

/* Updates an index: deletes pruned records and adds new ones. */

#include <stdio.h>
#include <string.h>

#include "audit/index/index.h"
#include "audit/query/trail_lines.h"
#include "log/log_reader.h"

bool
w_index_has_same_end(writ_audit *audit)
{
	const struct w_index_state *state = &audit->index->state;
	struct w_trail_lines lines;
	struct w_log_line line;
	bool is_there = false;

	if (state->last.len == 0)
		return true;
	w_trail_lines_init(&lines, audit->dir_fd);
	bool is_same = w_trail_lines_get(&lines, &state->last, &line, &is_there,
			   NULL) == WRIT_OK &&
		       is_there &&
		       memcmp(line.hash, state->hash, W_SHA256_HEX) == 0;
	w_trail_lines_done(&lines);
	return is_same;
}

/* Whether the index holds records from before the trail's first file. */
static bool
holds_pruned(struct w_index *index, uint32_t first)
{
	sqlite3_stmt *row = w_index_prepare(
	    index, "SELECT segment FROM records ORDER BY seq LIMIT 1");
	bool is_older = row != NULL && index->api->step(row) == SQLITE_ROW &&
			index->api->column_int64(row, 0) < first;

	(void)index->api->finalize(row);
	return is_older;
}

static bool
has_news(writ_audit *audit, uint32_t *out_first)
{
	const struct w_trail_position *last = &audit->index->state.last;
	enum w_log_read what = W_LOG_END;
	struct w_log_reader *reader;
	struct w_log_line line;
	struct w_log_place place;

	if (w_log_reader_open(audit->dir, W_TRAIL_NAME, &reader, NULL) !=
	    WRIT_OK)
		return true;
	*out_first = w_log_reader_first(reader);
	writ_status status = w_log_reader_seek(reader, last->segment,
	    last->len == 0 ? 0 : last->offset + last->len + 1, NULL);
	do {
		if (status == WRIT_OK)
			status = w_log_reader_next(
			    reader, &what, &line, &place, NULL);
	} while (status == WRIT_OK && what != W_LOG_END && what != W_LOG_LINE);
	w_log_reader_free(reader);
	return status != WRIT_OK || what == W_LOG_LINE;
}

int
w_index_update(writ_audit *audit)
{
	struct w_index *index = audit->index;
	uint32_t first = 0;
	char sql[160];

	if (!has_news(audit, &first) && !holds_pruned(index, first))
		return SQLITE_OK;
	int code = w_index_exec(index, "BEGIN IMMEDIATE");
	if (code != SQLITE_OK)
		return code;
	/* Another reader may have gone further meanwhile. */
	code = w_index_load_state(index);
	(void)snprintf(sql, sizeof(sql),
	    "DELETE FROM open WHERE seq IN (SELECT seq FROM records WHERE "
	    "segment < %u); DELETE FROM records WHERE segment < %u;",
	    first, first);
	if (code == SQLITE_OK)
		code = w_index_exec(index, sql);
	if (code == SQLITE_OK)
		code = w_index_fill(index, audit);
	if (code == SQLITE_OK)
		code = w_index_exec(index, "COMMIT");
	if (code != SQLITE_OK)
		(void)w_index_exec(index, "ROLLBACK");
	return code;
}
