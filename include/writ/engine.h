/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_ENGINE_H
#define WRIT_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include <writ/error.h>

WRIT_BEGIN_DECLS

/*
 * An engine runs commands. It owns an epoll descriptor, a timer, a pool of
 * kernel objects ready for use and, if runs are held in a cgroup, one small
 * watchdog process that kills them if this process is killed.
 *
 * It starts no thread, installs no signal handler, changes no process-wide
 * setting, and stores nothing but the record of its runs, in the state
 * directory. An engine belongs to one thread at a time; different engines are
 * independent.
 *
 * Children. Every run is a child of the calling process, tracked by pidfd, so
 * the host receives SIGCHLD for it as for any child. If the host calls
 * waitpid(-1) or ignores SIGCHLD, the exit status can be lost: the run still
 * ends, and its status is read from the pidfd (Linux 6.15 and later, or any run
 * with its own init) or reported as unknown.
 *
 * A host that forks without exec must not use the engine in the child.
 */
typedef struct writ_engine writ_engine;

typedef struct writ_engine_options {
	size_t size;           /* set by the initializer; do not touch */
	const char *spill_dir; /* for output beyond the limit; NULL: "outputs"
				  in the state directory */
	const struct writ_config *config; /* copied; NULL: from the
					     environment */
	const char *door;  /* name of the front end: "cli", "mcp"; NULL:
			      "library" */
	bool no_audit;     /* write no record: to measure its cost */
	bool has_terminal; /* a person at a terminal makes the requests: "ask"
			      stays possible in a sandbox from which a command
			      could answer itself; otherwise it is denied */
	const char *base; /* the directory that the engine works for: "." in the
			     roots of a policy, and where the project's policy
			     is looked up. A request's cwd changes neither.
			     NULL: the current directory at this call */
	const char *sandbox; /* the profile of requests that name none, and
				the minimum for an untrusted caller; NULL:
				the policy decides */
	const char *policy;  /* the text of a policy, copied: in the place of
				the one that the configuration names, beside the
				system's. It includes presets, and files by
				absolute paths; messages call it "memory". An
				invalid one fails each request, with its line
				and column. NULL: none */
	size_t policy_len;
} writ_engine_options;

/* clang-format off */
#define WRIT_ENGINE_OPTIONS_INIT \
	{sizeof(writ_engine_options), NULL, NULL, NULL, false, false, NULL, \
	 NULL, NULL, 0}
/* clang-format on */

/*
 * Creates an engine. opts may be NULL. Free *out_engine with
 * writ_engine_free(). Nothing is started and no directory is created before the
 * first run needs it. Fails with WRIT_E_INVALID (no such base), _NOMEM or
 * _SYSTEM.
 */
WRIT_API writ_status writ_engine_new(
    const writ_engine_options *opts, writ_engine **out_engine, writ_error *err);

/*
 * Kills every live run (SIGKILL, whole process trees, no callbacks), then frees
 * the engine. NULL is allowed.
 */
WRIT_API void writ_engine_free(writ_engine *engine);

/*
 * A descriptor that polls readable when writ_engine_dispatch() has something to
 * do. Borrowed from the engine.
 */
WRIT_API int writ_engine_fd(const writ_engine *engine);

/*
 * Handles what is due: reads output, fires deadlines, ends runs, and makes the
 * callbacks. Waits up to timeout_ms for something to happen; 0 does not wait,
 * -1 waits forever (and returns at once if there is no live run).
 *
 * Fails only if the event loop itself fails (WRIT_E_SYSTEM).
 */
WRIT_API writ_status writ_engine_dispatch(
    writ_engine *engine, int timeout_ms, writ_error *err);

/* The number of live runs. */
WRIT_API size_t writ_engine_live(const writ_engine *engine);

WRIT_END_DECLS

#endif /* WRIT_ENGINE_H */
