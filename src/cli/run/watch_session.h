/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_WATCH_SESSION_H
#define W_CLI_WATCH_SESSION_H

#include <writ/error.h>

/*
 * The live session of a run (--session): its directory is what the engine works
 * for, the run starts where its last shell was, and what the run's own shell
 * leaves behind is saved for the next one.
 */
struct w_watch;

/* Before the engine exists: the directory that the session was started for.
 * *out_base is yours; NULL: there is no session. */
writ_status w_watch_find_session(
    const struct w_watch *watch, char **out_base, writ_error *err);

/* Joins it, and completes the request. */
writ_status w_watch_join_session(struct w_watch *watch, writ_error *err);

/* When the run has ended, or could not be started. */
void w_watch_leave_session(struct w_watch *watch);

#endif /* W_CLI_WATCH_SESSION_H */
