/* SPDX-License-Identifier: Apache-2.0 */

/* The runs of a session. */

#include "run/run_session.h"

#include <signal.h>

#include "run/run.h"

void
w_run_session_end(struct writ_session *session)
{
	struct w_runner *runner = session->runner;

	if (runner == NULL)
		return;
	for (struct writ_job *job = runner->live; job != NULL;
	     job = job->next) {
		if (job->session != session)
			continue;
		job->session = NULL;
		w_run_cancel(job, SIGKILL);
	}
	w_run_sandbox_forget(&runner->launcher.sandbox_cache, session->walls);
}

size_t
w_run_session_count(const struct writ_session *session)
{
	size_t count = 0;

	if (session->runner == NULL)
		return 0;
	for (const struct writ_job *job = session->runner->live; job != NULL;
	     job = job->next)
		count += job->session == session;
	return count;
}
