/* SPDX-License-Identifier: Apache-2.0 */

/* The usual answer of a run. */

#include "base/error.h"
#include "mcp/runs_state.h"
#include "mcp/tool.h"

#define ANSWER_MAX ((size_t)64 << 20)

void
w_run_reply(struct w_exchange *exchange, struct w_mcp_run *run, bool is_error)
{
	W_AUTO_BUF struct w_buf text;
	W_AUTO_BUF struct w_buf object;
	writ_error err;

	w_buf_init(&text, ANSWER_MAX);
	w_buf_init(&object, ANSWER_MAX);
	w_run_add_answer(&text, run);
	w_run_add_told(&object, run);
	if (text.failed || object.failed) {
		(void)w_fail_nomem(&err, "answer");
		w_exchange_fail_with(exchange, &err);
		return;
	}
	w_tool_reply(exchange, text.data, text.len, object.data, is_error);
}

void
w_run_answer(struct w_exchange *exchange, struct w_mcp_run *run)
{
	w_run_reply(exchange, run, w_run_is_bad(run));
}
