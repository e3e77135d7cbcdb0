/* SPDX-License-Identifier: Apache-2.0 */

/* Checks a request. It is untrusted input, even from C code. */

#include "run/resolve/request_check.h"
#include "run/run_session.h"

#include <string.h>

#include "base/duration.h"
#include "run/streams/pty.h"

static writ_status
request_check_copy(
    const writ_request *request, writ_request *out, writ_error *err)
{
	const writ_request standard = WRIT_REQUEST_INIT;

	if (request->size > sizeof(*out))
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "the request was made for a newer libwrit");
	if (request->size < sizeof(request->size))
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "the request has no size: start from WRIT_REQUEST_INIT");

	/* An older caller's shorter struct leaves the rest at default. */
	*out = standard;
	memcpy(out, request, request->size);
	out->size = sizeof(*out);
	return WRIT_OK;
}

static writ_status
request_check_command(const writ_request *request, writ_error *err)
{
	bool has_argv = request->argv != NULL && request->argv[0] != NULL;

	if (has_argv && request->shell != NULL)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "both argv and shell are given; one is needed");
	if (request->program != NULL &&
	    (!has_argv || request->program[0] != '/'))
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "the program must be an absolute path, and have an argv");
	if (has_argv || request->shell != NULL)
		return WRIT_OK;
	writ_status status = w_fail(
	    err, WRIT_E_INVALID, "request", 0, "there is nothing to run");
	w_suggest(err, "give a program and its arguments");
	return status;
}

static writ_status
check_env(const char *const *env, writ_error *err)
{
	for (size_t i = 0; env != NULL && env[i] != NULL; i++) {
		if (strchr(env[i], '=') != NULL && env[i][0] != '=')
			continue;
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "environment entry '%s' is not NAME=VALUE", env[i]);
	}
	return WRIT_OK;
}

static writ_status
request_check_words(const writ_request *request, writ_error *err)
{
	if ((unsigned)request->env_mode > WRIT_ENV_INHERIT ||
	    (unsigned)request->stdin_kind > WRIT_STDIN_PIPE ||
	    (unsigned)request->background > WRIT_BACKGROUND_WAIT ||
	    (unsigned)request->hold > WRIT_HOLD_CALLER)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "a value of the request is outside its enumeration");
	if ((request->stdin_kind == WRIT_STDIN_FILE &&
		request->stdin_path == NULL) ||
	    (request->stdin_kind == WRIT_STDIN_DATA &&
		request->stdin_data == NULL && request->stdin_len > 0))
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "standard input is asked for but not given");
	return WRIT_OK;
}

/* What outlives the engine would outlive the session, too. */
static writ_status
check_session(const writ_request *request, writ_error *err)
{
	if (request->in_session != NULL && request->in_session->is_over)
		return w_fail(err, WRIT_E_INVALID, "session", 0,
		    "session '%s' has ended", request->in_session->name);
	if (request->in_session == NULL ||
	    request->background != WRIT_BACKGROUND_KEEP)
		return WRIT_OK;
	writ_status status = w_fail(err, WRIT_E_INVALID, "request", 0,
	    "a run in a session cannot keep its background: that ends with the "
	    "session");
	w_suggest(err, "let the run go on with it (background wait)");
	return status;
}

static writ_status
check_numbers(const writ_request *request, writ_error *err)
{
	if (request->nice < W_REQUEST_NICE_MIN ||
	    request->nice > W_REQUEST_NICE_MAX)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "nice must be between %d and %d", W_REQUEST_NICE_MIN,
		    W_REQUEST_NICE_MAX);
	if (request->umask != 0 && (request->umask & ~0777U) != WRIT_UMASK(0))
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "umask must be written as WRIT_UMASK(mode)");
	if (request->timeout_ms > W_DURATION_MAX_MS ||
	    request->idle_timeout_ms > W_DURATION_MAX_MS ||
	    request->grace_ms > W_DURATION_MAX_MS ||
	    request->cpu_ms > W_DURATION_MAX_MS)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "a duration is longer than ten years");
	return WRIT_OK;
}

