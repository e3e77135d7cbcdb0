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
	bool is_full; /* out of memory */
	writ_run_state state;
	struct w_buf command;
	struct w_buf recording;
	writ_audit_run run; /* borrows from the rest and from the lines */
};

/* end is NULL if there is none. The lines must outlive the view. false: the
 * lines are not records of one run, or is_full; nothing needs to be freed. */
bool w_audit_run_view_init(struct w_audit_run_view *view,
    const struct w_log_line *begin, const struct w_log_line *end,
    const struct w_liveness *liveness);
void w_audit_run_view_done(struct w_audit_run_view *view);

/* Fills view->run. false: no memory. */
bool w_audit_run_view_fill(struct w_audit_run_view *view,
    const struct w_log_line *begin, const struct w_log_line *end,
    const char *output_dir);

/* The view behind the run that a callback got. */
static inline const struct w_audit_run_view *
w_audit_run_view_of(const writ_audit_run *run)
{
	return (const struct w_audit_run_view *)(const void
		*)((const char *)run - offsetof(struct w_audit_run_view, run));
}

#endif /* W_AUDIT_AUDIT_RUN_VIEW_H */
