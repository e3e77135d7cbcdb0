/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs a command as a program does that has run many before: by the library,
 * in an engine that is warm, beside another run of the same profile.
 *
 *     warm PROFILE READ HIDE COMMAND ARG...
 *
 * READ and HIDE are paths for the request, if there are walls; the
 * profile "loopback" is workspace with that network, "workspace" the same
 * without one; with "session-" before it all of these runs share a session.
 * COMMAND is the attempt program; it is run three times, and what the last one
 * writes is shown; the neighbour is its attempt of that name, with the same
 * facts.
 */

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <writ/writ.h>

enum {
	RUNS = 3,
	FACTS_MAX = 64,
	PATIENCE_MS = 5000,
};

static int
report(const writ_error *err)
{
	(void)fprintf(stderr, "writ: %s\n", err->message);
	return writ_status_exit(err->status);
}

static int
is_ready(
    void *ctx, writ_job *job, writ_stream stream, const char *bytes, size_t len)
{
	(void)job;
	(void)stream;
	(void)bytes;
	*(bool *)ctx |= len > 0;
	return 0;
}

static void
forget(void *ctx, writ_job *job, writ_result *result)
{
	(void)job;
	*(bool *)ctx = true;
	writ_result_free(result);
}

/* A run that stays until it is cancelled. */
static writ_status
start_neighbour(writ_engine *engine, const writ_request *like, writ_job **job,
    bool *is_gone, writ_error *err)
{
	const char *argv[FACTS_MAX + 3] = {like->argv[0], "neighbour"};
	writ_request request = *like;
	bool has_spoken = false;
	writ_status status;

	for (size_t i = 2; i < FACTS_MAX && like->argv[i] != NULL; i++)
		argv[i] = like->argv[i];
	request.argv = argv;
	request.on_output = is_ready;
	request.output_ctx = &has_spoken;
	status = writ_start(engine, &request, forget, is_gone, job, err);
	for (int i = 0; status == WRIT_OK && !has_spoken && !*is_gone &&
			i < PATIENCE_MS / 100;
	     i++)
		status = writ_engine_dispatch(engine, 100, err);
	return status;
}

static writ_status
run_repeatedly(writ_engine *engine, const writ_request *request,
    writ_result **result, writ_error *err)
{
	for (int i = 0; i < RUNS; i++) {
		writ_status status;

		writ_result_free(*result);
		*result = NULL;
		status = writ_run(engine, request, result, err);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

int
main(int argc, char **argv)
{
	writ_request request = WRIT_REQUEST_INIT;
	writ_engine *engine = NULL;
	writ_result *result = NULL;
	writ_job *job = NULL;
	bool is_gone = false;
	writ_error err;

	if (argc < 6)
		return 2;
	const bool is_session = strncmp(argv[1], "session-", 8) == 0;
	const char *profile = is_session ? argv[1] + 8 : argv[1];
	const char *const read[] = {argv[2], NULL};
	const char *const hide[] = {argv[3], NULL};
	request.argv = (const char *const *)argv + 4;
	if (strcmp(profile, "loopback") == 0)
		request.network = WRIT_NETWORK_LOOPBACK;
	else if (strcmp(profile, "workspace") == 0)
		request.network = WRIT_NETWORK_OFF;
	request.sandbox =
	    request.network == WRIT_NETWORK_DEFAULT ? profile : "workspace";
	if (strcmp(profile, "none") != 0) {
		request.read = read;
		request.hide = hide;
	}
	request.timeout_ms = 60000;
	if (writ_engine_new(NULL, &engine, &err) != WRIT_OK ||
	    (is_session && writ_session_open(engine, NULL, &request.in_session,
			       &err) != WRIT_OK) ||
	    start_neighbour(engine, &request, &job, &is_gone, &err) !=
		WRIT_OK ||
	    run_repeatedly(engine, &request, &result, &err) != WRIT_OK) {
		writ_session_close(request.in_session);
		writ_engine_free(engine);
		return report(&err);
	}
	(void)fwrite(result->out[WRIT_STDOUT].head, 1,
	    result->out[WRIT_STDOUT].head_len, stdout);
	(void)fprintf(stderr, "%s\n", is_gone ? "no neighbour" : "neighbour");
	writ_result_free(result);
	writ_session_close(request.in_session);
	writ_engine_free(engine);
	return is_gone ? 3 : 0;
}