static writ_status
check_pty(const writ_request *request, writ_error *err)
{
	if (!request->pty && (request->rows != 0 || request->columns != 0))
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "rows and columns are for a terminal, and there is none "
		    "without pty");
	if (request->rows > W_PTY_SIZE_MAX || request->columns > W_PTY_SIZE_MAX)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "a terminal has at most %d rows and columns",
		    W_PTY_SIZE_MAX);
	if (request->pty && request->stdin_kind == WRIT_STDIN_FD)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "standard input cannot be a descriptor with pty: it is "
		    "the terminal");
	return WRIT_OK;
}

/* Names given by the caller, which go into the record. */
static writ_status
request_check_name(
    const char *key, const char *name, size_t max, writ_error *err)
{
	size_t len = 0;

	if (name == NULL)
		return WRIT_OK;
	while (name[len] >= 0x20 && name[len] <= 0x7e)
		len++;
	if (len > 0 && len <= max && name[len] == '\0')
		return WRIT_OK;
	return w_fail(err, WRIT_E_INVALID, "request", 0,
	    "%s must be 1 to %zu printable ASCII characters", key, max);
}

static writ_status
request_check_names(const writ_request *request, writ_error *err)
{
	const struct {
		const char *key;
		const char *name;
		size_t max;
	} names[] = {
	    {"trace_id", request->trace_id, W_REQUEST_TRACE_ID_MAX},
	    {"agent", request->agent, W_REQUEST_AGENT_MAX},
	    {"module", request->module, W_REQUEST_MODULE_MAX},
	    {"approval", request->approval, W_REQUEST_APPROVAL_MAX},
	    {"session", request->session, W_REQUEST_SESSION_MAX},
	};
	const char *said = request->description;
	writ_status status = WRIT_OK;

	if (said != NULL && strlen(said) > W_REQUEST_DESCRIPTION_MAX)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "description is longer than %d bytes",
		    W_REQUEST_DESCRIPTION_MAX);
	for (size_t i = 0;
	     i < sizeof(names) / sizeof(*names) && status == WRIT_OK; i++)
		status = request_check_name(
		    names[i].key, names[i].name, names[i].max, err);
	return status;
}

static void
request_check_settle(uint64_t *value, uint64_t standard)
{
	if (*value == 0)
		*value = standard;
	else if (*value == WRIT_ZERO)
		*value = 0;
}

writ_status
w_run_check_request(
    const writ_request *request, writ_request *out_checked, writ_error *err)
{
	writ_request checked;

	writ_status status = request_check_copy(request, &checked, err);
	if (status != WRIT_OK)
		return status;
	request_check_settle(&checked.grace_ms, WRIT_DEFAULT_GRACE_MS);
	request_check_settle(&checked.output_limit,
	    checked.parse_json ? WRIT_DEFAULT_JSON_LIMIT
			       : WRIT_DEFAULT_OUTPUT_LIMIT);
	request_check_settle(&checked.spill_limit, WRIT_DEFAULT_SPILL_LIMIT);
	if (checked.pty && checked.rows == 0)
		checked.rows = W_PTY_ROWS;
	if (checked.pty && checked.columns == 0)
		checked.columns = W_PTY_COLUMNS;

	status = request_check_command(&checked, err);
	if (status == WRIT_OK)
		status = request_check_words(&checked, err);
	if (status == WRIT_OK)
		status = check_env(checked.env, err);
	if (status == WRIT_OK)
		status = check_numbers(&checked, err);
	if (status == WRIT_OK)
		status = check_pty(&checked, err);
	if (status == WRIT_OK)
		status = check_session(&checked, err);
	if (status == WRIT_OK)
		status = request_check_names(&checked, err);
	if (status == WRIT_OK)
		status = w_run_check_sandbox(&checked, err);
	if (status == WRIT_OK)
		*out_checked = checked;
	return status;
}
