/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_EXEC_SHAPE_H
#define W_MCP_EXEC_SHAPE_H

#include <writ/draft.h>

#include "mcp/runs/run_table.h"
#include "mcp/tools/tool.h"

/*
 * Shared by the alternative schemas of `exec`. They check their arguments
 * themselves, since each has its own error messages; and they answer when the
 * command has ended, however long that takes.
 */

/* Answers that nothing was run: with this text, and the error object for
 * programs. */
void w_shape_refuse(struct w_rpc_request *rpc_request, const writ_error *error,
    const char *details, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* The same for invalid arguments; also writes an audit record. */
void w_shape_refuse_arguments(struct w_rpc_request *rpc_request,
    const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Refuses keys that are not in this list, which ends with NULL. false: the
 * request was answered. */
bool w_shape_check_keys(struct w_rpc_request *rpc_request,
    yyjson_val *arguments, const char *const *keys);

/* Runs the draft's request; takes the draft over. */
void w_shape_run(struct w_rpc_request *rpc_request,
    const struct w_mcp_run_start *start, writ_draft *draft,
    uint64_t timeout_ms);

/* Appends both streams, with a newline between them, or "(no output)". */
struct w_output_view;
void w_shape_add_output(struct w_buf *buf, const struct w_output_view *view);

/* Appends "KEY":TEXT with the part of a stream that an answer shows. */
struct w_output_stream;
void w_shape_add_stream(
    struct w_buf *buf, const char *key, const struct w_output_stream *stream);

/* exec_seed003.c: the text of its answer. */
void w_shape_seed003_add_text(struct w_buf *buf, const writ_result *result,
    const struct w_output_view *view);

/* The time of a call that sets none, and the most that one may have: those of
 * the policy, else these. */
void w_shape_timeouts(
    struct w_mcp *server, uint64_t *timeout_ms, uint64_t *max_ms);

/* Frees a draft; for struct w_mcp_run_start. */
void w_shape_free(void *draft);

void w_shape_fail_memory(struct w_rpc_request *rpc_request);

#endif /* W_MCP_EXEC_SHAPE_H */
