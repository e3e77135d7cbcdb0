/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_SESSION_H
#define WRIT_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/config.h>
#include <writ/engine.h>
#include <writ/result.h>
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
 * Such a session has no process of its own. The kernel frees everything when
 * the session is closed or this process ends, however it ends. One with a name,
 * for several processes, has a holder: see writ_session_start().
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
	const char *const *publish; /* "PORT" or "HOST_PORT:PORT", NULL-ended:
				       ports of the session that are reached on
				       the machine's 127.0.0.1. At most 8 */
	const char *const *connect; /* "127.0.0.1:PORT", or the path of a local
				       socket below /run: services of the
				       machine that are reached in the session
				       at the same place. At most 8. Some are
				       never let in: see SECURITY.md */
	const char *const *hosts;   /* what runs with the network "loopback"
				       reach besides: "name", "name:port",
				       "*.name", an address or a network of them,
				       with or without a port; NULL-ended. See
				       docs/network.md */
} writ_session_options;

/* clang-format off */
#define WRIT_SESSION_OPTIONS_INIT \
	{sizeof(writ_session_options), NULL, 0, 0, false, NULL, WRIT_TMP_DEFAULT, \
	 NULL, NULL, NULL}
/* clang-format on */

/*
 * Opens a session. opts may be NULL. Close *out_session with
 * writ_session_close() before the engine is freed.
 *
 * Fails with WRIT_E_SANDBOX if this machine cannot build such walls; the error
 * names the missing layer and the remedy. Also with WRIT_E_INVALID (name;
 * publish or connect: a port is taken, or no such service), _DENIED (a service
 * that is never let in), _NOMEM or _SYSTEM (no descriptors left).
 *
 * publish and connect make holes in the walls: do not take them from an
 * untrusted caller.
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

/*
 * Sessions with a name, for several processes.
 *
 *     writ_session_options options = WRIT_SESSION_OPTIONS_INIT;
 *     options.name = "dev";
 *     writ_session_start(engine, &options, NULL, &err);
 *
 *     writ_session_join(engine, "dev", NULL, &session, &err);   elsewhere
 *     request.in_session = session;
 *     request.cwd = writ_session_cwd(session);
 *     request.session_env = writ_session_env(session);
 *     request.wants_state = true;
 *     writ_run(engine, &request, &result, &err);
 *     writ_session_leave(session, result, &err);
 *     writ_session_close(session);
 *
 *     writ_session_end(config, "dev", false, NULL, &err);
 *
 * A holder keeps such a session: a small process that belongs to nobody, which
 * writ_session_start() starts. It has the descriptors, and a socket in the
 * state directory that only this user's processes outside of any sandbox can
 * use. It ends by itself when the session was not used for a while.
 *
 * When the session ends, by writ_session_end() or because its holder was
 * killed, the runs in it are killed, and nothing of it is left.
 *
 * Who may choose a session for a run chooses its walls. Do not take the name
 * from an untrusted caller.
 */
typedef struct writ_session_hold {
	size_t size;          /* set by the initializer; do not touch */
	uint64_t idle_ms;     /* ends when no run was in it for so long; 0: 8
				 hours */
	uint64_t lifetime_ms; /* ends after it, used or not; 0: 7 days */
	const char *dir;      /* where its runs start: absolute. NULL: the
				 engine's base */
} writ_session_hold;

/* clang-format off */
#define WRIT_SESSION_HOLD_INIT {sizeof(writ_session_hold), 0, 0, NULL}
/* clang-format on */

/*
 * Starts a session with the name of opts, which must be set, and its holder.
 * opts->agent is also the agent that it is for. hold may be NULL.
 *
 * Fails like writ_session_open(); also with WRIT_E_INVALID if there is a
 * session with that name.
 */
WRIT_API writ_status writ_session_start(writ_engine *engine,
    const writ_session_options *opts, const writ_session_hold *hold,
    writ_error *err);

/*
 * Joins a session. Close *out_session with writ_session_close(): that ends the
 * runs of this process, not the session. agent: for whom, as in
 * writ_session_start(); NULL: a person.
 *
 * Fails with WRIT_E_NOTFOUND (no such session), _DENIED (it is for another
 * agent, or this process is behind walls), _INVALID (name) or _SYSTEM (its
 * holder does not answer within two seconds, is full, or was tampered with).
 */
