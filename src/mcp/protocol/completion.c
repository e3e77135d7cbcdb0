/* SPDX-License-Identifier: Apache-2.0 */

/*
 * completion/complete: proposes values for an argument of a prompt or of a
 * resource template.
 */

#include <string.h>

#include "base/error.h"
#include "data/json_words.h"
#include "mcp/protocol/prompts.h"
#include "mcp/runs/run_table.h"
#include "mcp/tools/tool_list.h"
#include "mcp/tools/tool_methods.h"

enum {
	VALUES_MAX = 100,
};

#define ANSWER_MAX ((size_t)4 << 20)

static const char run_uri[] = "writ://run/{id}/";

struct proposals {
	const char *typed;
	struct w_buf *buf;
	size_t shown;
	size_t total;
};

static void
propose(struct proposals *proposals, const char *value)
{
	if (strncmp(value, proposals->typed, strlen(proposals->typed)) != 0)
		return;
	proposals->total++;
	if (proposals->shown >= VALUES_MAX)
		return;
	w_buf_add_str(proposals->buf, proposals->shown > 0 ? "," : "");
	w_json_add_path(proposals->buf, value);
	proposals->shown++;
}

static void
propose_run(void *ctx, struct w_mcp_run *run)
{
	propose(ctx, run->id);
}

static writ_status
propose_modules(struct w_mcp *server, struct proposals *proposals,
    bool is_command, writ_error *err)
{
	writ_modules *modules = NULL;
	writ_status status = w_tool_list_modules(server, &modules, err);

	if (status != WRIT_OK)
		return status;
	for (size_t i = 0; i < writ_modules_count(modules); i++) {
		const writ_module *module = writ_modules_at(modules, i);

		propose(proposals, is_command ? module->command : module->id);
	}
	return WRIT_OK;
}

static writ_status
propose_all(struct w_rpc_request *rpc_request, enum w_complete_from from,
    struct proposals *proposals, writ_error *err)
{
	switch (from) {
	case W_COMPLETE_COMMANDS:
	case W_COMPLETE_MODULES:
		return propose_modules(rpc_request->server, proposals,
		    from == W_COMPLETE_COMMANDS, err);
	case W_COMPLETE_RUNS:
		w_mcp_runs_each(
		    rpc_request->connection, propose_run, proposals);
		break;
	case W_COMPLETE_NOTHING:
		break;
	}
	return WRIT_OK;
}

static void
completion_reply(struct w_rpc_request *rpc_request, enum w_complete_from from,
    const char *typed)
{
	W_AUTO_BUF struct w_buf buf;
	struct proposals proposals = {.typed = typed, .buf = &buf};
	writ_error err = {0};

	w_buf_init(&buf, ANSWER_MAX);
	w_buf_add_str(&buf, "\"completion\":{\"values\":[");
	if (propose_all(rpc_request, from, &proposals, &err) != WRIT_OK) {
		w_rpc_request_fail_with(rpc_request, &err);
		return;
	}
	w_buf_add_fmt(&buf, "],\"total\":%zu", proposals.total);
	w_json_add_bool_member(
	    &buf, "hasMore", proposals.total > proposals.shown);
	w_buf_add_char(&buf, '}');
	if (buf.failed)
		w_rpc_request_fail(rpc_request, W_RPC_INTERNAL, NULL,
		    "completion/complete: no memory");
	else
		w_rpc_request_reply(rpc_request, buf.data, buf.len);
}

/* false: the request was answered. */
static bool
find_prompt(struct w_rpc_request *rpc_request, yyjson_val *ref,
    const char *argument, enum w_complete_from *out_from)
{
	const struct w_prompt *prompt =
	    w_prompt_find(rpc_request, yyjson_obj_get(ref, "name"));

	if (prompt == NULL)
		return false;
	for (size_t i = 0; i < W_PROMPT_ARGUMENTS; i++) {
		const struct w_prompt_argument *one = &prompt->arguments[i];

		if (one->name != NULL && strcmp(one->name, argument) == 0) {
			*out_from = one->from;
			return true;
		}
	}
	w_rpc_request_fail(rpc_request, W_RPC_PARAMS, NULL,
	    "'%s' has no argument '%.64s'", prompt->name, argument);
	return false;
}

static bool
find_template(struct w_rpc_request *rpc_request, yyjson_val *ref,
    const char *argument, enum w_complete_from *out_from)
{
	const char *uri = yyjson_get_str(yyjson_obj_get(ref, "uri"));

	if (uri != NULL && strncmp(uri, run_uri, sizeof(run_uri) - 1) == 0) {
		*out_from = strcmp(argument, "id") == 0 ? W_COMPLETE_RUNS
							: W_COMPLETE_NOTHING;
		return true;
	}
	w_rpc_request_fail(rpc_request, W_RPC_PARAMS, NULL,
	    "ref.uri: not a template of resources/templates/list");
	return false;
}

void
w_method_completion_complete(struct w_rpc_request *rpc_request)
{
	yyjson_val *argument = yyjson_obj_get(rpc_request->params, "argument");
	yyjson_val *name = yyjson_obj_get(argument, "name");
	yyjson_val *typed = yyjson_obj_get(argument, "value");
	yyjson_val *ref = yyjson_obj_get(rpc_request->params, "ref");
	yyjson_val *type = yyjson_obj_get(ref, "type");
	enum w_complete_from from = W_COMPLETE_NOTHING;

	if (!w_json_is_text(name) || !w_json_is_text(typed)) {
		w_rpc_request_fail(rpc_request, W_RPC_PARAMS, NULL,
		    "argument: expected an object with the texts 'name' and "
		    "'value'");
		return;
	}
	bool is_found = false;
	if (yyjson_equals_str(type, "ref/prompt"))
		is_found =
		    find_prompt(rpc_request, ref, yyjson_get_str(name), &from);
	else if (yyjson_equals_str(type, "ref/resource"))
		is_found = find_template(
		    rpc_request, ref, yyjson_get_str(name), &from);
	else
		w_rpc_request_fail(rpc_request, W_RPC_PARAMS, NULL,
		    "ref.type: expected 'ref/prompt' or 'ref/resource'");
	if (is_found)
		completion_reply(rpc_request, from, yyjson_get_str(typed));
}
