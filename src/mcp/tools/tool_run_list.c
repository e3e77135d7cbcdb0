/* SPDX-License-Identifier: Apache-2.0 */

/* The tool `run_list`: this client's running and recently ended runs. */

#include <inttypes.h>

#include "base/error.h"
#include "data/json.h"
#include "mcp/runs/run_table_state.h"
#include "mcp/tools/tool.h"

enum {
	ENDED_MAX = 20,
	LIST_MAX = 1 << 20,
	NS_PER_MS = 1000000,
};

struct tool_run_list {
	struct w_buf object;
	struct w_buf text;
	size_t count;
	size_t ended;
};

static uint64_t
duration_ms(const struct w_mcp_run *run)
{
	return run->result != NULL
		   ? run->result->duration_ms
		   : (w_mcp_now_ns() - run->begun_ns) / NS_PER_MS;
}

void
w_mcp_run_add_row(struct w_buf *buf, const struct w_mcp_run *run)
{
	w_buf_add_fmt(buf, "{\"run_id\":\"%s\",\"command\":", run->id);
	w_json_add_text(buf, run->label);
	w_json_add_text_member(buf, "outcome", w_mcp_run_outcome(run));
	if (run->result == NULL)
		w_buf_add_str(buf, ",\"exit_code\":null");
	else
		w_buf_add_fmt(buf, ",\"exit_code\":%d", run->result->exit_code);
	w_buf_add_fmt(buf,
	    ",\"started_at\":%" PRIu64 ",\"duration_ms\":%" PRIu64
	    ",\"stdout_bytes\":%" PRIu64 ",\"stderr_bytes\":%" PRIu64 "}",
	    run->begun_ms, duration_ms(run), w_mcp_run_bytes(run, WRIT_STDOUT),
	    w_mcp_run_bytes(run, WRIT_STDERR));
}

static void
tool_run_list_add_run(void *ctx, struct w_mcp_run *run)
{
	struct tool_run_list *list = ctx;
	struct w_buf *text = &list->text;

	if (run->result != NULL && list->ended++ >= ENDED_MAX)
		return;
	if (list->count++ > 0)
		w_buf_add_char(&list->object, ',');
	w_mcp_run_add_row(&list->object, run);
	w_buf_add_fmt(text, "%s%s %s", text->len == 0 ? "" : "\n", run->id,
	    w_mcp_run_outcome(run));
	if (run->result != NULL && run->result->outcome == WRIT_EXITED)
		w_buf_add_fmt(text, " %d", run->result->exit_code);
	w_buf_add_fmt(
	    text, " %" PRIu64 " ms: %s", duration_ms(run), run->label);
}

static void
tool_run_list_call(struct w_rpc_request *rpc_request, yyjson_val *arguments)
{
	struct tool_run_list list = {.count = 0};
	writ_error err;

	(void)arguments;
	w_buf_init(&list.object, LIST_MAX);
	w_buf_init(&list.text, LIST_MAX);
	w_buf_add_str(&list.object, "{\"runs\":[");
	w_mcp_runs_each(rpc_request->connection, tool_run_list_add_run, &list);
	w_buf_add_str(&list.object, "]}");
	if (list.count == 0)
		w_buf_add_str(&list.text, "(no runs)");
	if (list.object.failed || list.text.failed) {
		(void)w_fail_nomem(&err, "run_list");
		w_rpc_request_fail_with(rpc_request, &err);
	} else {
		w_tool_reply(rpc_request, list.text.data, list.text.len,
		    list.object.data, false);
	}
	w_buf_done(&list.object);
	w_buf_done(&list.text);
}

const struct w_tool w_tool_run_list = {
    .name = "run_list",
    .title = "List runs",
    .description = "Lists your runs, the newest first.",
    .input_schema = "{\"type\":\"object\",\"properties\":{},"
		    "\"additionalProperties\":false}",
    .output_schema =
	W_TOOL_ANSWER("run_list", "\"runs\":{\"type\":\"array\",\"items\":{}}"),
    .hints = W_TOOL_READ_ONLY,
    .call = tool_run_list_call,
};
