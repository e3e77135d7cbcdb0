/* SPDX-License-Identifier: Apache-2.0 */

/* Shared by the alternative schemas of `exec`. */

#include "mcp/tools/exec_shape.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/encode.h"
#include "base/error.h"
#include "base/match.h"
#include "base/printable.h"
#include "mcp/runs/output_view.h"

#define STAGE    "arguments"
#define TEXT_MAX ((size_t)1 << 20)

void
w_shape_fail_memory(struct w_rpc_request *rpc_request)
{
	writ_error err;

	(void)w_fail_nomem(&err, STAGE);
	w_rpc_request_fail_with(rpc_request, &err);
}

__attribute__((format(printf, 4, 0))) static void
exec_shape_refuse(struct w_rpc_request *rpc_request, const writ_error *error,
    const char *details, const char *fmt, va_list args)
{
	char said[2 * sizeof(error->message)];
	W_AUTO_BUF struct w_buf text;

	(void)vsnprintf(said, sizeof(said), fmt, args);
	w_buf_init(&text, TEXT_MAX);
	/* Names of programs and directories may be any bytes. */
	if (w_utf8_valid(said, strlen(said)))
		w_buf_add_str(&text, said);
	else
		(void)w_printable_add(&text, said, 0);
	/* What a person can do about it belongs into every answer. */
	if ((error->status == WRIT_E_APPROVAL ||
		error->status == WRIT_E_REFUSED) &&
	    error->suggestion[0] != '\0')
		w_buf_add_fmt(&text, "\n%s", error->suggestion);
	w_tool_refuse_as(rpc_request, error, details, text.data, text.len);
}

void
w_shape_refuse(struct w_rpc_request *rpc_request, const writ_error *error,
    const char *details, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	exec_shape_refuse(rpc_request, error, details, fmt, args);
	va_end(args);
}

void
w_shape_refuse_arguments(
    struct w_rpc_request *rpc_request, const char *fmt, ...)
{
	writ_request request = WRIT_REQUEST_INIT;
	char message[sizeof(((writ_error *)NULL)->message)];
	writ_error err = {0};
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(message, sizeof(message), fmt, args);
	va_end(args);
	(void)w_fail(&err, WRIT_E_INVALID, STAGE, 0, "%s", message);
	request.agent = rpc_request->server->options.agent;
	writ_refuse(rpc_request->server->engine, &request, &err);
	w_shape_refuse(rpc_request, &err, NULL, "%s", message);
}

bool
w_shape_check_keys(struct w_rpc_request *rpc_request, yyjson_val *arguments,
    const char *const *keys)
{
	yyjson_obj_iter iter = yyjson_obj_iter_with(arguments);
	yyjson_val *key;

	while ((key = yyjson_obj_iter_next(&iter)) != NULL) {
		const char *name = yyjson_get_str(key);
		size_t i = 0;

		while (keys[i] != NULL && strcmp(keys[i], name) != 0)
			i++;
		if (keys[i] != NULL)
			continue;
		const char *near = w_match_nearest(name, keys);
		w_shape_refuse_arguments(rpc_request,
		    "Unknown parameter '%.64s'%s%s%s", name,
		    near == NULL ? "" : ", did you mean '",
		    near == NULL ? "" : near, near == NULL ? "" : "'?");
		return false;
	}
	return true;
}

void
w_shape_add_stream(
    struct w_buf *buf, const char *key, const struct w_output_stream *stream)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, buf->max);
	w_output_stream_add(&text, stream);
	buf->failed |= text.failed;
	w_buf_add_fmt(buf, "\"%s\":", key);
	w_json_add_string(buf, text.data, text.len);
}

void
w_shape_add_output(struct w_buf *buf, const struct w_output_view *view)
{
	const struct w_output_stream *out = &view->streams[WRIT_STDOUT];
	const struct w_output_stream *err = &view->streams[WRIT_STDERR];

	if (out->bytes == 0 && err->bytes == 0)
		w_buf_add_str(buf, "(no output)");
	w_output_stream_add(buf, out);
	if (out->bytes > 0 && err->bytes > 0)
		w_buf_add_char(buf, '\n');
	w_output_stream_add(buf, err);
}

void
w_shape_free(void *draft)
{
	writ_draft_free(draft);
}

void
w_shape_timeouts(struct w_mcp *server, uint64_t *timeout_ms, uint64_t *max_ms)
{
	uint64_t said_ms = 0;
	uint64_t said_max_ms = 0;

	/* If the policy cannot be read, the call fails for that. */
	if (writ_engine_timeouts(server->engine, server->cwd,
		server->options.agent, &said_ms, &said_max_ms, NULL) != WRIT_OK)
		return;
	if (said_ms != 0)
		*timeout_ms = said_ms;
	if (said_max_ms != 0)
		*max_ms = said_max_ms;
}

void
w_shape_run(struct w_rpc_request *rpc_request,
    const struct w_mcp_run_start *start, writ_draft *draft, uint64_t timeout_ms)
{
	writ_request *request = writ_draft_request(draft);
	const struct w_mcp_run_plan plan = {
	    .start = start,
	    .request = request,
	    .ctx = draft,
	    .waits = true,
	};

	request->timeout_ms = timeout_ms;
	w_mcp_run_begin(rpc_request, &plan);
}
