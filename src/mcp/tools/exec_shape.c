/* SPDX-License-Identifier: Apache-2.0 */

/* The tool `exec` in the shapes of <writ/tool.h>. */

#include "mcp/tools/exec_shape.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/encode.h"
#include "base/error.h"
#include "base/printable.h"
#include "mcp/runs/output_view.h"
#include "mcp/runs/run_table.h"

#define STAGE    "arguments"
#define TEXT_MAX ((size_t)256 << 20)

enum {
	SHAPES = W_MCP_SHAPE_SEED003 + 1
};

static void
exec_shape_fail_memory(struct w_rpc_request *rpc_request)
{
	writ_error err;

	(void)w_fail_nomem(&err, STAGE);
	w_rpc_request_fail_with(rpc_request, &err);
}

/* ---- refusals ---- */

/* The message of a refused input is the answer. Names may be any bytes. */
static void
refuse_input(struct w_rpc_request *rpc_request, const writ_error *error)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	if (w_utf8_valid(error->message, strlen(error->message)))
		w_buf_add_str(&text, error->message);
	else
		(void)w_printable_add(&text, error->message, 0);
	w_tool_refuse_as(rpc_request, error, NULL, text.data, text.len);
}

static void
exec_shape_refuse(struct w_rpc_request *rpc_request, void *ctx,
    const writ_error *error, const char *details)
{
	writ_tool_answer answer = {.status = WRIT_OK};

	if (writ_tool_run_refuse(ctx, error, &answer, NULL) != WRIT_OK)
		exec_shape_fail_memory(rpc_request);
	else
		w_tool_refuse_as(
		    rpc_request, error, details, answer.text, answer.text_len);
	writ_tool_answer_done(&answer);
}

/* ---- answer ---- */

static void
exec_shape_answer(struct w_rpc_request *rpc_request, struct w_mcp_run *run)
{
	writ_tool_answer answer = {.status = WRIT_OK};
	W_AUTO_OUTPUT_VIEW struct w_output_view view;
	W_AUTO_BUF struct w_buf out;
	W_AUTO_BUF struct w_buf err;

	w_buf_init(&out, TEXT_MAX);
	w_buf_init(&err, TEXT_MAX);
	w_output_view_init(&view, run);
	w_output_stream_add(&out, &view.streams[WRIT_STDOUT]);
	w_output_stream_add(&err, &view.streams[WRIT_STDERR]);
	const writ_tool_shown shown = {
	    .text = {out.data, err.data},
	    .len = {out.len, err.len},
	    .is_cut = view.streams[0].is_cut || view.streams[1].is_cut,
	};
	if (out.failed || err.failed ||
	    writ_tool_run_answer(
		run->ctx, run->result, &shown, &answer, NULL) != WRIT_OK)
		exec_shape_fail_memory(rpc_request);
	else
		w_tool_reply(rpc_request, answer.text, answer.text_len,
		    answer.json, answer.is_error);
	writ_tool_answer_done(&answer);
}

static void
exec_shape_free(void *ctx)
{
	writ_tool_run_free(ctx);
}

static const struct w_mcp_run_start start = {
    .answer = exec_shape_answer,
    .refuse_run = exec_shape_refuse,
    .free = exec_shape_free,
};

/* ---- call ---- */

static void
exec_shape_call(struct w_rpc_request *rpc_request, yyjson_val *arguments,
    enum w_mcp_shape shape)
{
	size_t len = 0;
	W_AUTO_FREE char *input = yyjson_val_write(arguments, 0, &len);
	writ_tool_run *run = NULL;
	writ_error err = {.status = WRIT_E_NOMEM};
	writ_status status =
	    input == NULL
		? WRIT_E_NOMEM
		: writ_tool_check(rpc_request->server->shaped[shape].made,
		      input, len, &run, &err);

	if (status == WRIT_E_NOMEM) {
		exec_shape_fail_memory(rpc_request);
		return;
	}
	if (status != WRIT_OK) {
		refuse_input(rpc_request, &err);
		return;
	}
	const struct w_mcp_run_plan plan = {
	    .start = &start,
	    .request = writ_tool_run_request(run),
	    .ctx = run,
	    .waits = true,
	};
	w_mcp_run_begin(rpc_request, &plan);
}

static void
call_story(struct w_rpc_request *rpc_request, yyjson_val *arguments)
{
	exec_shape_call(rpc_request, arguments, W_MCP_SHAPE_SEED002);
}

static void
call_oxios(struct w_rpc_request *rpc_request, yyjson_val *arguments)
{
	exec_shape_call(rpc_request, arguments, W_MCP_SHAPE_SEED003);
}

const struct w_tool *
w_mcp_shaped_get(struct w_mcp *server, enum w_mcp_shape shape)
{
	const bool is_story = shape == W_MCP_SHAPE_SEED002;
	writ_tool_options options = WRIT_TOOL_OPTIONS_INIT;
	writ_tool *made = NULL;

	if (server->shaped == NULL)
		server->shaped = calloc(SHAPES, sizeof(*server->shaped));
	if (server->shaped == NULL)
		return NULL;
	struct w_mcp_shaped *shaped = &server->shaped[shape];
	if (shaped->made != NULL)
		return &shaped->tool;
	options.shape = is_story ? "story" : "oxios";
	options.base = server->cwd;
	options.agent = server->options.agent;
	if (writ_tool_new(server->engine, &options, &made, NULL) != WRIT_OK)
		return NULL;
	shaped->made = made;
	shaped->tool = (struct w_tool){
	    .name = writ_tool_name(made),
	    .title = writ_tool_title(made),
	    .description = writ_tool_description(made),
	    .input_schema = writ_tool_schema(made),
	    .hints = W_TOOL_DESTRUCTIVE | W_TOOL_OPEN_WORLD,
	    .call = is_story ? call_story : call_oxios,
	    .checks_input = true,
	    .keeps_object = true,
	};
	return &shaped->tool;
}

void
w_mcp_shaped_free(struct w_mcp *server)
{
	for (size_t i = 0; server->shaped != NULL && i < SHAPES; i++)
		writ_tool_free(server->shaped[i].made);
	free(server->shaped);
	server->shaped = NULL;
}
