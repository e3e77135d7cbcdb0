/* SPDX-License-Identifier: Apache-2.0 */

/*
 * onlyif and unless: conditions decided by a command.
 *
 * It runs like the exec's own: same directory, user and environment. In noop it
 * runs read-only.
 */

#include <unistd.h>

#include "manifest/apply/exec_resource.h"
#include "manifest/apply/manifest_runner.h"

#define TIMEOUT_MS  UINT64_C(60000)
#define OUTPUT_KEPT UINT64_C(4096)

/* The profile would make empty directories: guards must see the real ones. The
 * list is the same for every request, so all of them share it. */
void
w_exec_confine(writ_request *request)
{
	static const char *const shared[] = {"/var/tmp", "/run", "/tmp"};
	static const char *existing[sizeof(shared) / sizeof(*shared) + 1];
	size_t count = 0;

	/* A missing directory cannot be mounted. */
	for (size_t i = 0; i < sizeof(shared) / sizeof(*shared); i++) {
		if (access(shared[i], F_OK) == 0)
			existing[count++] = shared[i];
	}
	existing[count] = NULL;
	request->sandbox = "readonly";
	request->read = existing;
}

static bool
guard_commands_evaluate(struct w_exec_step *x, const char *kind,
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

bool
w_guard_run(struct w_exec_step *x, const char *kind,
    const struct w_filled_command *command, enum w_guard_answer *out_answer)
{
	writ_request request;
	writ_result *result = NULL;
	writ_error err = {.status = WRIT_OK};

	w_exec_request(x, command, &request);
	if (request.timeout_ms == 0)
		request.timeout_ms = TIMEOUT_MS;
	request.output_limit = OUTPUT_KEPT;
	if (x->step->options->noop)
		w_exec_confine(&request);
	writ_status status =
	    w_manifest_runner_run(x->step->runner, &request, &result, &err);
	if (status == WRIT_E_NOMEM) {
		x->step->is_short = true;
	} else if (x->step->options->noop && status != WRIT_OK &&
		   status != WRIT_E_DENIED && status != WRIT_E_APPROVAL) {
		/* In noop a guard does not run without a sandbox; and what it
		 * needs may be what an earlier resource would have made. */
		*out_answer = W_GUARD_UNKNOWN;
		w_resource_step_warn(x->step, "%s was not asked: %s", kind,
		    x->step->resource->is_sensitive
			? writ_status_text(err.status)
			: err.message);
		return true;
	}
	if (status != WRIT_OK) {
		w_resource_step_fail_error(x->step, &err);
		return false;
	}
	bool ok = guard_commands_evaluate(x, kind, command, result, out_answer);
	writ_result_free(result);
	return ok;
}
