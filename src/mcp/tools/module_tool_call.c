/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs a module: its schema checks the input, the module builds a request from
 * it, the caller may set directory and limits, and then it is a run like any
 * other. Refusals are recorded too.
 */

#include "mcp/tools/module_tool_call.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "mcp/runs/tool_arguments.h"
#include "mcp/runs/workdirs.h"
#include "mcp/tools/tool_list_state.h"
#include "mcp/tools/tool_methods.h"

#define STAGE "module"

/* A call until it was answered. */
struct module_call {
	struct w_mcp_module_set *module_set; /* call borrows from it */
	writ_call *call;
	char *workdir;
};

static void
free_call(void *ctx)
{
	struct module_call *call = ctx;

	writ_call_free(call->call);
	w_mcp_module_set_release(call->module_set);
	free(call->workdir);
	free(call);
}

static void
module_tool_call_answer(
    struct w_rpc_request *rpc_request, struct w_mcp_run *run)
{
	const struct module_call *call = run->ctx;

	w_mcp_module_answer(rpc_request, run, call->call);
}

static const struct w_mcp_run_start start = {
    .answer = module_tool_call_answer,
    .refuse = w_tool_refuse,
    .free = free_call,
};

/* ---- refusals ---- */

static void
module_tool_call_refuse(struct w_rpc_request *rpc_request, const char *id,
    struct module_call *call, const writ_error *err)
{
	writ_request request = WRIT_REQUEST_INIT;
	size_t count = 0;
	const writ_problem *problems =
	    call->call != NULL ? writ_call_problems(call->call, &count) : NULL;

	request.module = id;
	request.agent = rpc_request->server->options.agent;
	request.trace_id = rpc_request->trace;
	writ_refuse(rpc_request->server->engine, &request, err);
	if (count > 0)
		w_tool_refuse_input(rpc_request, err, problems, count);
	else
		w_tool_refuse(rpc_request, err, NULL);
	free_call(call);
}

/* ---- options of the caller ---- */

static writ_status
module_tool_call_set_env(writ_draft *draft, yyjson_val *env, writ_error *err)
{
	yyjson_obj_iter iter = yyjson_obj_iter_with(env);
	writ_status status = WRIT_OK;
	yyjson_val *key;

	/* One by one: they are added to the module's. */
	while (
	    status == WRIT_OK && (key = yyjson_obj_iter_next(&iter)) != NULL) {
		yyjson_val *value = yyjson_obj_iter_get_val(key);
		W_AUTO_BUF struct w_buf text;

		w_buf_init(&text, (size_t)WRIT_REQUEST_MAX);
		w_buf_add(&text, yyjson_get_str(key), yyjson_get_len(key));
		w_buf_add_char(&text, '=');
		w_buf_add(&text, yyjson_get_str(value), yyjson_get_len(value));
		if (text.failed || strlen(text.data) != text.len)
			return w_fail(err, WRIT_E_INVALID, "request", 0,
			    "env: a variable is too long or has a NUL in it");
		status = writ_draft_set(draft, "env", text.data, err);
	}
	return status;
}

/* The module's own directory applies unless the caller names one. */
static writ_status
set_workdir(struct w_mcp *server, struct module_call *call, yyjson_val *options,
    writ_error *err)
{
	writ_draft *draft = writ_call_draft(call->call);
	const char *own = writ_draft_request(draft)->cwd;
	const char *session =
	    yyjson_get_str(yyjson_obj_get(options, "session"));

	if (own == NULL || yyjson_obj_get(options, "cwd") != NULL)
		return w_tool_arguments_workdir(
		    server, options, draft, &call->workdir, err);
	W_AUTO_FREE char *cwd = strdup(own);

	if (session != NULL)
		call->workdir = strdup(session);
	if (cwd == NULL || (session != NULL && call->workdir == NULL))
		return w_fail_nomem(err, STAGE);
	return w_workdir_apply(server, call->workdir, cwd, draft, err);
}

static writ_status
set_options(struct w_mcp *server, struct module_call *call, yyjson_val *options,
    writ_error *err)
{
	static const char *const keys[] = {"stdin", "timeout_ms", NULL};
	writ_draft *draft = writ_call_draft(call->call);
	writ_status status = module_tool_call_set_env(
	    draft, yyjson_obj_get(options, "env"), err);

	if (status == WRIT_OK)
		status = w_tool_arguments_request(options, keys, draft, err);
	if (status == WRIT_OK)
		status = set_workdir(server, call, options, err);
	return status;
}

/* ---- call ---- */

static writ_status
module_tool_call_make(struct w_mcp *server, const char *id, yyjson_val *input,
    struct module_call *call, writ_error *err)
{
	W_AUTO_FREE char *text = NULL;
	size_t len = 0;

	if (input != NULL)
		text = yyjson_val_write(input, 0, &len);
	if (input != NULL && text == NULL)
		return w_fail_nomem(err, STAGE);
	writ_status status =
	    w_mcp_module_set_hold(server, true, &call->module_set, err);
	if (status != WRIT_OK)
		return status;
	status = writ_call_new(call->module_set->modules, id,
	    text != NULL ? text : "{}", text != NULL ? len : 2, NULL,
	    &call->call, err);
	/* Line and column refer to our text, not to the caller's. */
	if (status != WRIT_OK)
		w_locate(err, 0, 0);
	return status;
}

void
w_mcp_module_call(struct w_rpc_request *rpc_request, const char *id,
    yyjson_val *input, yyjson_val *options)
{
	struct module_call *call = calloc(1, sizeof(*call));
	writ_error err = {0};

	if (call == NULL) {
		(void)w_fail_nomem(&err, STAGE);
		w_rpc_request_fail_with(rpc_request, &err);
		return;
	}
	if (module_tool_call_make(rpc_request->server, id, input, call, &err) !=
		WRIT_OK ||
	    set_options(rpc_request->server, call, options, &err) != WRIT_OK) {
		module_tool_call_refuse(rpc_request, id, call, &err);
		return;
	}
	struct w_mcp_run_plan plan = {
	    .start = &start,
	    .request = writ_call_request(call->call),
	    .ctx = call,
	    .workdir = call->workdir,
	};
	w_tool_arguments_plan(options, &plan);
	w_mcp_run_begin(rpc_request, &plan);
}
