/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_MCP_H
#define WRIT_MCP_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/config.h>
#include <writ/policy.h>

WRIT_BEGIN_DECLS

/*
 * The MCP server of `writ mcp` in a program of yours: one client, over two
 * descriptors, in your loop. It is in a library of its own:
 *
 *     cc program.c $(pkg-config --cflags --libs writ-mcp)
 *
 *     writ_mcp_open(NULL, in_fd, out_fd, &mcp, &err);
 *     while (!writ_mcp_is_over(mcp)) {
 *         struct pollfd fds[WRIT_MCP_FDS];
 *         int wait = writ_mcp_prepare(mcp, fds);
 *         poll(fds, WRIT_MCP_FDS, wait);
 *         writ_mcp_handle(mcp, fds, &err);
 *     }
 *     writ_mcp_close(mcp);
 *
 * Messages are lines of JSON-RPC, as docs/mcp.md describes them. The client is
 * not trusted: the policy decides about its runs, the sandbox holds them, and
 * the record has them.
 *
 * Nothing here blocks, starts a thread, installs a signal handler or prints.
 * SIGPIPE is not raised: a client that does not read any more is its end. For
 * children see <writ/engine.h>.
 *
 * Threads: a server belongs to the thread that opened it; different ones are
 * independent of each other.
 */
typedef struct writ_mcp writ_mcp;

typedef struct writ_mcp_options {
	size_t size;               /* set by the initializer; do not touch */
	const writ_config *config; /* copied; NULL: from the environment */
	const char *agent;         /* the agent that asks; no message can name
				      another. NULL: the policy's default agent */
	const char *cwd;     /* where runs start, and whose project's policy
				applies. NULL: the current directory */
	const char *sandbox; /* of runs that name none. NULL: the policy's */
	const char *shape;   /* of the tool exec: "argv", "story", "oxios";
				NULL: what the policy says */
	const char *tools;   /* "core", or "files": also read, write, edit,
				list and search. NULL: "core" */
	const char *expose;  /* which modules are tools of their own: "auto",
				"core", "pinned", "all". NULL: "auto" */
	const char *const *pinned; /* their ids or globs; NULL-ended; NULL:
				      none */
	size_t max_runs;   /* at once; others wait. 0: the default, 64 */
	uint64_t yield_ms; /* how long a call waits for its run before it
			      answers "running". 0: the default, 20 s */
	uint64_t output;   /* bytes of output in an answer. 0: the default,
			      24 KiB */
	bool structured;   /* answers have structuredContent for every client */
	writ_notice_fn on_notice; /* notices about policies; NULL: nobody */
	void *notice_ctx;
} writ_mcp_options;

/* clang-format off */
#define WRIT_MCP_OPTIONS_INIT \
	{sizeof(writ_mcp_options), NULL, NULL, NULL, NULL, NULL, NULL, NULL, \
	 NULL, 0, 0, 0, false, NULL, NULL}
/* clang-format on */

/*
 * Opens a server for one client. opts may be NULL; what it points to has to
 * last until writ_mcp_close(), but for the config. The descriptors (pipes,
 * sockets, the same one twice) are duplicated, and made non-blocking: yours can
 * be closed. Nothing is read before the first writ_mcp_handle().
 *
 * Fails with WRIT_E_INVALID (an option, the directory), _NOMEM or _SYSTEM (a
 * descriptor).
 */
WRIT_API writ_status writ_mcp_open(const writ_mcp_options *opts, int in_fd,
    int out_fd, writ_mcp **out_mcp, writ_error *err);

/* How many descriptors there are to wait for. */
#define WRIT_MCP_FDS 5

/* Fills fds for poll(), some with -1, and returns how long to wait at most, in
 * milliseconds; -1: until something happens. They can change with each
 * writ_mcp_handle(). */
WRIT_API int writ_mcp_prepare(writ_mcp *mcp, struct pollfd fds[WRIT_MCP_FDS]);

/* Handles what is due, after the wait: reads messages, starts and watches
 * runs, answers. fds has the revents of poll(). Fails only if the loop of the
 * engine itself fails (WRIT_E_SYSTEM); then close it. */
WRIT_API writ_status writ_mcp_handle(
    writ_mcp *mcp, const struct pollfd fds[WRIT_MCP_FDS], writ_error *err);

/* Whether the client is gone: its input has ended and all is answered, or
 * nobody reads the answers. Then only writ_mcp_close() is left to do. */
WRIT_API bool writ_mcp_is_over(const writ_mcp *mcp);

/* Kills everything that runs (whole trees, with their records), delivers the
 * last answers for at most half a second, and frees the server. NULL is
 * allowed. */
WRIT_API void writ_mcp_close(writ_mcp *mcp);

/* All of the above: serves until the client is gone. */
WRIT_API writ_status writ_mcp_serve(
    const writ_mcp_options *opts, int in_fd, int out_fd, writ_error *err);

WRIT_END_DECLS

#endif /* WRIT_MCP_H */
