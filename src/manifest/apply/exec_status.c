/* SPDX-License-Identifier: Apache-2.0 */

/* An exec as JSON: its state, and its filled-in properties. */

#include <string.h>

#include "base/signal_name.h"
#include "manifest/apply/exec_resource.h"

static void
add_status(struct w_buf *buf, const struct w_exec_step *x)
{
	char name[W_SIGNAL_NAME_MAX];
	struct w_exec_state state = {
	    .is_stable = !x->is_wanted,
	    .has_exitcode = x->has_run && x->exit_code >= 0,
	    .exitcode = x->exit_code,
	    .creates_satisfied = x->creates_satisfied,
	    .outcome = x->has_run && !x->has_exited ? x->outcome : NULL,
	    .signal = x->signal == 0 ? NULL : w_signal_name(x->signal, name),
	};

	/* After a run, the guards' answers from before it are outdated. */
	if (!x->has_run) {
		state.onlyif_satisfied = x->onlyif_satisfied;
		state.unless_satisfied = x->unless_satisfied;
	}
	memcpy(state.output, x->out, sizeof(state.output));
	memcpy(state.output_len, x->out_len, sizeof(state.output_len));
	w_exec_state_add_json(buf, &x->step->event, &state);
}

void
w_exec_report(struct w_exec_step *x)
{
	struct w_resource_step *step = x->step;
	const struct w_filled filled = {
	    .argv = x->command.argv,
	    .shell = x->command.shell,
	    .cwd = x->cwd.shown,
	    .environment = x->env_shown,
	    .creates = x->creates_shown,
	    .removes = x->removes_shown,
	};

	step->event.time_us = w_event_now_us();
	step->event.tries = x->exec->settings->tries > 1 ? x->tries : 0;
	w_resource_step_report(step, &filled);
	add_status(&step->status, x);
	step->event.status = step->status.data;
	if (step->status.failed)
		step->is_short = true;
}
