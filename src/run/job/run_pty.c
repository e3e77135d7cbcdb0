/* SPDX-License-Identifier: Apache-2.0 */

/* The steps that differ for a run with a terminal. */

#include <fcntl.h>
#include <unistd.h>

#include "base/auto.h"
#include "os/file.h"
#include "run/run_parts.h"

/* A sandbox opens its own terminal, in its view. */
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
	/* Programs open their terminal by name. */
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

/* What is read from the terminal is standard output. */
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
