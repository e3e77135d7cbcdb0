/* SPDX-License-Identifier: Apache-2.0 */
/* Validates JSON-RPC 2.0 messages, and describes what is wrong with one. */
#include "mcp/protocol/rpc.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/encode.h"

bool
w_rpc_is_id(yyjson_val *id)
{
	return yyjson_is_int(id) ||
	       (yyjson_is_str(id) && yyjson_get_len(id) <= W_RPC_ID_MAX);
}

void
w_rpc_add_id(struct w_buf *buf, yyjson_val *id)
{
	if (yyjson_is_str(id))
		w_json_add_string(buf, yyjson_get_str(id), yyjson_get_len(id));
	else if (yyjson_is_sint(id))
		w_buf_add_fmt(buf, "%" PRId64, yyjson_get_sint(id));
	else
		w_buf_add_fmt(buf, "%" PRIu64, yyjson_get_uint(id));
}

void
w_rpc_add_string(struct w_buf *buf, const char *text, size_t len)
{
	if (w_utf8_valid(text, len)) {
		w_json_add_string(buf, text, len);
		return;
	}

	W_AUTO_BUF struct w_buf clean;
	w_buf_init(&clean, len);
	for (size_t at = 0; at < len;) {
		size_t step = 1;

		while (step < 4 && at + step <= len &&
		       !w_utf8_valid(text + at, step))
			step++;
		if (at + step <= len && w_utf8_valid(text + at, step)) {
			w_buf_add(&clean, text + at, step);
			at += step;
		} else {
			w_buf_add_char(&clean, '?');
			at++;
		}
	}
	w_json_add_string(buf, clean.data, clean.len);
}

void
w_rpc_add_error(struct w_buf *buf, const char *id, int code,
    const char *message, const char *data)
{
	w_buf_add_str(buf, "{\"jsonrpc\":\"2.0\"");
	if (id != NULL) {
		w_buf_add_str(buf, ",\"id\":");
		w_buf_add_str(buf, id);
	}
	w_buf_add_fmt(buf, ",\"error\":{\"code\":%d,\"message\":", code);
	w_rpc_add_string(buf, message, strlen(message));
	if (data != NULL) {
		w_buf_add_str(buf, ",\"data\":");
		w_buf_add_str(buf, data);
	}
	w_buf_add_str(buf, "}}");
}

static bool
rpc_refuse(struct w_rpc_fault *fault, int code, const char *message)
{
	fault->code = code;
	(void)snprintf(fault->message, sizeof(fault->message), "%s", message);
	return false;
}

static bool
read_response(
    yyjson_val *value, struct w_rpc_message *message, struct w_rpc_fault *fault)
{
	fault->is_silent = true;
	message->kind = W_RPC_RESPONSE;
	message->result = yyjson_obj_get(value, "result");
	message->error = yyjson_obj_get(value, "error");
	if (message->id == NULL)
		return rpc_refuse(
		    fault, W_RPC_INVALID, "a response needs an id");
	if ((message->result == NULL) == (message->error == NULL)) {
		return rpc_refuse(fault, W_RPC_INVALID,
		    "a response has a result or an error");
	}
	return true;
}

static bool
read_call(
    yyjson_val *value, struct w_rpc_message *message, struct w_rpc_fault *fault)
{
	yyjson_val *method = yyjson_obj_get(value, "method");
	yyjson_val *params = yyjson_obj_get(value, "params");

	/* A NUL would end it early in comparisons. */
	if (!yyjson_is_str(method) ||
	    strlen(yyjson_get_str(method)) != yyjson_get_len(method)) {
		return rpc_refuse(
		    fault, W_RPC_INVALID, "'method' has to be a string");
	}
	message->method = yyjson_get_str(method);
	message->kind =
	    message->id == NULL ? W_RPC_NOTIFICATION : W_RPC_REQUEST;
	fault->is_silent = message->id == NULL;
	if (params != NULL && !yyjson_is_obj(params)) {
		return rpc_refuse(
		    fault, W_RPC_PARAMS, "'params' has to be an object");
	}
	message->params = params;
	return true;
}

bool
w_rpc_read(yyjson_val *value, struct w_rpc_message *out_message,
    struct w_rpc_fault *out_fault)
{
	struct w_rpc_message message = {0};
	yyjson_val *id = yyjson_obj_get(value, "id");

	*out_fault = (struct w_rpc_fault){0};
	if (!yyjson_is_obj(value)) {
		return rpc_refuse(
		    out_fault, W_RPC_INVALID, "a message has to be an object");
	}

	/* Answering an answer could go back and forth forever. */
	out_fault->is_silent = yyjson_obj_get(value, "method") == NULL &&
			       (yyjson_obj_get(value, "result") != NULL ||
				   yyjson_obj_get(value, "error") != NULL);
	if (id != NULL && !w_rpc_is_id(id)) {
		return rpc_refuse(out_fault, W_RPC_INVALID,
		    "'id' has to be an integer or a short string");
	}
	message.id = id;
	out_fault->id = id;
	if (!yyjson_equals_str(yyjson_obj_get(value, "jsonrpc"), "2.0")) {
		return rpc_refuse(
		    out_fault, W_RPC_INVALID, "'jsonrpc' has to be \"2.0\"");
	}
	if (!(out_fault->is_silent ? read_response(value, &message, out_fault)
				   : read_call(value, &message, out_fault)))
		return false;
	*out_message = message;
	return true;
}
