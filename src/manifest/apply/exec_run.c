/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs an exec's command, with retries, and compares the outcome with what is
 * wanted: an allowed exit code, or the paths that it creates.
 */

#include <string.h>

#include "base/duration.h"
#include "base/signal_name.h"
#include "manifest/apply/apply_owed.h"
#include "manifest/apply/exec_resource.h"
#include "manifest/apply/manifest_runner.h"
#include "manifest/apply/registered.h"
#include "manifest/apply/resource_output.h"

/* Tail of a failed command's output in its event. */
#define TAIL_MAX    4096
#define RETURNS_MAX 4096

/* ---- how it ended ---- */

const char *
w_exec_ending(struct w_resource_step *step, const writ_result *result)
{
	char time[W_DURATION_TEXT_MAX];
	char name[W_SIGNAL_NAME_MAX];

	w_duration_format(result->limit_value, time);
	switch (result->outcome) {
	case WRIT_TIMED_OUT:
		return w_resource_step_text(step, "timed out after %s", time);
	case WRIT_IDLE_TIMED_OUT:
		return w_resource_step_text(
		    step, "timed out after %s without output", time);
	case WRIT_LIMITED:
		return w_resource_step_text(step, "ended by the limit '%s'",
		    writ_limit_word(result->limit));
	case WRIT_CANCELLED:
		return "interrupted";
	case WRIT_SIGNALED:
		return w_resource_step_text(step, "killed by signal %s",
		    w_signal_name(result->signal, name));
	case WRIT_EXITED:
		break;
	}
	return result->status_known ? w_resource_step_text(step, "exit code %d",
					  result->exit_code)
				    : "the exit status is unknown";
}

static bool
is_in_returns(const struct w_exec_resource *exec, int code)
{
	for (size_t i = 0; i < exec->settings->return_count; i++) {
		if (exec->settings->returns[i] == code)
			return true;
	}
	return exec->settings->returns == NULL && code == 0;
}

static void
fail_code(struct w_exec_step *x)
{
	W_AUTO_BUF struct w_buf returns;

	w_buf_init(&returns, RETURNS_MAX);
	if (x->exec->settings->returns == NULL)
		w_buf_add_char(&returns, '0');
	for (size_t i = 0; x->exec->settings->returns != NULL &&
			   i < x->exec->settings->return_count;
	     i++)
		w_buf_add_fmt(&returns, i == 0 ? "%d" : " %d",
		    x->exec->settings->returns[i]);
	w_resource_step_fail(x->step,
	    "failed to reach desired state: exit code %d: exit code %d not in "
	    "allowed returns [%s]",
	    x->exit_code, x->exit_code, returns.data);
}

/* ---- one try ---- */

static void
note_result(struct w_exec_step *x, const writ_result *result)
{
	x->has_run = true;
	x->has_exited = result->outcome == WRIT_EXITED;
	x->tries++;
	x->exit_code = result->status_known ? result->exit_code : -1;
	x->signal = result->signal;
	x->outcome = writ_outcome_word(result->outcome);
	x->is_allowed = result->outcome == WRIT_EXITED &&
			result->status_known &&
			is_in_returns(x->exec, result->exit_code);
	w_resource_step_add_run(x->step, result->run_id);
	if (x->has_exited && result->killed > 0)
		w_resource_step_warn(x->step,
		    "%u process%s that it left running %s killed",
		    result->killed, result->killed == 1 ? "" : "es",
		    result->killed == 1 ? "was" : "were");
	if (result->unrecorded != NULL)
		w_resource_step_warn(
		    x->step, "its record is missing: %s", result->unrecorded);
}

static writ_status
run_once(struct w_exec_step *x, writ_result **out_result, writ_error *err)
{
	const bool is_live = x->exec->settings->logoutput == W_LOGOUTPUT_ON &&
			     x->step->watch->on_output != NULL;
	const bool has_refresh =
	    x->refresh.argv != NULL || x->refresh.shell != NULL;
	writ_request request;
	struct w_resource_output resource_output;

	w_exec_request(x,
	    x->is_refresh && has_refresh ? &x->refresh : &x->command, &request);
	if (x->input.text != NULL) {
		request.stdin_kind = WRIT_STDIN_DATA;
		request.stdin_data = x->input.text;
		request.stdin_len = x->input.len;
	}
	w_resource_output_init(&resource_output, x->step);
	if (is_live) {
		request.on_output = w_resource_output_add;
		request.output_ctx = &resource_output;
	}
	writ_status status =
	    w_manifest_runner_run(x->step->runner, &request, out_result, err);
	w_resource_output_end(&resource_output);
	w_resource_output_done(&resource_output);
	return status;
}

