/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_QUERY_H
#define W_AUDIT_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audit/audit.h"
#include "audit/query/audit_run_map.h"
#include "audit/query/audit_run_view.h"
#include "audit/query/filter.h"
#include "audit/query/liveness.h"
#include "audit/query/trail_lines.h"

/*
 * One question to the trail.
 *
 * A seek brings spots of candidates, newest first (or oldest first, if it
 * can): from the index, or from the trail itself. The lines there are read
 * and held against the filter; what matches is given out. So an index that
 * lies can hide something, for as long as it goes unnoticed, and never invent
 * anything.
 */

/* A candidate: a record, or the begin (or refused) and end of a run. */
struct w_candidate {
	struct w_trail_position begin;
	struct w_trail_position end; /* len 0: none */
	char run[W_ID_LEN + 1];      /* that it must be; empty: any */
};

struct w_query {
	writ_audit *audit;
	struct w_filter filter;
	writ_record_fn on_record; /* either this */
	writ_audit_run_fn on_run; /* or that */
	void *ctx;
	const struct w_audit_run_map *only; /* of these runs; NULL: of any */
	uint64_t given_seq;            /* of what was given last; 0: nothing
					  was. Another seek starts there */
	struct w_trail_lines lines[2]; /* for begin and end */
	struct w_liveness liveness;
	size_t given;             /* how many were */
	bool is_over;             /* the caller or the limit says so */
	bool is_stale;            /* a spot from the index did not fit */
	struct w_candidate *kept; /* what matched, to be given in reverse */
	size_t kept_count;        /* ever; the last ones are kept */
	size_t kept_cap;
};

/* Asks, with the index if it can be had. The query holds audit, callbacks and
 * context; its filter is made from given here. */
writ_status w_query_run(
    struct w_query *query, const writ_audit_filter *given, writ_error *err);

#endif /* W_AUDIT_QUERY_H */
