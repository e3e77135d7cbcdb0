/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_TOOL_H
#define W_MCP_TOOL_H

#include <stdbool.h>
#include <stddef.h>

#include <yyjson.h>

#include <writ/error.h>

#include "mcp/protocol/rpc_request.h"

/*
 * A tool: what a model is told, and what is done when it is called. Names are
 * [a-z0-9_], at most 40 characters; schemas are objects at their root without
 * $ref, oneOf, anyOf or allOf there, since model providers refuse those.
 */
enum {
	W_TOOL_READ_ONLY = 1,
	W_TOOL_DESTRUCTIVE = 2,
	W_TOOL_IDEMPOTENT = 4,
	W_TOOL_OPEN_WORLD = 8,
};

/*
 * The schema of an answer. Models do not see it, but a client that has one
 * refuses every answer which is not as it says, errors too; so it says what
 * holds for all of them and no more. By its id a client knows it again, and
 * need not compile it at every list.
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
	/* arguments is an object that the schema has found in order. Answers
	 * by the functions below, or keeps the exchange. NULL: a module's. */
	void (*call)(struct w_rpc_request *rpc_request, yyjson_val *arguments);
	const char *module; /* id; NULL: not a module's */
	bool checks_input;  /* call gets the arguments unchecked */
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

/* Instead of w_tool_exec. */
extern const struct w_tool w_tool_exec_seed002;
extern const struct w_tool w_tool_exec_seed003;

/*
 * Answers a tools/call: text is the content, structured (a JSON object, NULL:
 * none) the same facts for programs, which older versions do not get.
 */
void w_tool_reply(struct w_rpc_request *rpc_request, const char *text,
    size_t len, const char *structured, bool is_error);

/* Answers that it was not done, with the error object of the library:
 * {"error":{"code","message","suggestion","details"}} and as text the message
 * and the suggestion. details is JSON or NULL. */
void w_tool_refuse(struct w_rpc_request *rpc_request, const writ_error *error,
    const char *details);

/* Likewise in other words than those of the error. */
void w_tool_refuse_as(struct w_rpc_request *rpc_request,
    const writ_error *error, const char *details, const char *text, size_t len);

#endif /* W_MCP_TOOL_H */
