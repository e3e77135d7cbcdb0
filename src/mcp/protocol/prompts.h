/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_PROMPTS_H
#define W_MCP_PROMPTS_H

#include <stdbool.h>

#include "mcp/protocol/rpc_request.h"

/*
 * Prompts: questions that a user may want a model to answer with what writ
 * knows. Each is filled with facts on prompts/get.
 */
enum {
	W_PROMPT_ARGUMENTS = 2,
};

/* Where completions of an argument come from; see completion.c. */
enum w_complete_from {
	W_COMPLETE_NOTHING,
	W_COMPLETE_COMMANDS, /* described by modules */
	W_COMPLETE_MODULES,  /* module ids */
	W_COMPLETE_RUNS,     /* ids of the client's runs */
};

struct w_prompt_argument {
	const char *name; /* NULL: end of the list */
	const char *description;
	bool is_required;
	enum w_complete_from from;
};

struct w_prompt {
	const char *name;
	const char *title;
	const char *description;
	struct w_prompt_argument arguments[W_PROMPT_ARGUMENTS];
	/* Appends the text; values[i] is NULL for an argument that was not
	 * given. */
	writ_status (*write)(struct w_rpc_request *rpc_request,
	    const char *const values[W_PROMPT_ARGUMENTS], struct w_buf *text,
	    writ_error *err);
};

/* Ends with a name of NULL. */
extern const struct w_prompt w_prompts[];

/* NULL: unknown, and the request was answered with an error. */
const struct w_prompt *w_prompt_find(
    struct w_rpc_request *rpc_request, yyjson_val *name);

#endif /* W_MCP_PROMPTS_H */