/* ---- desired state ---- */

/* Reached if what it creates exists, whatever the exit code; but if returns is
 * given, the exit code decides. */
static bool
is_reached(struct w_exec_step *x, const writ_result *result)
{
	bool is_created = false;

	if (x->is_allowed)
		return true;
	if (x->creates == NULL || x->exec->settings->returns != NULL ||
	    result->outcome != WRIT_EXITED || !result->status_known)
		return false;
	if (!w_guard_has_all(x, x->creates, &is_created) || !is_created)
		return false;
	w_resource_step_warn(x->step,
	    "exit code %d although creates is satisfied", x->exit_code);
	return true;
}

/* Keeps the tail of the output for the event. */
static void
keep_tails(struct w_exec_step *x, const writ_result *result)
{
	struct w_resource_step *step = x->step;

	if (step->resource->is_sensitive)
		return;
	for (int i = 0; i < 2; i++) {
		W_AUTO_BUF struct w_buf tail;

		w_buf_init(&tail, TAIL_MAX);
		w_resource_output_add_tail(
		    &tail, step, &result->out[i], TAIL_MAX);
		x->out[i] = w_resource_step_copy(step, &tail);
		x->out_len[i] = tail.len;
	}
}

/* Why it failed is most often at the end of what it said. */
static void
show_last_lines(const struct w_exec_step *x)
{
	for (int i = 0; i < 2; i++) {
		if (x->out[i] != NULL && x->out_len[i] > 0)
			w_resource_output_show_last(
			    x->step, (writ_stream)i, x->out[i], x->out_len[i]);
	}
}

static void
fail_run(struct w_exec_step *x, const writ_result *result)
{
	if (result->outcome == WRIT_CANCELLED)
		x->step->is_cut = true;
	else if (result->outcome == WRIT_EXITED && result->status_known)
		fail_code(x);
	else
		w_resource_step_fail(
		    x->step, "%s", w_exec_ending(x->step, result));
	keep_tails(x, result);
	if (x->exec->settings->logoutput == W_LOGOUTPUT_ON_FAILURE)
		w_resource_output_show_kept(x->step, result);
	else if (x->exec->settings->logoutput == W_LOGOUTPUT_OFF)
		show_last_lines(x);
}

/* ---- tries ---- */

/* Waits before the next try; false: no more tries. */
static bool
try_again(struct w_exec_step *x, const writ_result *result)
{
	struct w_resource_step *step = x->step;
	writ_error err;

	if (x->tries >= x->exec->settings->tries || step->is_interrupted ||
	    step->event.failed || step->is_short)
		return false;
	w_resource_step_warn(step, "try %u of %u: %s", x->tries,
	    x->exec->settings->tries, w_exec_ending(step, result));
	if (w_manifest_runner_pause(step->runner,
		x->exec->settings->try_sleep_ms, &err) != WRIT_OK) {
		w_resource_step_fail_error(step, &err);
		return false;
	}
	step->is_cut = step->is_interrupted;
	return !step->is_interrupted;
}

/* Evaluates one result; true: try again. */
static bool
exec_run_evaluate(struct w_exec_step *x, const writ_result *result)
{
	note_result(x, result);
	if (is_reached(x, result))
		return false;
	if (try_again(x, result))
		return true;
	fail_run(x, result);
	return false;
}

bool
w_exec_run(struct w_exec_step *x)
{
	bool is_again = true;

	while (is_again) {
		writ_error err = {.status = WRIT_OK};
		writ_result *result = NULL;

		x->step->has_acted = true;
		if (w_apply_owed_promise(x->step, &err) != WRIT_OK ||
		    run_once(x, &result, &err) != WRIT_OK) {
			if (err.status == WRIT_E_NOMEM)
				x->step->is_short = true;
			w_resource_step_fail_error(x->step, &err);
			return false;
		}
		is_again = exec_run_evaluate(x, result);
		if (!is_again)
			w_registered_keep(x->step, result);
		writ_result_free(result);
	}
	return !x->step->event.failed;
}
