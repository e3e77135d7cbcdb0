/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_AUDIT_RUN_VIEW_H
#define W_AUDIT_AUDIT_RUN_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include <writ/audit.h>

#include "audit/query/entry.h"
#include "audit/query/liveness.h"
#include "base/buf.h"

/* A run put together from its records. */
struct w_audit_run_view {
	struct w_entry begin;
	struct w_entry end;
	bool has_end;
	bool is_full; /* no memory */
	writ_run_state state;
	struct w_buf command;
	struct w_buf recording;
	writ_audit_run run; /* borrows from the rest and from the lines */
};

/* end is NULL when there is none. The lines must outlive the view. false: the
 * lines are no records of one run, or is_full; there is nothing to
 * release. */
bool w_audit_run_view_init(struct w_audit_run_view *view,
    const struct w_log_line *begin, const struct w_log_line *end,
    const struct w_liveness *liveness);
void w_audit_run_view_done(struct w_audit_run_view *view);

/* Fills view->run. false: no memory. */
bool w_audit_run_view_fill(struct w_audit_run_view *view,
    const struct w_log_line *begin, const struct w_log_line *end,
    const char *output_dir);

/* The view of a run that a callback was given. */
static inline const struct w_audit_run_view *
w_audit_run_view_of(const writ_audit_run *run)
{
	return (const struct w_audit_run_view *)(const void
		*)((const char *)run - offsetof(struct w_audit_run_view, run));
}

#endif /* W_AUDIT_AUDIT_RUN_VIEW_H */
