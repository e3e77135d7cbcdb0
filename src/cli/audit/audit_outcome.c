/* SPDX-License-Identifier: Apache-2.0 */

/*
 * How a run ended, in two words and a colour.
 */

#include "cli/audit/audit_outcome.h"

#include <string.h>

static void
audit_outcome_add_signal(struct w_buf *buf, int signal)
{
	const char *name = sigabbrev_np(signal);

	if (name != NULL)
		w_buf_add_fmt(buf, " %s", name);
	else
		w_buf_add_fmt(buf, " %d", signal);
}

void
w_cli_audit_outcome_add(struct w_buf *buf, const writ_audit_run *run)
{
	if (run->state != WRIT_RUN_ENDED)
		w_buf_add_str(buf, writ_run_state_word(run->state));
	if (run->state == WRIT_RUN_REFUSED && run->outcome != NULL)
		w_buf_add_char(buf, ' ');
	if (run->outcome != NULL)
		w_buf_add_str(buf, run->outcome);
	if (run->signal > 0)
		audit_outcome_add_signal(buf, run->signal);
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
