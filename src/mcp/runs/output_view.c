/* SPDX-License-Identifier: Apache-2.0 */

/* Shows head and tail of both streams within one budget. */

#include "mcp/runs/output_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "mcp/runs/run_table_state.h"

enum {
	HEAD_PART = 4,      /* a quarter is head, as in the engine */
	ESCAPED_MIN = 4096, /* bytes of binary output always shown */
	ESCAPE_LEN = 4,     /* length of "\xff" */
};

/* Splits the budget between the streams. */
static void
allot(const uint64_t wanted[2], uint64_t budget, uint64_t out[2])
{
	uint64_t second = wanted[1] < budget / 2 ? wanted[1] : budget / 2;

	out[0] = wanted[0] < budget - second ? wanted[0] : budget - second;
	out[1] = wanted[1] < budget - out[0] ? wanted[1] : budget - out[0];
}

/* Trims characters that a cut went through. Binary output is left as it is. */
static void
trim_cuts(struct w_output_stream *stream)
{
	const bool is_open = stream->is_cut || stream->end < stream->bytes;
	size_t head_len = stream->head_len;
	size_t skip = 0;

	if (is_open)
		head_len = w_utf8_trim_end(stream->head, head_len);
	if (stream->is_cut)
		skip = w_utf8_trim_start(stream->tail, stream->tail_len);
	stream->is_text =
	    w_utf8_valid(stream->head, head_len) &&
	    w_utf8_valid(stream->tail + skip, stream->tail_len - skip);
	if (!stream->is_text)
		return;
	stream->head_len = head_len;
	stream->tail += skip;
	stream->tail_len -= skip;
}

static void
set_whole(struct w_output_stream *stream, const char *bytes, size_t len)
{
	stream->head = bytes;
	stream->head_len = len;
	stream->tail = bytes + len;
	stream->tail_len = 0;
}

/* ---- of an ended run ---- */

static void
narrow(struct w_output_stream *stream, const writ_output *out, size_t most)
{
	const size_t head_max = most / HEAD_PART;
	const size_t tail_max = most - head_max;
	const char *tail_end = out->truncated ? out->tail + out->tail_len
					      : out->head + out->head_len;
	const size_t tail_len = out->truncated && out->tail_len < tail_max
				    ? out->tail_len
				    : tail_max;

	stream->head = out->head;
	stream->head_len = out->head_len < head_max ? out->head_len : head_max;
	stream->tail = tail_end - tail_len;
	stream->tail_len = tail_len;
	stream->is_cut = true;
}

static void
view_output(
    struct w_output_stream *stream, const writ_output *out, uint64_t most)
{
	stream->bytes = out->bytes;
	stream->end = out->bytes;
	if (out->head_len + out->tail_len > most) {
		narrow(stream, out, (size_t)most);
	} else {
		stream->head = out->head;
		stream->head_len = out->head_len;
		stream->tail = out->tail;
		stream->tail_len = out->tail_len;
		stream->is_cut = out->truncated;
	}
	trim_cuts(stream);
}

void
w_output_view_result(
    struct w_output_view *view, const writ_result *result, uint64_t budget)
{
	const writ_output *out = result->out;
	const uint64_t wanted[2] = {out[0].head_len + out[0].tail_len,
	    out[1].head_len + out[1].tail_len};
	uint64_t most[2];

	*view = (struct w_output_view){0};
	allot(wanted, budget, most);
	view_output(&view->streams[0], &out[0], most[0]);
	view_output(&view->streams[1], &out[1], most[1]);
}

/* ---- of a running run ---- */

static size_t
output_view_read_part(const struct w_mcp_run *run, writ_stream which,
    uint64_t offset, char *to, size_t len)
{
	size_t done = 0;

	while (done < len) {
		size_t got = 0;

		if (w_mcp_run_read(run, which, offset + done, to + done,
			len - done, &got) != WRIT_OK ||
		    got == 0)
			break;
		done += got;
	}
	return done;
}

static void
view_live(struct w_output_stream *stream, const struct w_mcp_run *run,
    writ_stream which, size_t most)
{
	const uint64_t bytes = w_mcp_run_bytes(run, which);
	const size_t head_max = bytes <= most ? most : most / HEAD_PART;

	stream->bytes = bytes;
	stream->end = bytes;
	stream->owned = malloc(most + 1);
	if (stream->owned == NULL) {
		set_whole(stream, "", 0);
		stream->is_cut = bytes > 0;
		stream->is_text = true;
		return;
	}
	const size_t head_len = output_view_read_part(run, which, 0,
	    stream->owned, bytes < head_max ? (size_t)bytes : head_max);
	set_whole(stream, stream->owned, head_len);
	stream->is_cut = head_len < bytes;
	if (stream->is_cut)
		stream->tail_len =
		    output_view_read_part(run, which, bytes - (most - head_max),
			stream->owned + head_len, most - head_max);
	trim_cuts(stream);
}

