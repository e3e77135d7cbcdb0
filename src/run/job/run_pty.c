/* SPDX-License-Identifier: Apache-2.0 */

/* What is different about the start of a run that has a terminal. */

#include <fcntl.h>
#include <unistd.h>

#include "base/auto.h"
#include "os/file.h"
#include "run/run_parts.h"

/* A sandbox makes its own, in its view. */
writ_status
w_run_open_pty(struct writ_job *job, const struct w_prepared *prepared,
    bool is_confined, writ_error *err)
{
	const struct w_identity *identity = &prepared->identity;

	job->pty.rows = job->request.rows;
	job->pty.columns = job->request.columns;
	if (is_confined)
		return WRIT_OK;
	int error = w_pty_open(&job->pty);
	/* Programs open their terminal by its name. */
	if (error == 0 && identity->is_set &&
	    fchown(job->pty.slave, identity->uid, (gid_t)-1) < 0)
		error = errno;
	if (error == 0)
		return WRIT_OK;
	writ_status status = w_fail(err, WRIT_E_SYSTEM, "terminal", error,
	    "cannot open a terminal for the command");
	w_suggest(err, "it needs /dev/ptmx and a devpts at /dev/pts");
	return status;
}

/* What the terminal brings is standard output. */
writ_status
w_run_attach_pty(struct writ_job *job, writ_error *err)
{
	if (!job->request.pty)
		return WRIT_OK;
	job->streams[WRIT_STDOUT].source.fd =
	    fcntl(job->pty.master, F_DUPFD_CLOEXEC, W_FD_SAFE);
	if (job->streams[WRIT_STDOUT].source.fd < 0)
		return w_fail(err, WRIT_E_SYSTEM, "terminal", errno,
		    "cannot hold the terminal of the command");
	return WRIT_OK;
}

writ_status
w_run_start_input(struct writ_job *job, writ_error *err)
{
	struct w_loop *loop = &job->runner->loop;

	return job->request.pty
		   ? w_input_started_typed(&job->input, loop, &job->pty, err)
		   : w_input_started(&job->input, loop, err);
}
