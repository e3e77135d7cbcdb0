/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The runner: an ordinary call, with the front end "runner".
 *
 * Nothing here decides whether the module may run; the engine does, as for
 * every other front end. The only difference is where the result goes: to a
 * descriptor that no command inherits.
 */

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <writ/engine.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "engine/decide/decider_isolated.h"
#include "engine/engine_state.h"
#include "engine/isolate/isolated.h"
#include "os/file.h"

#define STAGE "runner"

/* The state of a runner. */
struct serving {
	const char *id;
	char *trace_id;
	char *call_text; /* from the variables */
	char *arguments;
	char *profile;
	char *base;
	char *policies;
	char *decided;
	char *file;
	char *cwd;
	struct w_buf input;
	writ_modules *modules;
	writ_call *call;
	writ_engine *engine;
	writ_result *result;
	writ_job *job;
	int signal_fd;
};

static writ_status
isolated_serve_read_input(int fd, struct w_buf *input, writ_error *err)
{
	int error = w_file_read_all(fd, input);

	if (error == EFBIG)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the input is longer than %llu MiB",
		    (unsigned long long)(WRIT_REQUEST_MAX >> 20));
	if (error == ENOMEM)
		return w_fail_nomem(err, STAGE);
	if (error != 0)
		return w_fail(
		    err, WRIT_E_SYSTEM, STAGE, error, "cannot read the input");
	if (input->len > 0)
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "cannot parse the input: it is empty");
	w_suggest(err, "write a JSON object to the standard input; {} for a "
		       "module without arguments");
	return WRIT_E_INVALID;
}

/* ---- running it ---- */

static writ_status
isolated_serve_open_signals(struct serving *serving, writ_error *err)
{
	static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	sigset_t read;
	sigset_t blocked;

	(void)sigemptyset(&read);
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		(void)sigaddset(&read, ending[i]);
	blocked = read;
	(void)sigaddset(&blocked, SIGPIPE);
	(void)pthread_sigmask(SIG_BLOCK, &blocked, NULL);
	serving->signal_fd = signalfd(-1, &read, SFD_CLOEXEC | SFD_NONBLOCK);
	if (serving->signal_fd < 0)
		return w_fail(
		    err, WRIT_E_SYSTEM, STAGE, errno, "cannot read signals");
	return WRIT_OK;
}

static void
forward_signals(struct serving *serving)
{
	struct signalfd_siginfo info;

	while (read(serving->signal_fd, &info, sizeof(info)) ==
	       (ssize_t)sizeof(info)) {
		if (serving->job != NULL)
			writ_job_cancel(serving->job, (int)info.ssi_signo);
	}
}

static void
isolated_serve_take_result(void *ctx, writ_job *job, writ_result *result)
{
	struct serving *serving = ctx;

	(void)job;
	serving->job = NULL;
	serving->result = result;
}

static writ_status
isolated_serve_step(struct serving *serving, writ_error *err)
{
	struct pollfd polls[] = {
	    {.fd = serving->signal_fd, .events = POLLIN},
	    {.fd = writ_engine_fd(serving->engine), .events = POLLIN},
	};

	if (poll(polls, 2, -1) < 0)
		return errno == EINTR ? WRIT_OK
				      : w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
					    "cannot wait for the module");
	if (polls[0].revents != 0)
		forward_signals(serving);
	return writ_engine_dispatch(serving->engine, 0, err);
}

static writ_status
make_call(struct serving *serving, writ_error *err)
{
	const struct w_isolated_input input = {.id = serving->id,
	    .text = serving->input.data,
	    .len = serving->input.len,
	    .trace_id = serving->trace_id,
	    .call = serving->call_text,
	    .arguments = serving->arguments,
	    .profile = serving->profile,
	    .is_here = true};
	const struct w_isolated_proof proof = {.input = &input,
	    .file = serving->file,
	    .cwd = serving->cwd,
	    .base = serving->base,
	    .policies = serving->policies};
	writ_status status =
	    w_isolated_modules(serving->id, &serving->modules, err);

	if (status == WRIT_OK)
		status = w_isolated_call(
		    serving->modules, &input, &serving->call, err);
	if (status == WRIT_OK && serving->decided != NULL)
		status = w_engine_trust_proof(
		    serving->engine, &proof, serving->decided, err);
	if (status != WRIT_OK) {
		/* An invalid call is recorded like an invalid request. */
		writ_request request = WRIT_REQUEST_INIT;
		request.module = serving->id;
		request.trace_id = serving->trace_id;
		writ_refuse(serving->engine, &request, err);
		return status;
	}

	/* What it asks for was approved outside, where it was also known
	 * whether the module is trusted. */
	const bool is_decided = serving->engine->decider.is_decided;
	writ_request *request = writ_call_request(serving->call);
	if (is_decided)
		request->caller = WRIT_CALLER_TRUSTED;
	request->is_module_trusted = is_decided;
	return WRIT_OK;
}

