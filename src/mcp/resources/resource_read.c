/* SPDX-License-Identifier: Apache-2.0 */

/*
 * resources/read. A stream is read in parts that end between characters, so
 * that text stays text; anything else is base64. Each part comes with the
 * offset of the next.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/encode.h"
#include "base/error.h"
#include "data/json.h"
#include "mcp/resources/resource_methods.h"
#include "mcp/runs/run_table_state.h"
#include "mcp/server.h"

#define STAGE "resources"

enum {
	PART_LEN = 64 * 1024,
	ANSWER_MAX = 64 << 20,
	CHAR_MAX_LEN = 4,
};

/* ---- a stream ---- */

struct resource_read_part {
	char *bytes; /* owned by the caller, also after a failure */
	size_t len;
	uint64_t total;
	bool is_ended;
};

static writ_status
read_stream_part(const struct w_mcp_run *run,
    const struct w_mcp_resource *resource, struct resource_read_part *part,
    writ_error *err)
{
	const writ_stream stream =
	    resource->kind == W_MCP_RESOURCE_STDERR ? WRIT_STDERR : WRIT_STDOUT;
	const uint64_t wanted =
	    resource->length == 0 ? PART_LEN : resource->length;
	const size_t room =
	    wanted > W_MCP_OUTPUT_MAX ? W_MCP_OUTPUT_MAX : (size_t)wanted;
	size_t got = 1;

	part->bytes = malloc(room);
	if (part->bytes == NULL)
		return w_fail_nomem(err, STAGE);
	part->is_ended = run->result != NULL;
	part->total = w_mcp_run_bytes(run, stream);
	while (part->len < room && got > 0) {
		got = 0;
		writ_status status =
		    w_mcp_run_read(run, stream, resource->offset + part->len,
			part->bytes + part->len, room - part->len, &got);

		if (status != WRIT_OK && part->len == 0)
			return w_fail(err, status, STAGE, 0,
			    "the output of %s is not kept at %" PRIu64, run->id,
			    resource->offset);
		part->len += status == WRIT_OK ? got : 0;
	}
	/* Ends between characters, unless nothing would be left, or the stream
	 * ends here. */
	const size_t whole = w_utf8_trim_end(part->bytes, part->len);
	if (whole > 0 &&
	    (!part->is_ended || resource->offset + part->len < part->total))
		part->len = whole;
	return WRIT_OK;
}

static void
resource_read_add_part(struct w_buf *buf, const struct w_mcp_resource *resource,
    const struct resource_read_part *part)
{
	const uint64_t next = resource->offset + part->len;

	if (w_utf8_valid(part->bytes, part->len)) {
		w_buf_add_str(buf, ",\"mimeType\":\"text/plain\",\"text\":");
		w_json_add_string(buf, part->bytes, part->len);
	} else {
		w_buf_add_str(buf,
		    ",\"mimeType\":\"application/octet-stream\",\"blob\":\"");
		w_base64_add(buf, part->bytes, part->len);
		w_buf_add_char(buf, '"');
	}
	w_buf_add_fmt(buf,
	    ",\"_meta\":{\"offset\":%" PRIu64 ",\"next_offset\":%" PRIu64
	    ",\"bytes\":%" PRIu64,
	    resource->offset, next, part->total);
	w_json_add_bool_member(
	    buf, "end", part->is_ended && next >= part->total);
	w_buf_add_char(buf, '}');
}

static writ_status
resource_read_add_stream(struct w_buf *buf, const struct w_mcp_run *run,
    const struct w_mcp_resource *resource, writ_error *err)
{
	struct resource_read_part part = {.bytes = NULL};
	writ_status status = read_stream_part(run, resource, &part, err);

	if (status == WRIT_OK)
		resource_read_add_part(buf, resource, &part);
	free(part.bytes);
	return status;
}

/* ---- objects ---- */

