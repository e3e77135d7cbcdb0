/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_ENGINE_H
#define WRIT_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include <writ/error.h>

WRIT_BEGIN_DECLS

/*
 * An engine runs commands. It owns an epoll descriptor, a timer, a pool of
 * warm kernel objects and, where a cgroup guards the runs, one small guard
 * process that ends them should this process be killed.
 *
 * It starts no thread, installs no signal handler, changes no process-wide
 * setting, and keeps nothing outside itself but the record of its runs, in the
 * state directory. An engine belongs to one thread at a time; different
 * engines are independent.
 *
 * Children. Every run is a child of the calling process, tracked by pidfd, so
 * the host receives SIGCHLD for it as for any child. A host that calls
 * waitpid(-1) or ignores SIGCHLD can take a status away from the engine: the
 * run still ends, and its status is then read from the pidfd (Linux 6.15 and
 * later, or any run that has an init of its own) or reported as unknown.
 *
 * A host that forks without exec must not use the engine in the child.
 */
typedef struct writ_engine writ_engine;

typedef struct writ_engine_options {
	size_t size;           /* set by the initializer; do not touch */
	const char *spill_dir; /* where output beyond the limit is written;
				  NULL: "outputs" in the state directory */
	const struct writ_config *config; /* borrowed during the call, which
				  copies it; NULL: as the environment says */
	const char *door;  /* what stands in front of the engine: "cli",
			      "mcp"; NULL: "library" */
	bool no_audit;     /* leave no record: for measuring what one costs */
	bool has_terminal; /* who asks is a person at a terminal: what has to be
			      asked about is not denied in walls that a command
			      could answer for itself from */
	const char *base;  /* the directory that the engine works for: "." in
			      the roots of a policy, and where the project's
			      policy is looked for. A request's cwd changes
			      neither. NULL: the current one, now */
	const char *sandbox; /* the profile of requests that name none, and the
				least that an untrusted caller gets; NULL: as
				the policy says */
} writ_engine_options;

/* clang-format off */
#define WRIT_ENGINE_OPTIONS_INIT \
	{sizeof(writ_engine_options), NULL, NULL, NULL, false, false, NULL, NULL}
/* clang-format on */

/*
 * Makes an engine. opts may be NULL. On success *out_engine is yours; release
 * it with writ_engine_free(). Nothing is started and no directory is made
 * before the first run needs it. Fails with WRIT_E_INVALID (there is no such
 * base), _NOMEM or _SYSTEM.
 */
WRIT_API writ_status writ_engine_new(
    const writ_engine_options *opts, writ_engine **out_engine, writ_error *err);

/*
 * Ends every run that is still going (SIGKILL, whole trees, no callback), then
 * frees the engine. NULL is allowed.
 */
WRIT_API void writ_engine_free(writ_engine *engine);

/*
 * A descriptor that polls readable when writ_engine_dispatch() has something
 * to do. Borrowed: it lives as long as the engine.
 */
WRIT_API int writ_engine_fd(const writ_engine *engine);

/*
 * Does what is due: reads output, fires deadlines, ends runs, and makes the
 * callbacks. Waits up to timeout_ms for something to happen; 0 does not wait,
 * -1 waits for ever (and returns at once when no run is going).
 *
 * Fails only when the event machinery itself does (WRIT_E_SYSTEM).
 */
WRIT_API writ_status writ_engine_dispatch(
    writ_engine *engine, int timeout_ms, writ_error *err);

/* How many runs are going. */
WRIT_API size_t writ_engine_live(const writ_engine *engine);

WRIT_END_DECLS

#endif /* WRIT_ENGINE_H */
