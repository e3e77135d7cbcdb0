/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_TOOL_H
#define W_MCP_TOOL_H

#include <stdbool.h>
#include <stddef.h>

#include <yyjson.h>

#include <writ/error.h>

#include "mcp/protocol/rpc_request.h"

/*
 * A tool: its description for models, and its implementation. Names are
 * [a-z0-9_], at most 40 characters; schemas are objects without $ref, oneOf,
 * anyOf or allOf at the root, because model providers reject those.
 */
enum {
	W_TOOL_READ_ONLY = 1,
	W_TOOL_DESTRUCTIVE = 2,
	W_TOOL_IDEMPOTENT = 4,
	W_TOOL_OPEN_WORLD = 8,
};

/*
 * The schema of an answer. Models do not see it, but a client validates every
 * answer by it, errors too; so it states only what holds for all of them.
 * Clients cache the compiled schema by its id.
 */
#define W_TOOL_ANSWER(name, members)                          \
	"{\"$id\":\"urn:writ:" name "\",\"type\":\"object\"," \
	"\"properties\":{" members "}}"

struct w_tool {
	const char *name;
	const char *title;
	const char *description;
	const char *input_schema;  /* JSON */
	const char *output_schema; /* JSON; NULL: none */
	unsigned hints;
	/* arguments is an object that the schema accepts. Replies through the
	 * functions below, or keeps the request. NULL: a module's. */
	void (*call)(struct w_rpc_request *rpc_request, yyjson_val *arguments);
	const char *module; /* id; NULL: not a module */
	bool checks_input;  /* call gets unchecked arguments */
	bool keeps_object;  /* answers have structuredContent for every client:
			     * part of a schema that is given */
	bool is_vital;      /* clients that defer tools load it at once */
};

extern const struct w_tool w_tool_exec;
extern const struct w_tool w_tool_run_read;
extern const struct w_tool w_tool_run_input;
extern const struct w_tool w_tool_run_kill;
extern const struct w_tool w_tool_run_list;
extern const struct w_tool w_tool_module_search;
extern const struct w_tool w_tool_module_describe;
extern const struct w_tool w_tool_module_call;
extern const struct w_tool w_tool_policy_check;

/*
 * Whether answers to this client have structuredContent: if the options say so,
 * or it is known to show the text as well. Most show a model the object in
 * place of the text.
 */
bool w_tool_has_object(const struct w_rpc_request *rpc_request);

/*
 * Replies to a tools/call: text is the content, structured (a JSON object,
 * NULL: none) the same facts for programs, for clients that get it.
 */
void w_tool_reply(struct w_rpc_request *rpc_request, const char *text,
    size_t len, const char *structured, bool is_error);

/* Replies that it was not done, with the error object of the library:
 * {"error":{"code","message","suggestion","details"}}; the text is message and
 * suggestion. details is JSON or NULL. */
void w_tool_refuse(struct w_rpc_request *rpc_request, const writ_error *error,
    const char *details);

/* Likewise, with another text than the error's; NULL: the error's. */
void w_tool_refuse_as(struct w_rpc_request *rpc_request,
    const writ_error *error, const char *details, const char *said,
    size_t said_len);

#endif /* W_MCP_TOOL_H */
