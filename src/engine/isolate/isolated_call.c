/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The call that a runner makes. Its input comes from standard input, everything
 * else from variables.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "engine/call/call.h"
#include "engine/config/config_place.h"
#include "engine/isolate/isolated.h"

#define STAGE "runner"

writ_status
w_isolated_take_env(const char *name, char **out_value, writ_error *err)
{
	const char *value = secure_getenv(name);
	char *copy = value == NULL ? NULL : strdup(value);

	if (value != NULL && copy == NULL)
		return w_fail_nomem(err, STAGE);
	(void)unsetenv(name);
	*out_value = copy;
	return WRIT_OK;
}

static writ_status
read_arguments(const char *word, writ_call_options *opts, writ_error *err)
{
	if (word == NULL)
		return WRIT_OK;
	if (!w_isolated_arguments_find(word, &opts->arguments))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "%s is '%s', which is not a way to check arguments",
		    W_ISOLATED_ARGUMENTS, word);
	return WRIT_OK;
}

/* A relative file of the call is relative to the caller's directory. */
static writ_status
fix_stdin(writ_draft *draft, writ_error *err)
{
	const char *path = writ_draft_request(draft)->stdin_path;
	W_AUTO_FREE char *cwd = NULL;
	W_AUTO_FREE char *whole = NULL;

	if (path == NULL || path[0] == '/')
		return WRIT_OK;
	cwd = getcwd(NULL, 0);
	if (cwd == NULL)
		return w_fail(err, WRIT_E_SYSTEM, "cwd", errno,
		    "cannot tell the current directory");
	whole = w_config_join(cwd, path);
	return whole == NULL ? w_fail_nomem(err, STAGE)
			     : writ_draft_set(draft, "stdin_file", whole, err);
}

static writ_status
isolated_call_set_cwd(writ_draft *draft, writ_error *err)
{
	const writ_request *request = writ_draft_request(draft);
	const char *dir = secure_getenv("TMPDIR");

	const bool has_walls = request->sandbox != NULL &&
			       strcmp(request->sandbox, "none") != 0 &&
			       strcmp(request->sandbox, "env") != 0;

	if (request->cwd != NULL || dir == NULL || has_walls)
		return WRIT_OK;
	writ_status status = fix_stdin(draft, err);
	return status == WRIT_OK ? writ_draft_set(draft, "cwd", dir, err)
				 : status;
}

/* The module runs in the private directory, which is TMPDIR, unless it or
 * the call sets another. In a sandbox it runs in the caller's directory:
 * what the sandbox protects and grants depends on that. */
static writ_status
set_surroundings(writ_draft *draft, writ_error *err)
{
	static const char *const passed[] = {"TMPDIR", "LC_ALL", "APCORE_*"};
	const writ_request *request = writ_draft_request(draft);
	writ_status status = WRIT_OK;

	if (request->env_mode == WRIT_ENV_MINIMAL)
		for (size_t i = 0; i < 3 && status == WRIT_OK; i++)
			status =
			    writ_draft_set(draft, "env_pass", passed[i], err);
	return status == WRIT_OK ? isolated_call_set_cwd(draft, err) : status;
}

/* ---- the options of the call ---- */

static writ_status
isolated_call_copy_list(
    const char *const *list, struct w_words *out, writ_error *err)
{
	for (size_t i = 0; list != NULL && list[i] != NULL; i++) {
		if (!w_words_add(out, list[i], strlen(list[i])))
			return w_fail_nomem(err, STAGE);
	}
	return WRIT_OK;
}

static bool
isolated_call_has_variable(const char *const *env, const char *entry)
{
	const size_t len = strcspn(entry, "=") + 1;

	for (size_t i = 0; env != NULL && env[i] != NULL; i++) {
		if (strncmp(env[i], entry, len) == 0)
			return true;
	}
	return false;
}

/* JSON replaces lists, but the variables of a call are added to those of its
 * module, as on the command line. */
static writ_status
read_options(writ_draft *draft, const char *text, writ_error *err)
{
	const writ_request *request = writ_draft_request(draft);
	W_AUTO_WORDS struct w_words env = {0};
	W_AUTO_WORDS struct w_words pass = {0};

	writ_status status = isolated_call_copy_list(request->env, &env, err);
	if (status == WRIT_OK)
		status = isolated_call_copy_list(request->env_pass, &pass, err);
	if (status == WRIT_OK)
		status = writ_draft_read_json(draft, text, strlen(text), err);
	for (size_t i = 0; i < env.count && status == WRIT_OK; i++) {
		if (!isolated_call_has_variable(request->env, env.items[i]))
			status =
			    writ_draft_set(draft, "env", env.items[i], err);
	}
	for (size_t i = 0; i < pass.count && status == WRIT_OK; i++)
		status = writ_draft_set(draft, "env_pass", pass.items[i], err);
	return status;
}

/* A module without a time of its own has that of the sandbox. */
static writ_status
set_call(writ_draft *draft, const struct w_isolated_input *input,
    bool has_timeout, writ_error *err)
{
	const char *const *argv = writ_draft_request(draft)->argv;
	writ_status status = WRIT_OK;

	if (!has_timeout)
		writ_draft_request(draft)->timeout_ms =
		    WRIT_DEFAULT_ISOLATED_TIMEOUT_MS;
	if (input->call != NULL)
		status = read_options(draft, input->call, err);
	if (status == WRIT_OK && (writ_draft_request(draft)->argv != argv ||
				     writ_draft_request(draft)->shell != NULL))
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "%s names a command: the module says what runs",
		    W_ISOLATED_CALL);
	if (status == WRIT_OK && input->trace_id != NULL)
		status =
		    writ_draft_set(draft, "trace_id", input->trace_id, err);
	if (status == WRIT_OK && input->profile != NULL &&
	    writ_draft_request(draft)->sandbox == NULL)
		status = writ_draft_set(draft, "sandbox", input->profile, err);
	if (status == WRIT_OK && input->is_here)
		status = set_surroundings(draft, err);
	return status;
}

writ_status
w_isolated_call(writ_modules *modules, const struct w_isolated_input *input,
    writ_call **out_call, writ_error *err)
{
	writ_call_options opts = WRIT_CALL_OPTIONS_INIT;
	writ_call *call = NULL;

	writ_status status = read_arguments(input->arguments, &opts, err);
	if (status == WRIT_OK)
		status = writ_call_new(modules, input->id, input->text,
		    input->len, &opts, &call, err);
	if (status == WRIT_OK)
		status = set_call(writ_call_draft(call), input,
		    call->compiled->module->timeout_ms != 0, err);
	if (status != WRIT_OK) {
		writ_call_free(call);
		return status;
	}
	*out_call = call;
	return WRIT_OK;
}
