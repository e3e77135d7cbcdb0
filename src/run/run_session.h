/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_RUN_SESSION_H
#define W_RUN_RUN_SESSION_H

#include <writ/session.h>

#include "run/launch/session_walls.h"
#include "run/result/run_result.h"

struct w_runner;

/*
 * A session: its walls and the live runs inside. Runs point to it until they
 * have ended or it is closed.
 */
struct writ_session {
	struct w_runner *runner; /* NULL: its engine is freed */
	struct writ_session *next;
	struct writ_session *prev;
	struct w_session_walls *walls;
	char name[W_RUN_SESSION_MAX + 1];
};

/* Ends the runs of a session, which then belong to none, and forgets its
 * sandboxes. */
void w_run_session_end(struct writ_session *session);

/* The number of its live runs. */
size_t w_run_session_count(const struct writ_session *session);

#endif /* W_RUN_RUN_SESSION_H */
