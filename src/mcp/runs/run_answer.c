/* SPDX-License-Identifier: Apache-2.0 */

/* The default answer of a run. */

#include "base/error.h"
#include "mcp/runs/exit_answer.h"
#include "mcp/runs/run_table_state.h"
#include "mcp/tools/tool.h"

#define ANSWER_MAX ((size_t)64 << 20)

void
w_mcp_run_reply(
    struct w_rpc_request *rpc_request, struct w_mcp_run *run, bool is_error)
{
	W_AUTO_BUF struct w_buf text;
	W_AUTO_BUF struct w_buf object;
	writ_error err;

	w_buf_init(&text, ANSWER_MAX);
	w_buf_init(&object, ANSWER_MAX);
	w_mcp_run_add_answer(&text, run);
	w_mcp_run_add_result(&object, run);
	if (text.failed || object.failed) {
		(void)w_fail_nomem(&err, "answer");
		w_rpc_request_fail_with(rpc_request, &err);
		return;
	}
	w_tool_reply(rpc_request, text.data, text.len, object.data, is_error);
}

/* An exit code is an answer only if nothing was complained about. */
static bool
is_failure(const struct w_mcp_run *run)
{
	const writ_result *result = run->result;

	if (result == NULL)
		return false;
	if (result->outcome != WRIT_EXITED)
		return true;
	return result->exit_code != 0 &&
	       (result->out[WRIT_STDERR].bytes > 0 || run->request == NULL ||
		   !w_mcp_exit_is_answer(run->request, result->exit_code));
}

void
w_mcp_run_answer(struct w_rpc_request *rpc_request, struct w_mcp_run *run)
{
	w_mcp_run_reply(rpc_request, run, is_failure(run));
}
