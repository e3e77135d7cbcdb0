/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The outcome of a run for a table: two words and a colour.
 */

#include "cli/audit/audit_outcome.h"

#include <string.h>

void
w_cli_audit_outcome_add(struct w_buf *buf, const writ_audit_run *run)
{
	const char *signal = run->signal > 0 ? sigabbrev_np(run->signal) : NULL;

	if (run->state == WRIT_RUN_REFUSED && run->outcome != NULL &&
	    strcmp(run->outcome, "approval_required") == 0) {
		w_buf_add_str(buf, "needs approval");
		return;
	}
	if (run->state != WRIT_RUN_ENDED)
		w_buf_add_str(buf, writ_run_state_word(run->state));
	if (run->state == WRIT_RUN_REFUSED && run->outcome != NULL)
		w_buf_add_char(buf, ' ');
	if (run->outcome != NULL)
		w_buf_add_str(buf, run->outcome);
	if (signal != NULL)
		w_buf_add_fmt(buf, " %s", signal);
	else if (run->signal > 0)
		w_buf_add_fmt(buf, " %d", run->signal);
	else if (run->exit_code >= 0)
		w_buf_add_fmt(buf, " %d", run->exit_code);
}

static const char good[] = "32";
static const char bad[] = "31";
static const char odd[] = "33";
static const char going[] = "36";

const char *
w_cli_audit_outcome_colour(const writ_audit_run *run)
{
	switch (run->state) {
	case WRIT_RUN_RUNNING:
		return going;
	case WRIT_RUN_LOST:
	case WRIT_RUN_UNKNOWN:
		return odd;
	case WRIT_RUN_REFUSED:
		return bad;
	case WRIT_RUN_ENDED:
		break;
	}
	if (run->outcome != NULL && strcmp(run->outcome, "cancelled") == 0)
		return odd;
	if (run->outcome != NULL && strcmp(run->outcome, "exited") == 0 &&
	    run->exit_code == 0)
		return good;
	return bad;
}
