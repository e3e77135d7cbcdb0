/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_SERVER_H
#define W_MCP_SERVER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <poll.h>

#include <writ/writ.h>

#include "mcp/protocol/rpc.h"
#include "mcp/transport/connection.h"
#include "mcp/transport/timer.h"

/*
 * The MCP server: the state that all connections share. It owns an engine with
 * the front end "mcp", and knows no transport.
 *
 * Nothing outside is touched before it is needed: a client that only probes
 * (initialize, server/discover, ping) reads no policy, loads no module, creates
 * no directory and starts no process.
 */

#define W_MCP_EXPOSE_MAP(X)                                           \
	X(AUTO, "auto")     /* modules as tools, within the budget */ \
	X(CORE, "core")     /* none */                                \
	X(PINNED, "pinned") /* pinned modules */                      \
	X(ALL, "all")       /* all, with the built-in ones */

enum w_mcp_expose {
#define X(name, word) W_MCP_EXPOSE_##name,
	W_MCP_EXPOSE_MAP(X)
#undef X
};

/* The input schema of the tool `exec`. */
#define W_MCP_SHAPE_MAP(X)                                       \
	X(POLICY, "policy") /* the policy's choice, else argv */ \
	X(ARGV, "argv")                                          \
	X(SEED002, "story") /* command, args, cwd */             \
	X(SEED003, "oxios") /* mode, command or binary and args */

enum w_mcp_shape {
#define X(name, word) W_MCP_SHAPE_##name,
	W_MCP_SHAPE_MAP(X)
#undef X
};

/* The tools that are no modules. */
#define W_MCP_TOOLS_MAP(X) \
	X(CORE, "core")    \
	X(FILES, "files") /* also those that read and change files */

enum w_mcp_tools {
#define X(name, word) W_MCP_TOOLS_##name,
	W_MCP_TOOLS_MAP(X)
#undef X
};

enum {
	W_MCP_MAX_RUNS = 64,       /* running at once; others wait */
	W_MCP_MAX_WAITING = 16384, /* waiting for a free slot */
	W_MCP_MAX_ASKED = 64,      /* waiting for approval */
	W_MCP_HELD_MAX = 64 << 20, /* bytes of unanswered messages; a single one
				    * may be larger */
	W_MCP_YIELD_MS = 20000,    /* how long a call waits for its run */
	W_MCP_YIELD_MAX_MS = 600000,
	/* Bytes of output in a result. Copilot shows a model 500 bytes of an
	 * answer with more than 20 KiB. */
	W_MCP_OUTPUT = 18 * 1024,
	W_MCP_OUTPUT_MAX = 1024 * 1024,
	W_MCP_KEPT_RUNS = 128, /* ended runs that can be read */
	W_MCP_TOOLS_MAX = 30,  /* modules exposed as tools */
	W_MCP_TOOLS_BYTES = 24 * 1024,
	W_MCP_TTL_MS = 60000,
	W_MCP_PAGE = 250,
};

struct w_mcp;

/*
 * What lets people see and use the terminals of runs with a pty, and end any
 * run; the command line has it. ctx is given to each.
 */
struct w_mcp_terminals {
	void *ctx;
	/* Such a run has started; it has ended, with this result. */
	void (*begin)(void *ctx, writ_job *job);
	void (*end)(void *ctx, const writ_result *result);
	/* A run goes on for so long that somebody may want to end it. */
	void (*last)(void *ctx);
	/* For poll(): at most max descriptors, and the timeout (-1: none). */
	size_t (*fill)(void *ctx, struct pollfd *polls, size_t max);
	int (*wait_ms)(void *ctx);
	/* After poll(). */
	void (*step)(void *ctx, const struct pollfd *polls, size_t count,
	    struct w_mcp *server);
};

struct w_mcp_options {
	const writ_config *config; /* borrowed; NULL: the environment's */
	const char *agent;         /* NULL: the policy's default agent */
	const char *cwd;           /* where runs start; NULL: the current one */
	const char *sandbox;       /* default of requests; NULL */
	enum w_mcp_shape shape;
	enum w_mcp_tools tools;
	enum w_mcp_expose expose;
	const char *const *pinned;  /* module ids or globs; NULL: none */
	const char *const *publish; /* of each client's session: see
				       <writ/session.h>; NULL: nothing */
	const char *const *connect;
	size_t max_runs;   /* 0: W_MCP_MAX_RUNS */
	uint64_t yield_ms; /* 0: W_MCP_YIELD_MS */
	uint64_t output;   /* 0: W_MCP_OUTPUT */
	bool no_audit;     /* for benchmarks */
	bool structured;   /* answers have structuredContent, tools a schema of
			      it, for every client */
	bool trust_forms;  /* forms may grant more than the sandbox allows, and
			      for longer than the session */
	/* Lets people use the terminals of runs; NULL: nobody. */
	const struct w_mcp_terminals *terminals;
	/* Receives the engine's notices about policies; NULL: nobody. */
	writ_notice_fn on_notice;
	void *notice_ctx;
};

struct w_mcp_runs;
struct w_tool_list;
struct w_approver;
struct w_workdirs;
struct w_notifier;
struct w_mcp_shaped;

struct w_method;

struct w_mcp {
	struct w_mcp_options options;   /* its strings are borrowed */
	const struct w_method *methods; /* w_methods; tests have their own */
	char cwd[PATH_MAX];
	char session[33]; /* random; session approvals are bound to it */
	writ_engine *engine;
	struct w_mcp_timers timers;
	struct w_connection *connections;
	struct w_rpc_held held;        /* unanswered messages */
	struct w_mcp_runs *runs;       /* run_table.h */
	struct w_tool_list *tool_list; /* tool_list.h: tools and modules */
	struct w_approver *approver;   /* approver.h */
	struct w_workdirs *workdirs;   /* workdirs.h: saved cwd and env */
	struct w_notifier *notifier;   /* notifier.h: file changes */
	struct w_mcp_shaped *shaped;   /* exec_shape.h: another `exec` */
	bool is_closing;
};

writ_status w_mcp_new(const struct w_mcp_options *options,
    struct w_mcp **out_server, writ_error *err);

/* Kills every run (whole trees, with their records) and frees the server. */
void w_mcp_free(struct w_mcp *server);

/* For the event loop of a transport: the descriptors to wait for, and what to
 * do then. The timeout is w_mcp_timers_wait(). */
enum {
	W_MCP_FDS = 3,
	W_MCP_TERMINAL_FDS = 149 /* of terminals; what has no room waits */
};
void w_mcp_fds(struct w_mcp *server, struct pollfd fds[W_MCP_FDS]);
writ_status w_mcp_dispatch(struct w_mcp *server, writ_error *err);

/* Ends a run, of any client, as a person wants it; is_now: by SIGKILL. false:
 * no such run goes on. */
bool w_mcp_end_run(struct w_mcp *server, const char *run_id, bool is_now);

/* stdio.c: serves standard input and output until the input ends, the output is
 * closed, the parent process dies, or a signal arrives (SIGTERM, SIGINT,
 * SIGHUP). Returns an exit status: 0, 128 and the signal, or 1 with *err. */
int w_mcp_serve_stdio(const struct w_mcp_options *options, writ_error *err);

#endif /* W_MCP_SERVER_H */
