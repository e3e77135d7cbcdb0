/* SPDX-License-Identifier: Apache-2.0 */

/* The runs of a session. */

#include "run/run_session.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "run/helper/holder_protocol.h"
#include "run/run.h"

/* A holder says nothing unasked, but an answer may come after nobody waits for
 * it any more. */
static void
run_session_on_line(struct w_source *source, uint32_t events)
{
	struct writ_session *session =
	    W_CONTAINER_OF(source, struct writ_session, line);
	char late[sizeof(struct w_holder_answer)];
	const ssize_t n = recv(source->fd, late, sizeof(late), MSG_DONTWAIT);

	(void)events;
	if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		return;
	session->is_over = true;
	w_loop_remove(&session->runner->loop, source);
	w_run_session_end(session);
}

int
w_run_session_watch(struct writ_session *session)
{
	session->line = (struct w_source){
	    .fd = session->held->line, .fn = run_session_on_line};
	return w_loop_add(
	    &session->runner->loop, &session->line, EPOLLIN | EPOLLRDHUP);
}

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

struct w_run_hosts *
w_run_hosts_of(struct writ_job *job)
{
	return job->session != NULL ? &job->session->hosts : &job->own_hosts;
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

void
w_run_session_free(struct writ_session *session)
{
	struct w_runner *runner = session->runner;

	w_run_hosts_free(&session->hosts);
	w_session_walls_release(session->walls);
	if (session->held != NULL && runner != NULL)
		w_loop_remove(&runner->loop, &session->line);
	w_held_done(session->held);
	session->held = NULL;
	session->walls = NULL;
	/* An event of its line may have been fetched already. */
	if (runner != NULL && runner->loop.dispatching) {
		session->next = runner->closed;
		runner->closed = session;
		return;
	}
	free(session);
}

void
w_run_session_free_closed(struct w_runner *runner)
{
	while (runner->closed != NULL) {
		struct writ_session *session = runner->closed;

		runner->closed = session->next;
		free(session);
	}
}
