/* SPDX-License-Identifier: Apache-2.0 */

/*
 * onlyif and unless: asking a command.
 *
 * It runs as the exec's own would: there, as that user, with that environment.
 * In noop it runs where it can change nothing.
 */

#include <unistd.h>

#include "manifest/apply/exec_resource.h"
#include "manifest/apply/manifest_runner.h"

#define TIMEOUT_MS  UINT64_C(60000)
#define OUTPUT_KEPT UINT64_C(4096)

/* The profile would have empty ones of its own: guards look for what is there.
 */
void
w_exec_confine(writ_request *request)
{
	static const char *const shared[] = {"/var/tmp", "/run", "/tmp", NULL};

	request->sandbox = "readonly";
	request->read = shared;
	/* What is not there cannot be asked for; most machines have all. */
	for (size_t i = 0; shared[i] != NULL; i++) {
		if (access(shared[i], F_OK) != 0)
			request->read = &shared[i + 1];
	}
}

static void
guard_commands_make_request(const struct w_exec_step *x,
    const struct w_filled_command *command, writ_request *request)
{
	w_exec_request(x, command, request);
	if (request->timeout_ms == 0)
		request->timeout_ms = TIMEOUT_MS;
	request->output_limit = OUTPUT_KEPT;
	if (x->step->options->noop)
		w_exec_confine(request);
}

static bool
guard_commands_judge(struct w_exec_step *x, const char *kind,
    const struct w_filled_command *command, const writ_result *result,
    enum w_guard_answer *out_answer)
{
	struct w_resource_step *step = x->step;

	w_resource_step_add_run(step, result->run_id);
	if (result->outcome == WRIT_EXITED && result->status_known) {
		*out_answer = result->exit_code == 0 ? W_GUARD_YES : W_GUARD_NO;
		return true;
	}
	if (result->outcome == WRIT_CANCELLED)
		step->is_cut = true;
	else
		w_resource_step_fail(step, "%s '%s' %s", kind,
		    w_filled_command_text(step, command),
		    w_exec_ending(step, result));
	return false;
}

/* Without the walls that noop wants for it a guard is not run; and what it
 * needs may be what an earlier resource would have made. What it would have
 * said is not known then. */
static bool
go_without(struct w_exec_step *x, const char *kind, const writ_error *err,
    enum w_guard_answer *out_answer)
{
	*out_answer = W_GUARD_UNKNOWN;
	w_resource_step_warn(x->step, "%s was not asked: %s", kind,
	    x->step->resource->is_sensitive ? writ_status_text(err->status)
					    : err->message);
	return true;
}

bool
w_guard_run(struct w_exec_step *x, const char *kind,
    const struct w_filled_command *command, enum w_guard_answer *out_answer)
{
	writ_request request;
	writ_result *result = NULL;
	writ_error err = {.status = WRIT_OK};

	guard_commands_make_request(x, command, &request);
	writ_status status =
	    w_manifest_runner_run(x->step->runner, &request, &result, &err);
	if (status == WRIT_E_NOMEM)
		x->step->is_short = true;
	else if (x->step->options->noop && status != WRIT_OK &&
		 status != WRIT_E_DENIED && status != WRIT_E_APPROVAL)
		return go_without(x, kind, &err, out_answer);
	if (status != WRIT_OK) {
		w_resource_step_fail_error(x->step, &err);
		return false;
	}
	bool ok = guard_commands_judge(x, kind, command, result, out_answer);
	writ_result_free(result);
	return ok;
}
