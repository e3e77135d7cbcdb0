/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_OUTPUT_VIEW_H
#define W_MCP_OUTPUT_VIEW_H

#include "mcp/runs/run_table.h"

/*
 * The part of a run's output that an answer shows: head and tail of each
 * stream, both streams within one budget. A stream that needs less than half
 * leaves the rest to the other.
 */
struct w_output_stream {
	const char *head; /* everything, unless is_cut */
	size_t head_len;
	const char *tail;
	size_t tail_len;
	uint64_t bytes; /* in the whole stream */
	uint64_t end;   /* offset behind what is shown */
	bool is_cut;    /* bytes between head and tail are omitted */
	bool is_text;   /* head and tail are UTF-8 */
	char *owned;    /* memory they point into; NULL: the result's */
};

struct w_output_view {
	struct w_output_stream streams[2];
};

void w_output_view_init(
    struct w_output_view *view, const struct w_mcp_run *run);
void w_output_view_done(struct w_output_view *view);
#define W_AUTO_OUTPUT_VIEW __attribute__((cleanup(w_output_view_done)))

/* A view of everything that a result has. */
void w_output_view_result(
    struct w_output_view *view, const writ_result *result, uint64_t budget);

/* Bytes omitted between head and tail. */
uint64_t w_output_stream_omitted(const struct w_output_stream *stream);

/* The offset for run_read: behind what is shown of a running run, at the first
 * omitted byte of an ended one. */
uint64_t w_output_stream_cursor(
    const struct w_output_stream *stream, bool is_running);

/* Appends what is shown as text: with a mark for omitted bytes, and escapes for
 * binary output. */
void w_output_stream_add(
    struct w_buf *buf, const struct w_output_stream *stream);

/* The same for binary output: at most max characters of it, and how much there
 * is. */
void w_output_stream_add_binary(
    struct w_buf *buf, const struct w_output_stream *stream, size_t max);

/* Appends one sentence about what to do next, if there is something. */
void w_mcp_run_add_hint(struct w_buf *buf, const struct w_mcp_run *run,
    const struct w_output_view *view);

#endif /* W_MCP_OUTPUT_VIEW_H */
