/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_SESSION_H
#define WRIT_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/engine.h>
#include <writ/run.h>

WRIT_BEGIN_DECLS

/*
 * Walls that several runs share.
 *
 *     writ_session *session = NULL;
 *     if (writ_session_open(engine, NULL, &session, &err) != WRIT_OK)
 *         return report(&err);
 *     request.in_session = session;
 *     writ_run(engine, &request, &result, &err);   any number of runs
 *     writ_session_close(session);
 *
 * The runs of a session have the same /tmp, /var/tmp and /dev/shm, which are
 * empty at first and vanish with the session. Those with the network "loopback"
 * have the same 127.0.0.1: a server in one run is reached from the next.
 * Everything else is as in any run: each has its own process tree, its own
 * profile and its own decision of the policy. A run cannot see or signal the
 * processes of another.
 *
 * A run whose profile has no view of its own ("none", "env") is in no session,
 * whatever its request says. Its result then names none.
 *
 * What lies in /tmp was made by the session's commands: a run with more rights
 * reads it at its own risk. See SECURITY.md.
 *
 * A session has no process of its own. The kernel frees everything when the
 * session is closed or this process ends, however it ends.
 *
 * Threads: a session belongs to its engine's thread.
 */
typedef struct writ_session writ_session;

typedef struct writ_session_options {
	size_t size;        /* set by the initializer; do not touch */
	const char *name;   /* for results and records: 1 to 64 letters, digits,
			       '-', '_' and '.'; NULL: a random one */
	uint64_t tmp_size;  /* bytes in the temporary directories together; 0:
			       limits.tmp of the policy, else a quarter of the
			       memory, at most 8 GiB */
	uint64_t tmp_files; /* files in them; 0: by tmp_size */
	bool no_network;    /* runs do not share their loopback */
	const char *agent;  /* whose limits apply: limits.tmp of the policy is
			       the most that tmp_size can be. NULL: the default
			       agent */
	writ_tmp tmp; /* DISK: the temporary directories lie on disk, below the
			 state directory, and their size is sampled: runs are
			 ended beyond it. DEFAULT: limits.tmp of the policy */
} writ_session_options;

/* clang-format off */
#define WRIT_SESSION_OPTIONS_INIT \
	{sizeof(writ_session_options), NULL, 0, 0, false, NULL, WRIT_TMP_DEFAULT}
/* clang-format on */

/*
 * Opens a session. opts may be NULL. Close *out_session with
 * writ_session_close() before the engine is freed.
 *
 * Fails with WRIT_E_SANDBOX if this machine cannot build such walls; the error
 * names the missing layer and the remedy. Also with WRIT_E_INVALID (name),
 * _NOMEM or _SYSTEM (no descriptors left).
 */
WRIT_API writ_status writ_session_open(writ_engine *engine,
    const writ_session_options *opts, writ_session **out_session,
    writ_error *err);

/*
 * Closes a session and ends its runs: their trees are killed at once, and their
 * results, with the outcome "cancelled", come by writ_engine_dispatch() as
 * usual. NULL is allowed.
 */
WRIT_API void writ_session_close(writ_session *session);

/* Its name. Borrowed from the session. */
WRIT_API const char *writ_session_name(const writ_session *session);

typedef struct writ_session_state {
	size_t size;        /* set by the caller: sizeof(writ_session_state) */
	size_t runs;        /* live ones */
	uint64_t tmp_bytes; /* in the temporary directories */
	uint64_t tmp_bytes_max;
	uint64_t tmp_files;
	uint64_t tmp_files_max;
} writ_session_state;

/* How a session is now. Fails with WRIT_E_INVALID (size) or _SYSTEM. */
WRIT_API writ_status writ_session_look(const writ_session *session,
    writ_session_state *out_state, writ_error *err);

WRIT_END_DECLS

#endif /* WRIT_SESSION_H */
