/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Tests of runs: to the end, in the background, cancelled, and denied because
 * nobody approves.
 */

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "cli/mcp/conformance.h"

#define PARAMS_MAX ((size_t)1 << 16)
#define WAIT_MS    20000
#define POLL_MS    10

void
w_conformance_test_exec(struct w_conformance *check)
{
	yyjson_val *result = NULL;

	if (check->hello == NULL) {
		w_conformance_end(
		    check, W_CONFORMANCE_SKIPPED, "there is no exec");
		return;
	}
	if (!w_conformance_call_tool(check, "exec", check->hello, &result))
		return;
	yyjson_val *sandbox = yyjson_obj_get(result, "sandbox");
	const char *out = w_conformance_text(result, "stdout");

	if (strcmp(out, "hello from writ\n") == 0)
		w_conformance_end(check, W_CONFORMANCE_PASSED, "echo%s%.64s",
		    sandbox == NULL ? "" : ", in the profile ",
		    w_conformance_text(sandbox, "profile"));
	else
		w_conformance_end(
		    check, W_CONFORMANCE_FAILED, "echo wrote '%.64s'", out);
}

/* ---- background runs ---- */

void
w_conformance_test_background(struct w_conformance *check)
{
	yyjson_val *result = NULL;
	W_AUTO_BUF struct w_buf arguments;

	w_buf_init(&arguments, PARAMS_MAX);
	if (!w_conformance_call_tool(
		check, "exec", W_CONFORMANCE_LONG_EXEC, &result))
		return;
	if (strcmp(w_conformance_text(result, "outcome"), "running") != 0) {
		w_conformance_end(check, W_CONFORMANCE_FAILED,
		    "the outcome is '%.32s'",
		    w_conformance_text(result, "outcome"));
		return;
	}
	(void)snprintf(check->killed, sizeof(check->killed), "%s",
	    w_conformance_text(result, "run_id"));
	w_buf_add_fmt(&arguments, "{\"run_id\":\"%s\",\"signal\":\"KILL\"}",
	    check->killed);
	if (!w_conformance_call_tool(
		check, "run_kill", arguments.data, &result))
		return;
	if (strcmp(w_conformance_text(result, "outcome"), "running") == 0)
		w_conformance_end(
		    check, W_CONFORMANCE_FAILED, "run_kill left it running");
	else
		w_conformance_end(check, W_CONFORMANCE_PASSED,
		    "started, killed: %.32s",
		    w_conformance_text(result, "outcome"));
}

/* Whether the newest run, other than the one killed before, has this outcome.
 * -1: the server could not be asked; recorded. */
static int
newest_run_is(struct w_conformance *check, const char *outcome)
{
	yyjson_val *result = NULL;

	if (!w_conformance_call_tool(check, "run_list", "{}", &result))
		return -1;
	yyjson_val *newest = yyjson_arr_get(yyjson_obj_get(result, "runs"), 0);
	return strcmp(w_conformance_text(newest, "run_id"), check->killed) !=
		   0 &&
	       strcmp(w_conformance_text(newest, "outcome"), outcome) == 0;
}

static int
wait_until_newest_is(struct w_conformance *check, const char *outcome)
{
	const uint64_t until =
	    w_conformance_client_now_us() + (uint64_t)WAIT_MS * 1000;
	const struct timespec moment = {.tv_nsec = POLL_MS * 1000000};
	int is_done = newest_run_is(check, outcome);

	while (is_done == 0 && w_conformance_client_now_us() < until) {
		(void)nanosleep(&moment, NULL);
		is_done = newest_run_is(check, outcome);
	}
	return is_done;
}

/* Starts a long run, and cancels the request once it runs. */
static int
start_and_cancel(struct w_conformance *check, writ_error *err)
{
	static const char call[] =
	    "{\"name\":\"exec\",\"arguments\":{\"argv\":[\"sleep\",\"30\"]}}";
	char params[64];

	if (w_conformance_client_send(
		&check->client, "tools/call", call, err) != WRIT_OK) {
		w_conformance_fail(check, &check->client, err);
		return -1;
	}
	(void)snprintf(params, sizeof(params), "{\"requestId\":%u}",
	    check->client.last_id);
	const int is_running = wait_until_newest_is(check, "running");
	if (is_running <= 0)
		return is_running;
	if (w_conformance_client_notify(&check->client,
		"notifications/cancelled", params, err) != WRIT_OK) {
		w_conformance_fail(check, &check->client, err);
		return -1;
	}
	return wait_until_newest_is(check, "cancelled");
}

void
w_conformance_test_cancel(struct w_conformance *check)
{
	writ_error err;

	/* The test before has shown whether it may run at all. */
	if (check->results[check->count - 1].state != W_CONFORMANCE_PASSED) {
		w_conformance_end(
		    check, W_CONFORMANCE_SKIPPED, "there is none to cancel");
		return;
	}
	const int is_done = start_and_cancel(check, &err);
	if (is_done > 0)
		w_conformance_end(
		    check, W_CONFORMANCE_PASSED, "the run was cancelled");
	else if (is_done == 0)
		w_conformance_end(check, W_CONFORMANCE_FAILED,
		    "no run was cancelled within %d s", WAIT_MS / 1000);
}

/* ---- approval ---- */

/*
 * Calls exec with the first arguments that the policy asks about and whose
 * program exists: a missing program is not asked about. Those before it are
 * dropped. false: the reason was recorded.
 */
static bool
call_asked(struct w_conformance *check, yyjson_val **out_result)
{
	while (check->asked_count > 0) {
		W_AUTO_BUF struct w_buf params;

		w_buf_init(&params, PARAMS_MAX);
		w_buf_add_fmt(&params, "{\"name\":\"exec\",\"arguments\":%s}",
		    check->asked[0]);
		if (!w_conformance_ask(
			check, "tools/call", params.data, out_result))
			return false;
		const char *code = w_conformance_error_code(*out_result);

		if (code == NULL || strcmp(code, "not_found") != 0)
			return true;
		check->asked_count--;
		memmove(&check->asked[0], &check->asked[1],
		    check->asked_count * sizeof(check->asked[0]));
	}
	w_conformance_end(check, W_CONFORMANCE_SKIPPED,
	    "none of what this policy asks about is installed");
	return false;
}

void
w_conformance_test_form(struct w_conformance *check)
{
	yyjson_val *result = NULL;

	if (!call_asked(check, &result))
		return;
	const char *code = w_conformance_error_code(result);

	if (check->client.forms == 0)
		w_conformance_end(check, W_CONFORMANCE_FAILED,
		    "no form came for what the policy asks about: %.32s",
		    code == NULL ? "it ran" : code);
	else if (code == NULL || !w_conformance_is_forbidden(code))
		w_conformance_end(check, W_CONFORMANCE_FAILED,
		    "a form was closed, and the call says '%.32s'",
		    code == NULL ? "done" : code);
	else
		w_conformance_end(check, W_CONFORMANCE_PASSED,
		    "a form came and was closed: %.32s", code);
}
