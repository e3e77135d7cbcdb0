/* SPDX-License-Identifier: Apache-2.0 */

/* The live session of a run. */

#include "cli/run/watch_session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <writ/session.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/output/print.h"
#include "cli/run/watch_state.h"

static void
watch_session_take_dir(void *ctx, const writ_session_info *info)
{
	*(char **)ctx = strdup(info->dir);
}

/* Not found is the program, for whoever reads the exit status. */
static writ_status
watch_session_fail(writ_error *err)
{
	if (err->status == WRIT_E_NOTFOUND)
		err->status = WRIT_E_INVALID;
	return err->status;
}

writ_status
w_watch_find_session(
    const struct w_watch *watch, char **out_base, writ_error *err)
{
	const struct w_watch_options *options = watch->options;

	if (options->session == NULL)
		return WRIT_OK;
	writ_status status = writ_session_find(options->config,
	    options->session, watch_session_take_dir, out_base, err);
	if (status == WRIT_OK && *out_base == NULL)
		return w_fail_nomem(err, "session");
	return status == WRIT_OK ? WRIT_OK : watch_session_fail(err);
}

/* A person who stands elsewhere sees where the command runs. */
static void
note_directory(const struct w_watch *watch, const char *cwd)
{
	W_AUTO_FREE char *here = realpath(".", NULL);

	if (!watch->options->is_quiet && isatty(STDERR_FILENO) == 1 &&
	    (here == NULL || strcmp(here, cwd) != 0))
		w_print_note(
		    "in %s, where session %s is", cwd, watch->options->session);
}

/* Ports are passed on for a session, and this run is the only one in it. */
static writ_status
open_own(struct w_watch *watch, writ_error *err)
{
	const struct w_watch_options *options = watch->options;
	writ_session_options session = WRIT_SESSION_OPTIONS_INIT;

	if (options->publish == NULL && options->connect == NULL)
		return WRIT_OK;
	session.publish = options->publish;
	session.connect = options->connect;
	session.tmp = options->request->tmp;
	session.tmp_size = options->request->tmp_size;
	writ_status status =
	    writ_session_open(watch->engine, &session, &watch->session, err);
	if (status == WRIT_OK)
		options->request->in_session = watch->session;
	return status == WRIT_OK ? WRIT_OK : watch_session_fail(err);
}

writ_status
w_watch_join_session(struct w_watch *watch, writ_error *err)
{
	const struct w_watch_options *options = watch->options;
	writ_request *request = options->request;

	if (options->session == NULL)
		return open_own(watch, err);
	writ_status status = writ_session_join(watch->engine, options->session,
	    request->agent, &watch->session, err);
	if (status != WRIT_OK)
		return watch_session_fail(err);
	request->in_session = watch->session;
	request->wants_state = true;
	request->prefers_bash = true;
	request->session_env = writ_session_env(watch->session);
	if (request->cwd == NULL) {
		request->cwd = writ_session_cwd(watch->session);
		note_directory(watch, request->cwd);
	}
	return WRIT_OK;
}

void
w_watch_leave_session(struct w_watch *watch)
{
	writ_error err;

	if (watch->session == NULL || watch->result == NULL)
		return;
	writ_status status =
	    writ_session_leave(watch->session, watch->result, &err);
	if (watch->options->is_quiet)
		return;
	if (watch->result->session == NULL)
		w_print_note("this run was not in %s%s: its profile has no "
			     "/tmp of its own",
		    watch->options->session == NULL ? "a session" : "session ",
		    watch->options->session == NULL ? ""
						    : watch->options->session);
	else if (watch->options->session == NULL)
		return;
	else if (writ_session_is_over(watch->session) &&
		 watch->result->outcome == WRIT_CANCELLED)
		w_print_note("session %s has ended, and this run with it",
		    watch->options->session);
	else if (status != WRIT_OK)
		w_print_error(&err, NULL);
}
