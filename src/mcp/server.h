/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_SERVER_H
#define W_MCP_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <poll.h>

#include <writ/writ.h>

#include "mcp/protocol/rpc.h"
#include "mcp/transport/connection.h"
#include "mcp/transport/timer.h"

/*
 * The MCP server: what all its peers share. It owns an engine with the door
 * "mcp", and knows no transport.
 *
 * Nothing outside is touched before somebody needs it: a client that only looks
 * who is there (initialize, server/discover, ping) reads no policy, loads no
 * module, makes no directory and starts no process.
 */

#define W_MCP_EXPOSE_MAP(X)                                           \
	X(AUTO, "auto")     /* modules as tools, within the budget */ \
	X(CORE, "core")     /* none */                                \
	X(PINNED, "pinned") /* those that are pinned */               \
	X(ALL, "all")       /* all, built-in ones too */

enum w_mcp_expose {
#define X(name, word) W_MCP_EXPOSE_##name,
	W_MCP_EXPOSE_MAP(X)
#undef X
};

/* What the tool `exec` looks like. */
#define W_MCP_SHAPE_MAP(X)                                      \
	X(POLICY, "policy") /* as the policy says, else argv */ \
	X(ARGV, "argv")                                         \
	X(SEED002, "story") /* command, args, cwd */            \
	X(SEED003, "oxios") /* mode, command or binary and args */

enum w_mcp_shape {
#define X(name, word) W_MCP_SHAPE_##name,
	W_MCP_SHAPE_MAP(X)
#undef X
};

enum {
	W_MCP_MAX_RUNS = 64,       /* at once; the others wait */
	W_MCP_MAX_WAITING = 16384, /* that wait for their turn */
	W_MCP_MAX_ASKED = 64,      /* that wait for a person */
	W_MCP_HELD_MAX = 64 << 20, /* bytes of messages that wait for their
				      answer; one may be more alone */
	W_MCP_YIELD_MS = 20000,    /* a call waits this long for its run */
	W_MCP_YIELD_MAX_MS = 600000,
	W_MCP_OUTPUT = 24 * 1024, /* bytes of output in a result */
	W_MCP_OUTPUT_MAX = 1024 * 1024,
	W_MCP_KEPT_RUNS = 128, /* ended ones that can be read */
	W_MCP_TOOLS_MAX = 30,  /* modules that are tools of their own */
	W_MCP_TOOLS_BYTES = 24 * 1024,
	W_MCP_TTL_MS = 60000,
	W_MCP_PAGE = 250,
};

struct w_mcp_options {
	const writ_config *config; /* borrowed; NULL: the environment's */
	const char *agent;         /* NULL: the policy's default agent */
	const char *cwd;           /* where runs start; NULL: the current one */
	const char *sandbox;       /* for requests that do not say; NULL */
	enum w_mcp_shape shape;
	enum w_mcp_expose expose;
	const char *const *pinned; /* ids or globs of modules; NULL: none */
	size_t max_runs;           /* 0: W_MCP_MAX_RUNS */
	uint64_t yield_ms;         /* 0: W_MCP_YIELD_MS */
	uint64_t output;           /* 0: W_MCP_OUTPUT */
	bool no_audit;             /* for measuring */
	bool trust_forms; /* a form may answer for more than the walls give */
	/* Hears what the engine has to say about its policies; NULL: nobody. */
	writ_notice_fn on_notice;
	void *notice_ctx;
};

struct w_mcp_runs;
struct w_tool_list;
struct w_approver;
struct w_workdirs;
struct w_notifier;

struct w_method;

struct w_mcp {
	struct w_mcp_options options;   /* its texts are the caller's */
	const struct w_method *methods; /* w_methods; tests have their own */
	char cwd[4096];
	char session[33]; /* random; what approvals for a session hold for */
	writ_engine *engine;
	struct w_mcp_timers timers;
	struct w_connection *connections;
	struct w_rpc_held held;        /* messages that are not answered yet */
	struct w_mcp_runs *runs;       /* runs.h */
	struct w_tool_list *tool_list; /* tool_list.h: tools and modules */
	struct w_approver *approver;   /* approver.h */
	struct w_workdirs *workdirs;   /* workdirs.h: remembered cwd and env */
	struct w_notifier *notifier;   /* lookout.h: what changes outside */
	bool is_closing;
};

writ_status w_mcp_new(const struct w_mcp_options *options,
    struct w_mcp **out_server, writ_error *err);

/* Ends every run (whole trees, at once, with their records) and frees it. */
void w_mcp_free(struct w_mcp *server);

/* For the loop of a transport: which descriptors to wait for (at most
 * W_MCP_FDS), how long at most, and what to do then. */
enum {
	W_MCP_FDS = 3
};
size_t w_mcp_fds(struct w_mcp *server, struct pollfd fds[W_MCP_FDS]);
int w_mcp_wait(const struct w_mcp *server);
writ_status w_mcp_dispatch(struct w_mcp *server, writ_error *err);

/* stdio.c: serves the process's standard input and output until the input
 * ends, nobody reads the output, who started the process has died, or a signal
 * comes (SIGTERM, SIGINT, SIGHUP). Returns an exit status: 0, 128 and the
 * signal, or 1 with *err. */
int w_mcp_serve_stdio(const struct w_mcp_options *options, writ_error *err);

#endif /* W_MCP_SERVER_H */
