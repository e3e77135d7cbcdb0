/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_FILE_TOOLS_H
#define W_MCP_FILE_TOOLS_H

#include <limits.h>

#include "base/words.h"
#include "mcp/runs/run_table.h"
#include "mcp/tools/tool.h"

/*
 * The file tools (--tools files). Each call is a run of writ-file, which does
 * the work inside the sandbox (src/files): judged by the paths among its words,
 * confined and recorded like any other. Nothing here opens a file of the
 * caller.
 */
extern const struct w_tool w_tool_file_read;
extern const struct w_tool w_tool_file_write;
extern const struct w_tool w_tool_file_edit;
extern const struct w_tool w_tool_file_list;
extern const struct w_tool w_tool_file_search;

/* ---- for the files of this folder ---- */

/* A call until it was answered. */
struct w_mcp_file_call {
	writ_request request;
	struct w_words argv;
	char *program;
	char *input; /* standard input; NULL: none */
	size_t input_len;
	struct w_mcp *server;
	bool has_diff;   /* behind its answer there is the difference */
	bool has_failed; /* no memory for a word */
};

void w_mcp_file_call_free(void *ctx);

/* A new call of one command of writ-file; NULL: the request was answered. */
struct w_mcp_file_call *w_mcp_file_call_new(
    struct w_rpc_request *rpc_request, const char *command);

/* Add words. w_mcp_file_call_run() notices a failure. */
void w_mcp_file_call_add(struct w_mcp_file_call *call, const char *word);
void w_mcp_file_call_add_number(
    struct w_mcp_file_call *call, const char *option, int64_t number);

/* Adds a path as it is spelled, and as an option where it leads to if links are
 * on the way. For an operand the option comes first, and the path is left to
 * the caller. */
void w_mcp_file_call_add_place(
    struct w_mcp_file_call *call, const char *option, const char *path);

/* Takes over the input (its memory too; NULL: none) and the call, and runs it.
 */
void w_mcp_file_call_run(struct w_rpc_request *rpc_request,
    struct w_mcp_file_call *call, char *input, size_t len);

/* Ends a call that cannot be made, and says why. */
void w_mcp_file_call_refuse(struct w_rpc_request *rpc_request,
    struct w_mcp_file_call *call, const char *why);

/* How runs of these calls are answered: file_tool_answer.c. */
extern const struct w_mcp_run_start w_mcp_file_run_start;

/* file_place_name.c: where a path leads to, without links; relative ones begin
 * in dir. "": it is as spelled, or nobody knows. */
void w_mcp_file_place(
    const char *dir, const char *path, char out_place[PATH_MAX]);

/* file_tool_program.c: the path of writ-file; yours. NULL: not found. */
char *w_mcp_file_program(void);

#endif /* W_MCP_FILE_TOOLS_H */
