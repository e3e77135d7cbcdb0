/* SPDX-License-Identifier: Apache-2.0 */

/* An exec as JSON: its state, and its properties as they were filled in. */

#include <string.h>

#include "base/signal_name.h"
#include "manifest/exec.h"

static void
add_status(struct w_buf *buf, const struct w_exec_turn *x)
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

	/* What guards said before it ran is no longer its state. */
	if (!x->has_run) {
		state.onlyif_satisfied = x->onlyif_satisfied;
		state.unless_satisfied = x->unless_satisfied;
	}
	memcpy(state.output, x->out, sizeof(state.output));
	memcpy(state.output_len, x->out_len, sizeof(state.output_len));
	w_exec_state_add_json(buf, &x->turn->event, &state);
}

void
w_exec_tell(struct w_exec_turn *x)
{
	struct w_turn *turn = x->turn;
	const struct w_filled filled = {
	    .argv = x->command.argv,
	    .shell = x->command.shell,
	    .cwd = x->cwd.shown,
	    .environment = x->env_shown,
	    .creates = x->creates_shown,
	    .removes = x->removes_shown,
	};

	turn->event.time_us = w_event_now_us();
	turn->event.tries = x->exec->tries > 1 ? x->tries : 0;
	w_resource_add_properties(&turn->properties, turn->resource, &filled);
	add_status(&turn->status, x);
	turn->event.properties = turn->properties.data;
	turn->event.status = turn->status.data;
	if (turn->properties.failed || turn->status.failed)
		turn->is_short = true;
}
