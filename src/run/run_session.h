/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_RUN_SESSION_H
#define W_RUN_RUN_SESSION_H

#include <writ/session.h>

#include "os/loop.h"
#include "run/held/held_client.h"
#include "run/hosts/run_hosts.h"
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
	struct w_held *held; /* it was joined; NULL: it is this process's own */
	struct w_source line; /* to its holder; readable: it ends */
	bool is_over;         /* it has ended */
	struct w_run_hosts hosts;
	char name[W_RUN_SESSION_MAX + 1];
};

/* Watches the line of a joined session, whose runs end with it. 0, or an
 * errno. */
int w_run_session_watch(struct writ_session *session);

/* Ends the runs of a session, which then belong to none, and forgets its
 * sandboxes. */
void w_run_session_end(struct writ_session *session);

/* Frees a session whose runs have ended, and that is in no list any more. */
void w_run_session_free(struct writ_session *session);
/* Those that were freed while the loop was busy. */
void w_run_session_free_closed(struct w_runner *runner);

/* The number of its live runs. */
size_t w_run_session_count(const struct writ_session *session);

#endif /* W_RUN_RUN_SESSION_H */