static void
resource_read_add_row(void *ctx, struct w_mcp_run *run)
{
	struct w_buf *buf = ctx;

	if (w_buf_last(buf) != '[')
		w_buf_add_char(buf, ',');
	w_mcp_run_add_row(buf, run);
}

static writ_status
resource_read_add_policy(
    struct w_buf *json, const struct w_mcp *server, writ_error *err)
{
	writ_policy_options options = WRIT_POLICY_OPTIONS_INIT;
	W_AUTO_FREE char *text = NULL;
	size_t len = 0;

	options.cwd = server->cwd;
	writ_status status = writ_policy_look(server->options.config,
	    WRIT_POLICY_SHOW, &options, &text, &len, err);
	if (status == WRIT_OK)
		w_buf_add(json, text, len);
	return status;
}

/* The full result object; answers to calls omit seldom used members. */
static writ_status
add_meta(struct w_buf *json, const struct w_mcp_run *run, writ_error *err)
{
	W_AUTO_FREE char *text = NULL;
	size_t len = 0;

	writ_status status =
	    run->result != NULL
		? writ_result_json(run->result, &text, &len, err)
		: writ_job_json(run->job, &text, &len, err);
	if (status == WRIT_OK)
		w_buf_add(json, text, len);
	return status;
}

static writ_status
resource_read_add_object(struct w_buf *json, struct w_connection *connection,
    struct w_mcp_run *run, enum w_mcp_resource_kind kind, writ_error *err)
{
	switch (kind) {
	case W_MCP_RESOURCE_RUNS:
		w_buf_add_str(json, "{\"runs\":[");
		w_mcp_runs_each(connection, resource_read_add_row, json);
		w_buf_add_str(json, "]}");
		return WRIT_OK;
	case W_MCP_RESOURCE_META:
		return add_meta(json, run, err);
	case W_MCP_RESOURCE_AUDIT:
		return w_mcp_resource_add_audit(json, connection, err);
	case W_MCP_RESOURCE_POLICY:
		return resource_read_add_policy(json, connection->server, err);
	case W_MCP_RESOURCE_STDOUT:
	case W_MCP_RESOURCE_STDERR:
		break;
	}
	return w_fail(err, WRIT_E_INTERNAL, STAGE, 0, "no object");
}

static writ_status
resource_read_add_json(struct w_buf *buf, struct w_connection *connection,
    struct w_mcp_run *run, enum w_mcp_resource_kind kind, writ_error *err)
{
	W_AUTO_BUF struct w_buf json;

	w_buf_init(&json, ANSWER_MAX);
	writ_status status =
	    resource_read_add_object(&json, connection, run, kind, err);
	w_buf_add_str(buf, ",\"mimeType\":\"application/json\",\"text\":");
	w_json_add_string(buf, json.data, json.len);
	buf->failed = buf->failed || json.failed;
	return status;
}

void
w_method_resources_read(struct w_rpc_request *rpc_request)
{
	struct w_mcp_resource resource;
	struct w_mcp_run *run;
	writ_error err;
	writ_status status;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, ANSWER_MAX);
	if (!w_mcp_resource_from_params(rpc_request, &resource, &run))
		return;
	yyjson_val *uri = yyjson_obj_get(rpc_request->params, "uri");
	w_buf_add_str(&buf, "\"contents\":[{\"uri\":");
	w_json_add_string(&buf, yyjson_get_str(uri), yyjson_get_len(uri));
	if (resource.kind == W_MCP_RESOURCE_STDOUT ||
	    resource.kind == W_MCP_RESOURCE_STDERR)
		status = resource_read_add_stream(&buf, run, &resource, &err);
	else
		status = resource_read_add_json(
		    &buf, rpc_request->connection, run, resource.kind, &err);
	w_buf_add_str(&buf, "}]");
	if (status == WRIT_OK && buf.failed)
		status = w_fail_nomem(&err, STAGE);
	if (status == WRIT_OK)
		w_rpc_request_reply_cacheable(
		    rpc_request, buf.data, buf.len, 0);
	else
		w_rpc_request_fail_with(rpc_request, &err);
}
