/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Nagios-style health checks: exit status 0 OK, 1 WARNING, 2 CRITICAL, all else
 * UNKNOWN, with a message on standard output.
 *
 * A command that cannot start is UNKNOWN and not retried: it would fail again.
 */

#include "manifest/apply/health.h"

#include <string.h>

#include "base/encode.h"
#include "manifest/apply/exec_resource.h"
#include "manifest/apply/manifest_runner.h"
#include "manifest/apply/resource_output.h"

#define OUTPUT_KEPT UINT64_C(16384)
#define BLANKS      " \t\r\n"

static const char *const words[] = {
    [WRIT_HEALTH_OK] = "OK",
    [WRIT_HEALTH_WARNING] = "WARNING",
    [WRIT_HEALTH_CRITICAL] = "CRITICAL",
    [WRIT_HEALTH_UNKNOWN] = "UNKNOWN",
};

/* ---- output ---- */

/* Trimmed, and valid UTF-8. */
static const char *
health_clean(struct w_resource_step *step, const char *text, size_t len)
{
	char *copy;

	while (len > 0 && strchr(BLANKS, text[len - 1]) != NULL)
		len--;
	while (len > 0 && strchr(BLANKS, text[0]) != NULL) {
		text++;
		len--;
	}
	copy = w_arena_text(&step->arena, text, len);
	if (copy == NULL) {
		step->is_short = true;
		return "";
	}
	const bool is_text = w_utf8_valid(copy, len);
	for (size_t i = 0; i < len; i++) {
		if (copy[i] == '\0' || (!is_text && (copy[i] & 0x80) != 0))
			copy[i] = '?';
	}
	return copy;
}

static const char *
output_of(struct w_resource_step *step, const writ_result *result)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, OUTPUT_KEPT);
	if (step->resource->is_sensitive)
		return W_VALUE_HIDDEN;
	if (result->outcome != WRIT_EXITED)
		return w_exec_ending(step, result);
	w_resource_output_add_tail(
	    &text, step, &result->out[WRIT_STDOUT], OUTPUT_KEPT / 2);
	return health_clean(step, text.data, text.len);
}

/* ---- one try ---- */

static void
health_make_request(const struct w_resource_step *step,
    const struct w_health_check *check, const struct w_filled_command *command,
    writ_request *out_request)
{
	writ_request request = WRIT_REQUEST_INIT;

	request.argv = command->argv;
	request.cwd = "/";
	request.env = w_exec_plain_env;
	request.timeout_ms = check->timeout_ms;
	request.umask = WRIT_UMASK(022);
	request.output_limit = OUTPUT_KEPT;
	request.spill_limit = WRIT_ZERO;
	request.agent = step->agent;
	request.caller = step->options->caller;
	request.trace_id = step->trace_id;
	if (step->resource->is_sensitive) {
		request.secrets = command->argv;
		request.keep = WRIT_ZERO;
	}
	if (step->options->noop)
		w_exec_confine(&request);
	*out_request = request;
}

/* false: no further try. */
static bool
try_once(struct w_resource_step *step, const writ_request *request,
    writ_health_check *found)
{
	writ_result *result = NULL;
	writ_error err = {.status = WRIT_OK};

	found->tries++;
	writ_status status =
	    w_manifest_runner_run(step->runner, request, &result, &err);
	if (status == WRIT_E_SANDBOX && step->options->noop) {
		/* A check without a sandbox is not made in noop, and does not
		 * fail the resource. */
		found->status = WRIT_HEALTH_OK;
		found->output = "not checked";
		w_resource_step_warn(step, "health check '%s' was not made: %s",
		    found->name,
		    step->resource->is_sensitive ? writ_status_text(err.status)
						 : err.message);
		return false;
	}
	if (status != WRIT_OK) {
		step->is_short = step->is_short || status == WRIT_E_NOMEM;
		found->status = WRIT_HEALTH_UNKNOWN;
		found->output =
		    step->resource->is_sensitive
			? writ_status_text(status)
			: w_resource_step_text(step, "%s", err.message);
		return false;
	}
	w_resource_step_add_run(step, result->run_id);
	found->status = result->outcome == WRIT_EXITED &&
				result->status_known &&
				result->exit_code <= WRIT_HEALTH_CRITICAL
			    ? (writ_health)result->exit_code
			    : WRIT_HEALTH_UNKNOWN;
	found->output = output_of(step, result);
	writ_result_free(result);
	return found->status != WRIT_HEALTH_OK && !step->is_interrupted;
}

static void
run_check(struct w_resource_step *step, const struct w_health_check *check,
    writ_health_check *found)
{
	struct w_filled_command command;
	writ_request request;
	writ_error err;

	if (!w_fill_command(step, &check->command, false, &command)) {
		found->status = WRIT_HEALTH_UNKNOWN;
		return;
	}
	health_make_request(step, check, &command, &request);
	while (try_once(step, &request, found) && found->tries < check->tries &&
	       w_manifest_runner_pause(
		   step->runner, check->try_sleep_ms, &err) == WRIT_OK &&
	       !step->is_interrupted)
		continue;
}

void
w_health_check(struct w_resource_step *step)
{
	const struct w_resource *resource = step->resource;
	writ_health_check *found;
	size_t count = 0;

	if (resource->extras->health_count == 0)
		return;
	found = w_arena_alloc(
	    &step->arena, resource->extras->health_count, sizeof(*found));
	if (found == NULL) {
		step->is_short = true;
		return;
	}
	for (; count < resource->extras->health_count && !step->is_interrupted;
	     count++) {
		found[count].name = resource->extras->health_checks[count].name;
		found[count].output = "";
		run_check(step, &resource->extras->health_checks[count],
		    &found[count]);
		if (found[count].status != WRIT_HEALTH_OK)
			w_resource_step_fail(step, "health check status \"%s\"",
			    words[found[count].status]);
	}
	step->is_cut = step->is_interrupted;
	step->event.health = found;
	step->event.health_count = count;
}