/* The last character may be incomplete so far: it is shown with what
 * follows. */
static void
hold_back(struct w_output_stream *stream)
{
	size_t *len = stream->is_cut ? &stream->tail_len : &stream->head_len;
	const char *last = stream->is_cut ? stream->tail : stream->head;
	const size_t back = *len - w_utf8_trim_end(last, *len);

	if (stream->is_text || back == 0)
		return;
	*len -= back;
	stream->end -= back;
	trim_cuts(stream);
	if (stream->is_text)
		return;
	*len += back;
	stream->end += back;
}

static void
view_job(struct w_output_view *view, const struct w_mcp_run *run)
{
	uint64_t wanted[2];
	uint64_t most[2];

	*view = (struct w_output_view){0};
	for (int i = 0; i < 2; i++) {
		wanted[i] = w_mcp_run_bytes(run, (writ_stream)i);
		if (wanted[i] > run->output)
			wanted[i] = run->output;
	}
	allot(wanted, run->output, most);
	for (int i = 0; i < 2; i++) {
		view_live(
		    &view->streams[i], run, (writ_stream)i, (size_t)most[i]);
		hold_back(&view->streams[i]);
	}
}

void
w_output_view_init(struct w_output_view *view, const struct w_mcp_run *run)
{
	if (run->result != NULL)
		w_output_view_result(view, run->result, run->output);
	else
		view_job(view, run);
}

void
w_output_view_done(struct w_output_view *view)
{
	free(view->streams[0].owned);
	free(view->streams[1].owned);
}

/* ---- formatting ---- */

uint64_t
w_output_stream_omitted(const struct w_output_stream *stream)
{
	return stream->end - stream->head_len - stream->tail_len;
}

uint64_t
w_output_stream_cursor(const struct w_output_stream *stream, bool is_running)
{
	return stream->is_cut && !is_running ? stream->head_len : stream->end;
}

/* Appends at most max characters, without splitting an escape. */
static void
output_view_add_escaped(
    struct w_buf *buf, const char *bytes, size_t len, size_t max)
{
	const size_t start = buf->len;

	for (size_t i = 0; i < len && buf->len - start + ESCAPE_LEN <= max;
	     i++) {
		const unsigned char c = (unsigned char)bytes[i];

		if ((c >= ' ' && c < 0x7f && c != '\\') || c == '\n' ||
		    c == '\t')
			w_buf_add_char(buf, (char)c);
		else if (c == '\\')
			w_buf_add_str(buf, "\\\\");
		else
			w_buf_add_fmt(buf, "\\x%02x", c);
	}
}

void
w_output_stream_add_binary(
    struct w_buf *buf, const struct w_output_stream *stream, size_t max)
{
	output_view_add_escaped(buf, stream->head, stream->head_len, max);
	w_buf_add_fmt(
	    buf, "\n[binary, %" PRIu64 " bytes in all]", stream->bytes);
}

void
w_output_stream_add(struct w_buf *buf, const struct w_output_stream *stream)
{
	const size_t shown = stream->head_len + stream->tail_len;

	if (!stream->is_text) {
		w_output_stream_add_binary(
		    buf, stream, shown < ESCAPED_MIN ? ESCAPED_MIN : shown);
		return;
	}
	w_buf_add(buf, stream->head, stream->head_len);
	if (!stream->is_cut)
		return;
	w_buf_add_fmt(buf, "\n[... %" PRIu64 " bytes omitted ...]\n",
	    w_output_stream_omitted(stream));
	w_buf_add(buf, stream->tail, stream->tail_len);
}

static void
add_where(struct w_buf *buf, const struct w_mcp_run *run,
    const struct w_output_view *view)
{
	static const char *const names[] = {"stdout", "stderr"};

	for (int i = 0; i < 2; i++) {
		const struct w_output_stream *stream = &view->streams[i];

		if (!stream->is_cut && stream->is_text)
			continue;
		w_buf_add_fmt(buf,
		    "%srun_read {\"run_id\":\"%s\",\"stream\":\"%s\","
		    "\"cursor\":%" PRIu64 "} has %s",
		    buf->len == 0 ? "" : "; ", run->id, names[i],
		    stream->is_text ? w_output_stream_cursor(stream, false) : 0,
		    stream->is_text ? "what is left out here"
				    : "all of it, in base64");
	}
}

void
w_mcp_run_add_hint(struct w_buf *buf, const struct w_mcp_run *run,
    const struct w_output_view *view)
{
	if (run->result != NULL) {
		add_where(buf, run, view);
		return;
	}
	w_buf_add_fmt(buf,
	    "it is still running: run_read "
	    "{\"run_id\":\"%s\",\"cursor\":%" PRIu64
	    "} waits for more, %srun_kill ends it",
	    run->id, w_output_stream_cursor(&view->streams[0], true),
	    run->has_input ? "run_input writes to it, " : "");
}
