/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_EXIT_ANSWER_H
#define W_MCP_EXIT_ANSWER_H

#include <stdbool.h>

#include <writ/run.h>

/*
 * Whether an exit code is what the command was asked for, and no failure: 1 of
 * grep says that nothing matched. In doubt it is a failure. It only changes how
 * an answer is marked.
 */
bool w_mcp_exit_is_answer(const writ_request *request, int exit_code);

#endif /* W_MCP_EXIT_ANSWER_H */
