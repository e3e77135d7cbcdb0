/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_OUTPUT_VIEW_H
#define W_MCP_OUTPUT_VIEW_H

#include "mcp/runs/run_table.h"

/*
 * What of a run's output an answer shows: the beginning and the end of each
 * stream, both streams together within a budget. A stream that needs less than
 * its half leaves the rest to the other.
 */
struct w_output_stream {
	const char *head; /* all of it, unless is_cut */
	size_t head_len;
	const char *tail;
	size_t tail_len;
	uint64_t bytes; /* of the stream, shown or not */
	uint64_t end;   /* where that which is shown ends */
	bool is_cut;    /* something between head and tail is left out */
	bool is_text;   /* both are UTF-8 */
	char *owned;    /* what they point into; NULL: the result */
};

struct w_output_view {
	struct w_output_stream streams[2];
};

void w_output_view_init(
    struct w_output_view *view, const struct w_mcp_run *run);
void w_output_view_done(struct w_output_view *view);
#define W_AUTO_OUTPUT_VIEW __attribute__((cleanup(w_output_view_done)))

/* Of a result by itself, all that it has. */
void w_output_view_result(
    struct w_output_view *view, const writ_result *result, uint64_t budget);

/* How many bytes are left out between head and tail. */
uint64_t w_output_stream_omitted(const struct w_output_stream *stream);

/* Where run_read goes on: behind what is shown of a run that goes on, at what
 * was left out of one that has ended. */
uint64_t w_output_stream_cursor(
    const struct w_output_stream *stream, bool is_running);

/* Appends what is shown as text: with a mark where something is left out, and
 * with escapes for what is no text. */
void w_output_stream_add(
    struct w_buf *buf, const struct w_output_stream *stream);

/* Appends both streams, with a newline between them, or "(no output)". */
void w_output_view_add(struct w_buf *buf, const struct w_output_view *view);

/* Appends one sentence about what to do next; nothing: there is nothing. */
void w_mcp_run_add_hint(struct w_buf *buf, const struct w_mcp_run *run,
    const struct w_output_view *view);

#endif /* W_MCP_OUTPUT_VIEW_H */