static writ_status
take_variables(struct serving *serving, writ_error *err)
{
	const char *file = secure_getenv(W_ISOLATED_FILE);
	const struct {
		const char *name;
		char **slot;
	} variables[] = {
	    {W_ISOLATED_TRACE, &serving->trace_id},
	    {W_ISOLATED_CALL, &serving->call_text},
	    {W_ISOLATED_ARGUMENTS, &serving->arguments},
	    {W_ISOLATED_PROFILE, &serving->profile},
	    {W_ISOLATED_BASE, &serving->base},
	    {W_ISOLATED_POLICIES, &serving->policies},
	    {W_ISOLATED_DECIDED, &serving->decided},
	};
	writ_status status = WRIT_OK;

	for (size_t i = 0;
	     i < sizeof(variables) / sizeof(*variables) && status == WRIT_OK;
	     i++)
		status = w_isolated_take_env(
		    variables[i].name, variables[i].slot, err);
	serving->cwd = getcwd(NULL, 0);
	if (file != NULL)
		serving->file = strdup(file);
	return status;
}

static writ_status
isolated_serve_prepare(struct serving *serving, int in_fd, writ_error *err)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;

	options.door = "runner";
	writ_status status = take_variables(serving, err);
	if (status == WRIT_OK)
		status = isolated_serve_read_input(in_fd, &serving->input, err);
	if (status == WRIT_OK)
		status = writ_engine_new(&options, &serving->engine, err);
	if (status == WRIT_OK)
		status = make_call(serving, err);
	return status;
}

static writ_status
run_call(struct serving *serving, writ_error *err)
{
	writ_status status = isolated_serve_open_signals(serving, err);

	if (status == WRIT_OK)
		status = writ_start(serving->engine,
		    writ_call_request(serving->call),
		    isolated_serve_take_result, serving, &serving->job, err);
	while (status == WRIT_OK && serving->result == NULL)
		status = isolated_serve_step(serving, err);
	return status;
}

/* ---- output ---- */

static writ_status
write_result(struct serving *serving, int out_fd, writ_error *err)
{
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;

	writ_status status = writ_call_result_json(
	    serving->call, serving->result, &json, &len, err);
	if (status != WRIT_OK)
		return status;
	/* In place of the NUL, so that it can be one write. */
	json[len] = '\n';
	int error = w_file_write_all(out_fd, json, len + 1);
	return error == 0 ? WRIT_OK
			  : w_fail(err, WRIT_E_SYSTEM, STAGE, error,
				"cannot write the result");
}

static void
write_error(const writ_error *error)
{
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;

	if (writ_error_json(error, &json, &len) != WRIT_OK)
		return;
	json[len] = '\n';
	(void)w_file_write_all(STDERR_FILENO, json, len + 1);
}

int
writ_isolated_serve(const char *id, int in_fd, int out_fd)
{
	struct serving serving = {.id = id, .signal_fd = -1};
	writ_error err;

	w_buf_init(&serving.input, WRIT_REQUEST_MAX);
	writ_status status = isolated_serve_prepare(&serving, in_fd, &err);
	if (status == WRIT_OK)
		status = run_call(&serving, &err);
	if (status == WRIT_OK)
		status = write_result(&serving, out_fd, &err);
	if (status != WRIT_OK)
		write_error(&err);
	writ_result_free(serving.result);
	writ_engine_free(serving.engine);
	writ_call_free(serving.call);
	writ_modules_free(serving.modules);
	w_buf_done(&serving.input);
	free(serving.trace_id);
	free(serving.call_text);
	free(serving.arguments);
	free(serving.profile);
	free(serving.base);
	free(serving.policies);
	free(serving.decided);
	free(serving.file);
	free(serving.cwd);
	w_close(&serving.signal_fd);
	return writ_status_exit(status);
}
