/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The tool `run_read`: a part of a run's output, by stream offset; waits while
 * there is nothing new. Parts end between characters, so that text stays text;
 * the last bytes of a stream, and binary output, are returned as they are.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/error.h"
#include "data/json.h"
#include "mcp/runs/run_table_state.h"
#include "mcp/runs/tool_arguments.h"
#include "mcp/tools/tool.h"

enum {
	WAIT_MS = 10000,
	CHAR_MAX_LEN = 4,
	OBJECT_MAX = 16 << 20,
};

struct tool_run_read_part {
	char *bytes;
	size_t len;
	uint64_t offset;
	uint64_t total; /* bytes of the stream so far */
	bool is_ended;
	bool is_text;
};

static const char *
stream_name(writ_stream stream)
{
	return stream == WRIT_STDOUT ? "stdout" : "stderr";
}

/* ---- part ---- */

/* Ends text between characters, unless nothing would be left. */
static void
tool_run_read_trim(struct tool_run_read_part *part)
{
	const bool is_last =
	    part->is_ended && part->offset + part->len == part->total;
	const size_t whole = w_utf8_trim_end(part->bytes, part->len);

	if (!is_last && whole > 0 && w_utf8_valid(part->bytes, whole))
		part->len = whole;
	/* An incomplete character: more bytes will follow. */
	else if (!is_last && whole == 0 && part->len < CHAR_MAX_LEN &&
		 !part->is_ended && part->offset + part->len == part->total)
		part->len = 0;
	part->is_text = w_utf8_valid(part->bytes, part->len);
}

static writ_status
read_run_part(const struct w_mcp_run_reader *reader,
    struct tool_run_read_part *part, writ_error *err)
{
	const struct w_mcp_run *run = reader->run;
	/* At least one whole character, whatever the limit. */
	const size_t room =
	    reader->max_bytes < CHAR_MAX_LEN ? CHAR_MAX_LEN : reader->max_bytes;

	part->offset = reader->cursor;
	part->total = w_mcp_run_bytes(run, reader->stream);
	part->is_ended = run->result != NULL;
	part->bytes = malloc(room);
	if (part->bytes == NULL)
		return w_fail_nomem(err, "run_read");
	while (part->len < room) {
		size_t got = 0;
		writ_status status = w_mcp_run_read(run, reader->stream,
		    part->offset + part->len, part->bytes + part->len,
		    room - part->len, &got);

		if (status != WRIT_OK && part->len == 0)
			return w_fail(err, status, "run_read", 0,
			    "%s of %s is not kept at %" PRIu64,
			    stream_name(reader->stream), run->id, part->offset);
		if (status != WRIT_OK || got == 0)
			break;
		part->len += got;
	}
	tool_run_read_trim(part);
	return WRIT_OK;
}

/* ---- answer ---- */

static void
tool_run_read_add_object(struct w_buf *buf,
    const struct w_mcp_run_reader *reader,
    const struct tool_run_read_part *part, bool is_end)
{
	const struct w_mcp_run *run = reader->run;

	w_buf_add_fmt(buf, "{\"run_id\":\"%s\",\"outcome\":\"%s\"", run->id,
	    w_mcp_run_outcome(run));
	if (run->result == NULL)
		w_buf_add_str(buf, ",\"exit_code\":null");
	else
		w_buf_add_fmt(buf, ",\"exit_code\":%d", run->result->exit_code);
	w_buf_add_fmt(buf,
	    ",\"stream\":\"%s\",\"cursor\":%" PRIu64 ",\"data\":",
	    stream_name(reader->stream), part->offset);
	w_json_add_bytes(buf, part->bytes, part->len);
	w_buf_add_fmt(buf, ",\"next_cursor\":%" PRIu64 ",\"bytes\":%" PRIu64,
	    part->offset + part->len, part->total);
	w_json_add_bool_member(buf, "end", is_end);
	w_buf_add_char(buf, '}');
}

static void
tool_run_read_add_text(struct w_buf *buf, const struct w_mcp_run_reader *reader,
    const struct tool_run_read_part *part, bool is_end)
{
	const writ_result *result = reader->run->result;
	const uint64_t next = part->offset + part->len;

	if (part->is_text)
		w_buf_add(buf, part->bytes, part->len);
	else
		w_base64_add(buf, part->bytes, part->len);
	if (part->len > 0 && w_buf_last(buf) != '\n')
		w_buf_add_char(buf, '\n');
	w_buf_add_fmt(buf, "[%s%s", part->is_text ? "" : "base64; ",
	    w_mcp_run_outcome(reader->run));
	if (result != NULL && result->outcome == WRIT_EXITED)
		w_buf_add_fmt(buf, " with code %d", result->exit_code);
	w_buf_add_fmt(buf, "; %s %" PRIu64 " to %" PRIu64 " of %" PRIu64 "%s]",
	    stream_name(reader->stream), part->offset, next, part->total,
	    is_end ? ", the end" : "");
}

static void
tool_run_read_answer(
    struct w_mcp_run_reader *reader, const struct tool_run_read_part *part)
{
	struct w_rpc_request *rpc_request = reader->rpc_request;
	const bool is_end =
	    part->is_ended && part->offset + part->len >= part->total;
	W_AUTO_BUF struct w_buf object;
	W_AUTO_BUF struct w_buf text;
	writ_error err;

