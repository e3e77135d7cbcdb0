/* SPDX-License-Identifier: Apache-2.0 */

/* The state shared by all connections, and one iteration of the event loop. */

#include "mcp/server.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/error.h"
#include "base/hex.h"
#include "mcp/approval/approver.h"
#include "mcp/protocol/rpc_request.h"
#include "mcp/resources/notifier.h"
#include "mcp/runs/run_table_state.h"
#include "mcp/runs/workdirs.h"
#include "mcp/tools/exec_shape.h"
#include "mcp/tools/tool_list.h"

#define STAGE "mcp"

enum {
	END_MS = 2000, /* how long w_mcp_free() waits for killed runs to be
			  recorded */
	END_STEP_MS = 20,
};

static writ_status
init_server(struct w_mcp *server, writ_error *err)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	const char *cwd =
	    server->options.cwd == NULL ? "." : server->options.cwd;
	unsigned char random[16];

	if (realpath(cwd, server->cwd) == NULL) {
		return w_fail(err, WRIT_E_INVALID, STAGE, errno,
		    "cannot use the working directory '%.64s'", cwd);
	}
	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random)) {
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot get random bytes");
	}
	w_hex_put(server->session, random, sizeof(random));
	options.config = server->options.config;
	options.door = "mcp";
	options.base = server->cwd;
	options.sandbox = server->options.sandbox;
	options.no_audit = server->options.no_audit;
	writ_status status = writ_engine_new(&options, &server->engine, err);
	if (status != WRIT_OK)
		return status;
	writ_engine_on_notice(server->engine, server->options.on_notice,
	    server->options.notice_ctx);
	writ_engine_on_connection(
	    server->engine, w_mcp_run_on_connection, server);
	return WRIT_OK;
}

writ_status
w_mcp_new(const struct w_mcp_options *options, struct w_mcp **out_server,
    writ_error *err)
{
	struct w_mcp *server = calloc(1, sizeof(*server));

	if (server == NULL)
		return w_fail_nomem(err, STAGE);
	server->options = *options;
	server->methods = w_methods;

	writ_status status = init_server(server, err);
	if (status != WRIT_OK) {
		w_mcp_free(server);
		return status;
	}
	*out_server = server;
	return WRIT_OK;
}

/* Closing the connections has killed their runs; wait until they are dead and
 * recorded. */
static void
end_runs(struct w_mcp *server)
{
	const uint64_t until =
	    w_mcp_now_ns() + (uint64_t)END_MS * UINT64_C(1000000);

	while (writ_engine_live(server->engine) > 0 && w_mcp_now_ns() < until) {
		if (writ_engine_dispatch(server->engine, END_STEP_MS, NULL) !=
		    WRIT_OK)
			break;
	}
}

void
w_mcp_free(struct w_mcp *server)
{
	if (server == NULL)
		return;
	server->is_closing = true;
	while (server->connections != NULL)
		w_connection_close(server->connections);
	w_approver_free(server);
	w_notifier_free(server);
	if (server->engine != NULL)
		end_runs(server);
	w_mcp_runs_free(server);
	w_tool_list_free(server);
	w_mcp_shaped_free(server);
	w_workdirs_free(server);
	writ_engine_free(server->engine);
	w_mcp_timers_done(&server->timers);
	free(server);
}

void
w_mcp_fds(struct w_mcp *server, struct pollfd fds[W_MCP_FDS])
{
	const int wanted[W_MCP_FDS] = {
	    writ_engine_fd(server->engine),
	    w_approver_fd(server),
	    w_notifier_fd(server),
	};

	for (size_t i = 0; i < W_MCP_FDS; i++)
		fds[i] = (struct pollfd){.fd = wanted[i], .events = POLLIN};
}

writ_status
w_mcp_dispatch(struct w_mcp *server, writ_error *err)
{
	writ_status status = writ_engine_dispatch(server->engine, 0, err);

	w_approver_dispatch(server);
	w_notifier_dispatch(server);
	w_mcp_timers_run(&server->timers);
	return status;
}
