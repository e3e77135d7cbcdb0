/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_FILTER_H
#define W_AUDIT_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/audit.h>

#include "audit/query/entry.h"
#include "base/error.h"
#include "log/log_format.h"

/* A text to search for. */
struct w_needle {
	char *text; /* in lower case; NULL: none */
	size_t len;
	uint32_t skip[256];
};

/*
 * A prepared writ_audit_filter: only this decides what matches. An index may
 * skip what cannot match; it never decides.
 */
struct w_filter {
	writ_audit_filter want;     /* as given; borrows the caller's texts */
	struct w_needle needles[2]; /* the text, and its JSON escaped form */
};

/* filter may be NULL or an older, shorter struct. */
writ_status w_filter_init(
    struct w_filter *filter, const writ_audit_filter *given, writ_error *err);
void w_filter_done(struct w_filter *filter);

/* Time and record number. */
bool w_filter_has_position(
    const struct w_filter *filter, uint64_t seq, uint64_t time_us);

/* The run, or a prefix of its id. run "": the record has none. */
bool w_filter_has_run(const struct w_filter *filter, const char *run);

/* Agent and program of a begin or refused record. */
bool w_filter_has_request(
    const struct w_filter *filter, const struct w_entry *begin);

/* end is NULL if there is none. */
bool w_filter_has_outcome(const struct w_filter *filter, writ_run_state state,
    const struct w_entry *begin, const struct w_entry *end);

bool w_filter_has_text(
    const struct w_filter *filter, const char *bytes, size_t len);

/* Whether a criterion needs all records of a run. */
bool w_filter_is_of_runs(const struct w_filter *filter);

#endif /* W_AUDIT_FILTER_H */
