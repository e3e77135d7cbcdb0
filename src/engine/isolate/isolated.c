/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Makes an isolated call a request for another writ: the runner.
 *
 * The runner is a command like any other: contained, limited and recorded. So
 * its timeout counts from its start, input that it never reads cannot hang the
 * caller, and whatever it started is gone with it.
 */

#include "engine/isolate/isolated.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/basename.h"
#include "base/error.h"
#include "command/description/dotted_id.h"
#include "engine/config/config_state.h"
#include "engine/request/draft_state.h"

#define STAGE        "isolated"
#define PROGRAM      "writ"
#define LINK_MAX_LEN 4096

/* What a runner needs to end after the grace time of its module, so that the
 * module's end is recorded too. */
#define LAST_WORDS_MS 1000

/* What agents and shells set for writ itself must not reach a runner: the
 * environment must not influence how a call is decided. */
static const char *const dropped[] = {"APCORE_AUTH_*", "*AUTO_APPROVE*",
    W_ISOLATED_CALL, W_ISOLATED_ARGUMENTS, W_ISOLATED_TRACE, W_ISOLATED_FILE,
    W_ISOLATED_PROFILE, W_ISOLATED_BASE, W_ISOLATED_POLICIES,
    W_ISOLATED_DECIDED};

/* The file of this process if that is writ; else "writ", for a PATH lookup. */
static const char *
own_program(char room[LINK_MAX_LEN])
{
	ssize_t len = readlink("/proc/self/exe", room, LINK_MAX_LEN - 1);

	if (len <= 0)
		return PROGRAM;
	room[len] = '\0';
	return strcmp(w_basename(room), PROGRAM) == 0 ? room : PROGRAM;
}

static writ_status
set_argv(writ_draft *draft, const char *id, const char *runner, writ_error *err)
{
	char room[LINK_MAX_LEN];
	const char *const argv[] = {runner != NULL ? runner : own_program(room),
	    WRIT_ISOLATED_FLAG, id};
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < 3 && status == WRIT_OK; i++)
		status = writ_draft_set(draft, "argv", argv[i], err);
	return status;
}

static bool
is_blank(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (strchr(" \t\r\n", text[i]) == NULL || text[i] == '\0')
			return false;
	}
	return true;
}

static writ_status
set_input(writ_draft *draft, const char *input, size_t len, writ_error *err)
{
	char *copy;

	/* A runner takes no input for a mistake. */
	if (is_blank(input, len)) {
		input = "{}";
		len = 2;
	}
	if (len > WRIT_REQUEST_MAX)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the input is longer than %llu MiB",
		    (unsigned long long)(WRIT_REQUEST_MAX >> 20));
	copy = malloc(len + 1);
	if (copy == NULL)
		return w_fail_nomem(err, STAGE);
	if (len > 0)
		memcpy(copy, input, len);
	copy[len] = '\0';
	writ_status status = w_draft_keep(draft, copy, free, err);
	if (status == WRIT_OK)
		w_draft_put_stdin(draft, copy, len);
	return status;
}

static writ_status
isolated_set_env(writ_draft *draft, const char *id,
    const writ_isolated_options *opts, writ_error *err)
{
	W_AUTO_WORDS struct w_words env = {0};
	const writ_config *config = opts->config;
	writ_config *own = NULL;
	writ_status status = WRIT_OK;

	if (config == NULL) {
		status = w_config_new_lenient(&own, err);
		config = own;
	}
	if (status == WRIT_OK)
		status = w_isolated_env(opts, config, &env, err);
	if (status == WRIT_OK)
		status = w_isolated_put_file(id, opts, config, &env,
		    &writ_draft_request(draft)->is_module_trusted, err);
	writ_config_free(own);
	for (size_t i = 0; i < env.count && status == WRIT_OK; i++)
		status = writ_draft_set(draft, "env", env.items[i], err);
	for (size_t i = 0;
	     i < sizeof(dropped) / sizeof(dropped[0]) && status == WRIT_OK; i++)
		status = writ_draft_set(draft, "env_drop", dropped[i], err);
	return status;
}

/* The options of the call are for the runner. They are read here as well, so
 * that a mistake in them is the caller's error and not a failed runner; and
 * the runner gets the grace time of the module. */
static writ_status
check_call(const char *call, uint64_t *out_grace_ms, writ_error *err)
{
	writ_draft *draft = NULL;
	writ_status status = writ_draft_new(&draft, err);

	if (status != WRIT_OK)
		return status;
	status = writ_draft_read_json(draft, call, strlen(call), err);
	const writ_request *request = writ_draft_request(draft);
	if (status == WRIT_OK &&
	    (request->argv != NULL || request->shell != NULL))
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the options of a call cannot have '%s': the module says "
		    "what runs",
		    request->argv != NULL ? "argv" : "shell");
	if (status == WRIT_OK && request->grace_ms != 0)
		*out_grace_ms =
		    request->grace_ms == WRIT_ZERO ? 0 : request->grace_ms;
	writ_draft_free(draft);
	return status;
}

static writ_status
set_limits(
    writ_draft *draft, const writ_isolated_options *opts, writ_error *err)
{
	writ_request *request = writ_draft_request(draft);
	uint64_t grace_ms = WRIT_DEFAULT_GRACE_MS;
	writ_status status = WRIT_OK;

	request->env_mode = WRIT_ENV_ISOLATED;
	request->timeout_ms = opts->timeout_ms != 0
				  ? opts->timeout_ms
				  : WRIT_DEFAULT_ISOLATED_TIMEOUT_MS;
	request->output_limit = opts->output_limit != 0
				    ? opts->output_limit
				    : WRIT_DEFAULT_ISOLATED_OUTPUT;
	/* The run of the module itself records the output; a second copy
	 * would only expose its secrets again. */
	request->spill_limit = WRIT_ZERO;
	request->keep = WRIT_ZERO;
	if (opts->call != NULL)
		status = check_call(opts->call, &grace_ms, err);
	request->grace_ms = grace_ms + LAST_WORDS_MS;
	if (status == WRIT_OK && opts->trace_id != NULL)
		status = writ_draft_set(draft, "trace_id", opts->trace_id, err);
	return status;
}

writ_status
writ_isolated_new(const char *id, const char *input, size_t len,
    const writ_isolated_options *opts, writ_draft **out_draft, writ_error *err)
{
	writ_isolated_options options = WRIT_ISOLATED_OPTIONS_INIT;
	writ_draft *draft = NULL;

	if (opts != NULL && opts->size >= sizeof(opts->size))
		memcpy(&options, opts,
		    opts->size < sizeof(options) ? opts->size
						 : sizeof(options));
	writ_status status = w_dotted_id_check(id, err);
	if (status == WRIT_OK)
		status = writ_draft_new(&draft, err);
	if (status == WRIT_OK)
		status = set_limits(draft, &options, err);
	if (status == WRIT_OK)
		status = set_argv(draft, id, options.runner, err);
	if (status == WRIT_OK)
		status = isolated_set_env(draft, id, &options, err);
	if (status == WRIT_OK)
		status = set_input(draft, input, len, err);
	if (status != WRIT_OK) {
		writ_draft_free(draft);
		return status;
	}
	*out_draft = draft;
	return WRIT_OK;
}
