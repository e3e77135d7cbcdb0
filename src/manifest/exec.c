/* SPDX-License-Identifier: Apache-2.0 */

/* The exec resource: a command that runs when it has to. */

#include "manifest/exec.h"

static void
tell_noop(struct w_exec_turn *x)
{
	struct w_event *event = &x->turn->event;

	event->changed = true;
	event->refreshed = x->is_refresh;
	event->noop_message = x->is_refresh
				  ? "Would have executed via subscribe"
				  : "Would have executed";
}

static void
act(struct w_exec_turn *x)
{
	struct w_event *event = &x->turn->event;

	if (!x->is_wanted)
		return;
	if (x->turn->options->noop) {
		tell_noop(x);
		return;
	}
	(void)w_exec_run(x);
	/* Also one that failed may have changed something. */
	event->changed = x->has_run;
	event->refreshed = x->has_run && x->is_refresh;
}

void
w_exec_take_turn(struct w_turn *turn)
{
	struct w_exec_turn x = {
	    .turn = turn,
	    .exec = &turn->resource->as.exec,
	    .exit_code = -1,
	};
	bool is_decided;

	is_decided = w_exec_fill(&x) && w_exec_decide(&x);
	if (is_decided)
		act(&x);
	if (is_decided && (x.has_run || !turn->event.failed))
		turn->event.final_ensure = "present";
	w_exec_tell(&x);
	if (!is_decided)
		turn->event.status = NULL;
}
