/* SPDX-License-Identifier: Apache-2.0 */

/* A call of a file tool becomes a run of writ-file. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "mcp/files/file_tools.h"

enum {
	OUTPUT_MAX = 4 << 20, /* an image */
};

void
w_mcp_file_call_free(void *ctx)
{
	struct w_mcp_file_call *call = ctx;

	if (call == NULL)
		return;
	w_words_done(&call->argv);
	free(call->program);
	free(call->input);
	free(call);
}

void
w_mcp_file_call_refuse(struct w_rpc_request *rpc_request,
    struct w_mcp_file_call *call, const char *why)
{
	writ_error err = {0};

	(void)w_fail(&err, WRIT_E_INVALID, "arguments", 0, "%s", why);
	writ_refuse(rpc_request->server->engine, &call->request, &err);
	w_mcp_file_call_free(call);
	w_tool_reply(rpc_request, why, strlen(why), NULL, true);
}

struct w_mcp_file_call *
w_mcp_file_call_new(struct w_rpc_request *rpc_request, const char *command)
{
	const writ_request standard = WRIT_REQUEST_INIT;
	struct w_mcp_file_call *call = calloc(1, sizeof(*call));
	writ_error err = {0};

	if (call == NULL) {
		(void)w_fail_nomem(&err, "files");
		w_rpc_request_fail_with(rpc_request, &err);
		return NULL;
	}
	call->request = standard;
	call->server = rpc_request->server;
	call->request.agent = call->server->options.agent;
	call->program = w_mcp_file_program();
	if (call->program == NULL) {
		w_mcp_file_call_refuse(rpc_request, call,
		    "writ-file is not there: writ is not installed as a whole; "
		    "use exec");
		return NULL;
	}
	w_mcp_file_call_add(call, "writ-file");
	w_mcp_file_call_add(call, command);
	return call;
}

void
w_mcp_file_call_add(struct w_mcp_file_call *call, const char *word)
{
	if (!w_words_add(&call->argv, word, strlen(word)))
		call->has_failed = true;
}

void
w_mcp_file_call_add_number(
    struct w_mcp_file_call *call, const char *option, int64_t number)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "%" PRId64, number);
	w_mcp_file_call_add(call, option);
	w_mcp_file_call_add(call, text);
}

void
w_mcp_file_call_add_place(
    struct w_mcp_file_call *call, const char *option, const char *path)
{
	char place[PATH_MAX];

	w_mcp_file_place(call->server->cwd, path, place);
	if (place[0] == '\0')
		return;
	w_mcp_file_call_add(call, option);
	w_mcp_file_call_add(call, place);
}

void
w_mcp_file_call_run(struct w_rpc_request *rpc_request,
    struct w_mcp_file_call *call, char *input, size_t len)
{
	writ_error err = {0};

	call->input = input;
	if (call->has_failed) {
		w_mcp_file_call_free(call);
		(void)w_fail_nomem(&err, "files");
		w_rpc_request_fail_with(rpc_request, &err);
		return;
	}
	call->request.argv = (const char *const *)call->argv.items;
	call->request.program = call->program;
	call->request.output_limit = OUTPUT_MAX;
	if (input != NULL) {
		call->request.stdin_kind = WRIT_STDIN_DATA;
		call->request.stdin_data = input;
		call->request.stdin_len = len;
	}
	const struct w_mcp_run_plan plan = {
	    .start = &w_mcp_file_run_start,
	    .request = &call->request,
	    .ctx = call,
	    .waits = true,
	};
	w_mcp_run_begin(rpc_request, &plan);
}
