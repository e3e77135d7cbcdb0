/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_CURSOR_H
#define W_AUDIT_CURSOR_H

#include "audit/query/query.h"
#include "audit/query/trail_backward.h"

/* Where the candidates of a query come from: the trail or its index. */
struct w_cursor {
	/* *out_is_there false: no more. */
	writ_status (*next)(struct w_cursor *cursor,
	    struct w_candidate *out_candidate, bool *out_is_there,
	    writ_error *err);
	void (*release)(struct w_cursor *cursor);
	bool is_ordered; /* in the order of the query, not newest first */
	bool is_broken;  /* it cannot continue */
	bool is_indexed; /* a position that does not match makes the index stale
			  */
};

writ_status w_cursor_open_trail(
    const struct w_query *query, struct w_cursor **out_cursor, writ_error *err);

/* Fails only without memory. *out_cursor NULL: the index cannot be used, and
 * the audit's note says why. */
writ_status w_cursor_open_index(
    const struct w_query *query, struct w_cursor **out_cursor, writ_error *err);

#endif /* W_AUDIT_CURSOR_H */
