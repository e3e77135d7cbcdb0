/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_EXEC_SHAPE_H
#define W_MCP_EXEC_SHAPE_H

#include <writ/draft.h>

#include "mcp/runs/run_table.h"
#include "mcp/tools/tool.h"

/*
 * What the other shapes of `exec` have in common. They look at their arguments
 * themselves, since each has its own words for what is wrong with them; and
 * they answer when the command has ended, however long that takes.
 */

/* Answers that nothing was run: in these words, and by the error object for
 * programs. */
void w_shape_refuse(struct w_rpc_request *rpc_request, const writ_error *error,
    const char *details, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* The same for arguments that are not in order; the record has it as well. */
void w_shape_refuse_arguments(struct w_rpc_request *rpc_request,
    const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Refuses a key that is not among these, which end with NULL. false: that was
 * the answer. */
bool w_shape_check_keys(struct w_rpc_request *rpc_request,
    yyjson_val *arguments, const char *const *keys);

/* Runs the request of the draft, which it takes over. */
void w_shape_run(struct w_rpc_request *rpc_request,
    const struct w_mcp_run_start *start, writ_draft *draft,
    uint64_t timeout_ms);

/* Appends "KEY":TEXT with what an answer shows of a stream. */
struct w_output_stream;
void w_shape_add_stream(
    struct w_buf *buf, const char *key, const struct w_output_stream *stream);

/* exec_seed003.c: the text of its answer. */
struct w_output_view;
void w_shape_seed003_add_text(struct w_buf *buf, const writ_result *result,
    const struct w_output_view *view);

/* Frees a draft: of struct w_mcp_run_start. */
void w_shape_free(void *draft);

/* Answers for lack of memory. */
void w_shape_fail_memory(struct w_rpc_request *rpc_request);

#endif /* W_MCP_EXEC_SHAPE_H */
