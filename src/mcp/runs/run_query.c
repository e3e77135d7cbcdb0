/* SPDX-License-Identifier: Apache-2.0 */

/* Queries about a run, the same while it runs and after it has ended. */

#include <string.h>

#include "base/error.h"
#include "data/json_words.h"
#include "mcp/runs/run_table_state.h"
#include "mcp/tools/tool.h"

enum {
	NAMED_MAX = 4,
};

uint64_t
w_mcp_run_bytes(const struct w_mcp_run *run, writ_stream stream)
{
	return run->result != NULL ? run->result->out[stream].bytes
				   : writ_job_bytes(run->job, stream);
}

writ_status
w_mcp_run_read(const struct w_mcp_run *run, writ_stream stream, uint64_t offset,
    void *buf, size_t len, size_t *out_len)
{
	return run->result != NULL
		   ? writ_result_read(
			 run->result, stream, offset, buf, len, out_len)
		   : writ_job_read(run->job, stream, offset, buf, len, out_len);
}

const char *
w_mcp_run_outcome(const struct w_mcp_run *run)
{
	return run->result == NULL ? "running"
				   : writ_outcome_word(run->result->outcome);
}

struct naming {
	struct w_buf text;
	size_t count;
};

static void
name_one(void *ctx, struct w_mcp_run *run)
{
	struct naming *naming = ctx;

	if (naming->count++ >= NAMED_MAX)
		return;
	w_buf_add_str(&naming->text, naming->text.len == 0 ? "" : ", ");
	w_buf_add_str(&naming->text, run->id);
}

static void
refuse_unknown(struct w_rpc_request *rpc_request, const char *id)
{
	struct naming naming = {.count = 0};
	writ_error err = {0};

	w_buf_init(&naming.text, sizeof(err.suggestion));
	w_mcp_runs_each(rpc_request->connection, name_one, &naming);
	(void)w_fail(&err, WRIT_E_NOTFOUND, "run", 0,
	    "there is no run '%.64s', or its output was dropped", id);
	if (naming.count == 0)
		w_suggest(&err, "no run was started yet");
	else
		w_suggest(&err, "there is %s%s", naming.text.data,
		    naming.count > NAMED_MAX ? " and more: see run_list" : "");
	w_buf_done(&naming.text);
	w_tool_refuse(rpc_request, &err, NULL);
}

struct w_mcp_run *
w_mcp_run_argument(struct w_rpc_request *rpc_request, yyjson_val *arguments)
{
	yyjson_val *value = yyjson_obj_get(arguments, "run_id");
	const char *id = w_json_is_text(value) ? yyjson_get_str(value) : "";
	struct w_mcp_run *run = w_mcp_run_find(rpc_request->connection, id);

	if (run == NULL)
		refuse_unknown(rpc_request, id);
	return run;
}