	w_buf_init(&object, OBJECT_MAX);
	w_buf_init(&text, OBJECT_MAX);
	tool_run_read_add_object(&object, reader, part, is_end);
	tool_run_read_add_text(&text, reader, part, is_end);
	w_mcp_run_reader_free(reader);
	rpc_request->on_cancel = NULL;
	if (!object.failed && !text.failed) {
		w_tool_reply(
		    rpc_request, text.data, text.len, object.data, false);
		return;
	}
	(void)w_fail_nomem(&err, "run_read");
	w_rpc_request_fail_with(rpc_request, &err);
}

static void
tool_run_read_refuse(struct w_mcp_run_reader *reader, writ_error *err)
{
	struct w_rpc_request *rpc_request = reader->rpc_request;
	const uint64_t total = w_mcp_run_bytes(reader->run, reader->stream);

	if (err->status == WRIT_E_NOTFOUND)
		w_suggest(err,
		    "it has written %" PRIu64 " bytes; a cursor below 0 "
		    "counts from the end",
		    total);
	w_mcp_run_reader_free(reader);
	rpc_request->on_cancel = NULL;
	w_tool_refuse(rpc_request, err, NULL);
}

/* Replies if there is output, if no more can come, or on timeout. */
static void
tool_run_read_check(struct w_mcp_run_reader *reader)
{
	struct tool_run_read_part part = {0};
	writ_error err = {0};
	const bool is_late = reader->wait.place == 0;

	if (read_run_part(reader, &part, &err) != WRIT_OK)
		tool_run_read_refuse(reader, &err);
	else if (part.len > 0 || part.is_ended || is_late)
		tool_run_read_answer(reader, &part);
	free(part.bytes);
}

/* ---- call ---- */

/* Counted from the end; moves to the start of a character. */
static void
find_back(struct w_mcp_run_reader *reader, uint64_t back)
{
	const uint64_t total = w_mcp_run_bytes(reader->run, reader->stream);
	char bytes[CHAR_MAX_LEN];
	size_t len = 0;

	reader->cursor = back < total ? total - back : 0;
	if (reader->cursor > 0 &&
	    w_mcp_run_read(reader->run, reader->stream, reader->cursor, bytes,
		sizeof(bytes), &len) == WRIT_OK)
		reader->cursor += w_utf8_trim_start(bytes, len);
}

static writ_status
find_start(
    struct w_mcp_run_reader *reader, yyjson_val *arguments, writ_error *err)
{
	yyjson_val *value = yyjson_obj_get(arguments, "cursor");
	const uint64_t total = w_mcp_run_bytes(reader->run, reader->stream);
	const double number = yyjson_get_num(value);

	if (number < 0) {
		find_back(
		    reader, number > -0x1p53 ? (uint64_t)-number : UINT64_MAX);
		return WRIT_OK;
	}
	reader->cursor = w_tool_arguments_number(arguments, "cursor", 0);
	if (reader->cursor <= total)
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, "run_read", 0,
	    "cursor %" PRIu64 " is beyond the end of %s", reader->cursor,
	    stream_name(reader->stream));
	w_suggest(err, "it has written %" PRIu64 " bytes so far", total);
	return WRIT_E_INVALID;
}

static void
tool_run_read_call(struct w_rpc_request *rpc_request, yyjson_val *arguments)
{
	struct w_mcp_run *run = w_mcp_run_argument(rpc_request, arguments);
	const char *name = yyjson_get_str(yyjson_obj_get(arguments, "stream"));
	writ_error err = {0};

	if (run == NULL)
		return;
	struct w_mcp_run_reader *reader =
	    w_mcp_run_reader_new(run, rpc_request, tool_run_read_check,
		w_tool_arguments_number(arguments, "wait_ms", WAIT_MS));
	if (reader == NULL) {
		(void)w_fail_nomem(&err, "run_read");
		w_rpc_request_fail_with(rpc_request, &err);
		return;
	}
	reader->stream = name != NULL && strcmp(name, "stderr") == 0
			     ? WRIT_STDERR
			     : WRIT_STDOUT;
	reader->max_bytes =
	    (size_t)w_tool_arguments_number(arguments, "max_bytes", 0);
	if (reader->max_bytes == 0)
		reader->max_bytes =
		    run->output == 0 ? W_MCP_OUTPUT : (size_t)run->output;
	if (find_start(reader, arguments, &err) != WRIT_OK) {
		tool_run_read_refuse(reader, &err);
		return;
	}
	tool_run_read_check(reader);
}

const struct w_tool w_tool_run_read = {
    .name = "run_read",
    .title = "Read output",
    .description =
	"Reads output of a run from a byte cursor, also after its end; waits "
	"up to wait_ms for something new.",
    .input_schema =
	"{\"type\":\"object\",\"properties\":{"
	"\"run_id\":{\"type\":\"string\"},"
	"\"stream\":{\"type\":\"string\",\"enum\":[\"stdout\",\"stderr\"]},"
	"\"cursor\":{\"type\":\"integer\",\"description\":\"next_cursor of the "
	"last answer; below 0: from the end\"},"
	"\"max_bytes\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":1048576"
	"},"
	"\"wait_ms\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":600000,"
	"\"description\":\"default 10000\"}},"
	"\"required\":[\"run_id\"],\"additionalProperties\":false}",
    .output_schema = W_TOOL_ANSWER("run_read",
	"\"outcome\":{\"type\":\"string\"},\"data\":{},\"next_cursor\":{"
	"\"type\":\"integer\"},\"end\":{\"type\":\"boolean\"}"),
    .hints = W_TOOL_READ_ONLY,
    .call = tool_run_read_call,
};
