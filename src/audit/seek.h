/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_SEEK_H
#define W_AUDIT_SEEK_H

#include "audit/query.h"
#include "audit/walk.h"

/* Where candidates of a query come from: the trail, or its index. */
struct w_seek {
	/* *out_is_there false: no more. */
	writ_status (*next)(struct w_seek *seek, struct w_pair *out_pair,
	    bool *out_is_there, writ_error *err);
	void (*release)(struct w_seek *seek);
	bool is_ordered; /* in the order the query wants, not newest first */
	bool is_broken;  /* it cannot go on */
	bool is_indexed; /* a spot that does not fit makes the index stale */
};

writ_status w_seek_trail(
    const struct w_query *query, struct w_seek **out_seek, writ_error *err);

/* Fails only without memory. *out_seek NULL: the index cannot be used, and
 * the audit's note says why. */
writ_status w_seek_index(
    const struct w_query *query, struct w_seek **out_seek, writ_error *err);

#endif /* W_AUDIT_SEEK_H */