WRIT_API writ_status writ_session_join(writ_engine *engine, const char *name,
    const char *agent, writ_session **out_session, writ_error *err);

/* The directory and the variables (NULL-ended) with which the next run of a
 * joined session starts; borrowed from the session. Of any other: NULL. */
WRIT_API const char *writ_session_cwd(const writ_session *session);
WRIT_API const char *const *writ_session_env(const writ_session *session);

/* Saves what the shell of a run has left behind for the next run of the
 * session, in whatever process. Nothing happens if it left nothing, or the
 * session was not joined. Of two that save at once, one wins. Fails with
 * WRIT_E_SYSTEM. */
WRIT_API writ_status writ_session_leave(
    writ_session *session, const writ_result *result, writ_error *err);

/* Whether a joined session has ended: then its runs were killed, and no other
 * starts in it. */
WRIT_API bool writ_session_is_over(const writ_session *session);

/* A session with a holder. The strings are the session's, or the holder's. */
typedef struct writ_session_info {
	size_t size; /* sizeof(writ_session_info) */
	const char *name;
	const char *problem; /* why nothing more is known: its holder does not
				answer, or was tampered with. NULL: none */
	const char *agent;   /* NULL: a person's */
	const char *dir;     /* where it was started */
	const char *cwd;     /* where its next run starts */
	const char *const *env;   /* and with which variables; NULL-ended */
	const char *forwards;     /* what is published and let in, in words; "":
				     nothing */
	bool has_network;         /* its runs share their loopback */
	bool is_on_disk;          /* its /tmp */
	bool has_bad_state;       /* what was saved cannot be read: cwd is dir,
				     and env is empty */
	int pid;                  /* of its holder */
	unsigned runs;            /* that are in it */
	uint64_t began_us;        /* since 1970 */
	uint64_t idle_ms;         /* since the last run; 0: in use */
	uint64_t idle_max_ms;     /* ends then */
	uint64_t left_ms;         /* of its lifetime */
	writ_session_state state; /* of /tmp; runs as above */
	const char *hosts;        /* that its runs reach: patterns, with a blank
				     between two; "": none */
} writ_session_info;

typedef void (*writ_session_fn)(void *ctx, const writ_session_info *info);

/*
 * Tells tell about each session, by name, or about one. config: for the state
 * directory; NULL: from files and environment. Sockets that killed holders have
 * left are removed.
 *
 * writ_session_find() fails with WRIT_E_NOTFOUND if there is none of that name;
 * otherwise like writ_session_join().
 */
WRIT_API writ_status writ_session_list(const writ_config *config,
    writ_session_fn tell, void *ctx, writ_error *err);
WRIT_API writ_status writ_session_find(const writ_config *config,
    const char *name, writ_session_fn tell, void *ctx, writ_error *err);

/*
 * Ends a session: kills its runs and waits for their processes to go.
 * *out_left (NULL is allowed): how many runs were not gone after five seconds.
 * has_force: a holder that does not answer is killed.
 */
WRIT_API writ_status writ_session_end(const writ_config *config,
    const char *name, bool has_force, unsigned *out_left, writ_error *err);

/* What a session wrote to HOME: an entry of one of its directories, with all
 * that is below it. */
typedef struct writ_session_file {
	size_t size;      /* sizeof(writ_session_file) */
	const char *path; /* in HOME, as ".config/git". Runs chose the name */
	uint64_t files;
	uint64_t bytes;
	bool is_deleted; /* the session deleted it; HOME still has it */
} writ_session_file;

typedef void (*writ_session_written_fn)(
    void *ctx, const writ_session_file *file);

/*
 * Tells what the session of this name wrote to HOME, or the one that ended last
 * if none has it now: that is kept for some days, without its caches.
 * *out_is_cut (NULL is allowed): there is more. WRIT_E_NOTFOUND: nothing is
 * kept of such a session.
 */
WRIT_API writ_status writ_session_written(const writ_config *config,
    const char *name, writ_session_written_fn tell, void *ctx, bool *out_is_cut,
    writ_error *err);

WRIT_END_DECLS

#endif /* WRIT_SESSION_H */
