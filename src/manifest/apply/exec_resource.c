/* SPDX-License-Identifier: Apache-2.0 */

/* The exec resource: runs a command if needed. */

#include "manifest/apply/exec_resource.h"

static void
act(struct w_exec_step *x)
{
	writ_event *event = &x->step->event;

	if (!x->is_wanted)
		return;
	if (x->step->options->noop) {
		event->changed = true;
		event->refreshed = x->is_refresh;
		event->noop_message = x->is_refresh
					  ? "Would have executed via subscribe"
					  : "Would have executed";
		if (x->owed != NULL)
			event->noop_message = w_resource_step_text(
			    x->step, "Would have refreshed: %s", x->owed);
		return;
	}
	(void)w_exec_run(x);
	/* A command that failed may have changed something too. */
	event->changed = x->has_run;
	event->refreshed = x->has_run && x->is_refresh;
}

void
w_exec_apply(struct w_resource_step *step)
{
	struct w_exec_step x = {
	    .step = step,
	    .exec = &step->resource->as.exec,
	    .exit_code = -1,
	};
	bool is_decided;

	is_decided = w_exec_fill(&x) && w_exec_decide(&x);
	if (is_decided)
		act(&x);
	if (is_decided && (x.has_run || !step->event.failed))
		step->event.final_ensure = "present";
	w_exec_report(&x);
	if (!is_decided)
		step->event.status = NULL;
}
