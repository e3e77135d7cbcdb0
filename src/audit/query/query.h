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
 * One query over the trail.
 *
 * A cursor delivers the positions of candidates, newest first (or oldest first
 * if it can), from the index or from the trail itself. The lines there are read
 * and tested against the filter; matches are passed to the caller. So a wrong
 * index can hide something while that goes unnoticed, but never invent
 * anything.
 */

/* A candidate: a record, or the begin (or refused) and end of a run. */
struct w_candidate {
	struct w_trail_position begin;
	struct w_trail_position end; /* len 0: none */
	char run[W_ID_LEN + 1];      /* the run it must be; "": any */
};

struct w_query {
	writ_audit *audit;
	struct w_filter filter;
	writ_record_fn on_record; /* either this one */
	writ_audit_run_fn on_run; /* or this one */
	void *ctx;
	const struct w_audit_run_map *only; /* of these runs; NULL: of any */
	uint64_t given_seq; /* of the last one delivered; 0: none. Another
			       cursor starts there */
	struct w_trail_lines lines[2]; /* for begin and end */
	struct w_liveness liveness;
	size_t given;             /* number delivered */
	bool is_over;             /* stopped by the caller or the limit */
	bool is_stale;            /* a position from the index did not match */
	struct w_candidate *kept; /* matches to deliver in reverse */
	size_t kept_count; /* of all matches; only the last ones are kept */
	size_t kept_cap;
};

/* Runs the query, with the index if available. The caller sets audit, callbacks
 * and context; the filter is made here from given. */
writ_status w_query_run(
    struct w_query *query, const writ_audit_filter *given, writ_error *err);

#endif /* W_AUDIT_QUERY_H */
