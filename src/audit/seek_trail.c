/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Candidates from the trail itself, newest first. The end of a run comes
 * before its begin this way round: ends wait in a map for their begins, so
 * what is held in memory is the runs that overlap, not all of them.
 */

#include "audit/seek.h"

#include <stdlib.h>

struct trail_seek {
	struct w_seek seek;
	const struct w_query *query;
	struct w_lines lines;
	struct w_walk walk;
	struct w_run_map ends;
	uint64_t before_seq; /* only earlier ones; 0: any */
	uint64_t after_seq;  /* only later ones */
};

/* Whether the line is worth a second look. */
static bool
is_candidate(const struct trail_seek *seek, const struct w_log_line *line,
    const char *run)
{
	const struct w_query *query = seek->query;

	if (seek->before_seq != 0 && line->seq >= seek->before_seq)
		return false;
	if (!w_filter_has_place(&query->filter, line->seq, line->time_us))
		return false;
	/* An empty one may still stand elsewhere in the line. */
	return run[0] == '\0' || w_filter_has_run(&query->filter, run);
}

static bool
take_record(struct trail_seek *seek, const struct w_log_line *line,
    const struct w_spot *spot, struct w_pair *out_pair)
{
	const struct w_query *query = seek->query;
	const char *kind = query->filter.want.kind;
	char run[W_ID_LEN + 1];

	w_entry_run_of(line, run);
	if ((kind != NULL && !w_log_line_is(line, kind)) ||
	    !is_candidate(seek, line, run))
		return false;
	if (query->only != NULL && w_run_map_get(query->only, run) == NULL)
		return false;
	*out_pair = (struct w_pair){.begin = *spot};
	return true;
}

/* *out_is_full: no memory for another end. */
static bool
take_run(struct trail_seek *seek, const struct w_log_line *line,
    const struct w_spot *spot, struct w_pair *out_pair, bool *out_is_full)
{
	enum w_entry_kind kind = w_entry_kind_of(line);
	struct w_run_slot *slot;
	char run[W_ID_LEN + 1];

	*out_is_full = false;
	w_entry_run_of(line, run);
	if (kind == W_ENTRY_OTHER || run[0] == '\0')
		return false;
	if (kind == W_ENTRY_END) {
		slot = w_run_map_put(&seek->ends, run);
		*out_is_full = slot == NULL;
		if (slot != NULL)
			slot->spot = *spot;
		return false;
	}
	slot = kind == W_ENTRY_BEGIN ? w_run_map_get(&seek->ends, run) : NULL;
	*out_pair = (struct w_pair){.begin = *spot};
	if (slot != NULL) {
		out_pair->end = slot->spot;
		w_run_map_drop(slot);
	}
	return is_candidate(seek, line, run);
}

static writ_status
next(struct w_seek *base, struct w_pair *out_pair, bool *out_is_there,
    writ_error *err)
{
	struct trail_seek *seek = (struct trail_seek *)base;
	bool is_found = false;
	bool is_full = false;

	*out_is_there = false;
	while (!is_found) {
		struct w_log_line line;
		struct w_spot spot;
		bool is_there;
		writ_status status =
		    w_walk_next(&seek->walk, &line, &spot, &is_there, err);

		if (status != WRIT_OK || !is_there ||
		    line.seq <= seek->after_seq)
			return status;
		is_found =
		    seek->query->on_run != NULL
			? take_run(seek, &line, &spot, out_pair, &is_full)
			: take_record(seek, &line, &spot, out_pair);
		if (is_full)
			return w_fail_nomem(err, "audit");
	}
	*out_is_there = true;
	return WRIT_OK;
}

static void
release(struct w_seek *base)
{
	struct trail_seek *seek = (struct trail_seek *)base;

	w_walk_done(&seek->walk);
	w_lines_done(&seek->lines);
	w_run_map_done(&seek->ends);
	free(seek);
}

writ_status
w_seek_trail(
    const struct w_query *query, struct w_seek **out_seek, writ_error *err)
{
	struct trail_seek *seek = calloc(1, sizeof(*seek));

	if (seek == NULL)
		return w_fail_nomem(err, "audit");
	seek->seek = (struct w_seek){.next = next, .release = release};
	seek->query = query;
	seek->after_seq = query->filter.want.after_seq;
	if (!query->filter.want.oldest_first)
		seek->before_seq = query->given_seq;
	else if (query->given_seq > seek->after_seq)
		seek->after_seq = query->given_seq;
	w_lines_init(&seek->lines, query->audit->dir_fd);
	writ_status status = w_walk_init(&seek->walk, &seek->lines, err);
	if (status != WRIT_OK) {
		release(&seek->seek);
		return status;
	}
	*out_seek = &seek->seek;
	return WRIT_OK;
}
