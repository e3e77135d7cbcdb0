/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The answer to a tools/call: text for the model, the same facts as an object
 * for programs. What a model can correct is a result with isError; only
 * failures of the server are protocol errors.
 */

#include <string.h>

#include <writ/result.h>

#include "base/auto.h"
#include "base/encode.h"
#include "base/error.h"
#include "mcp/server.h"
#include "mcp/tools/client_habits.h"
#include "mcp/tools/policy_answer.h"
#include "mcp/tools/tool.h"

/* The largest text of a message, escaped, and the same as an object. */
#define REPLY_MAX   ((size_t)256 << 20)
#define ERROR_DEPTH 8

/* Of the text of a denial, and of the advice in it. */
#define DENIAL_MAX ((size_t)300)
#define ADVICE_MAX ((size_t)120)

static void
tool_reply_fail_memory(struct w_rpc_request *rpc_request)
{
	writ_error err;

	(void)w_fail_nomem(&err, "answer");
	w_rpc_request_fail_with(rpc_request, &err);
}

static bool
has_habit(const struct w_rpc_request *rpc_request, enum w_habit habit)
{
	return (w_habits_of_client(rpc_request->client.name) & habit) != 0;
}

bool
w_tool_has_object(const struct w_rpc_request *rpc_request)
{
	if (!w_mcp_traits(rpc_request->version)->has_structured)
		return false;
	return rpc_request->keeps_object ||
	       rpc_request->server->options.structured ||
	       has_habit(rpc_request, W_HABIT_SHOWS_BOTH);
}

void
w_tool_reply(struct w_rpc_request *rpc_request, const char *text, size_t len,
    const char *structured, bool is_error)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, REPLY_MAX);
	w_buf_add_str(&buf, "\"content\":[{\"type\":\"text\",\"text\":");
	w_json_add_string(&buf, text, len);
	w_buf_add_str(&buf, "}]");
	if (structured != NULL && w_tool_has_object(rpc_request)) {
		w_buf_add_str(&buf, ",\"structuredContent\":");
		w_buf_add_str(&buf, structured);
	} else if (has_habit(rpc_request, W_HABIT_GUESSES_OBJECTS)) {
		w_buf_add_str(&buf, ",\"structuredContent\":{}");
	}
	/* The text says what went wrong. */
	if (!rpc_request->keeps_object &&
	    has_habit(rpc_request, W_HABIT_QUOTES_ERRORS))
		is_error = false;
	w_json_add_bool_member(&buf, "isError", is_error);
	if (buf.failed)
		tool_reply_fail_memory(rpc_request);
	else
		w_rpc_request_reply(rpc_request, buf.data, buf.len);
}

/* details is an object; its members are appended to those of every error. */
static void
add_error(struct w_buf *buf, const char *json, size_t len, const char *details)
{
	static const char end[] = "}}}";

	if (details == NULL || strlen(details) <= strlen("{}")) {
		w_buf_add(buf, json, len);
		return;
	}
	w_buf_add(buf, json, len - strlen(end));
	if (w_buf_last(buf) != '{')
		w_buf_add_char(buf, ',');
	w_buf_add(buf, details + 1, strlen(details) - strlen("{}"));
	w_buf_add_str(buf, end);
}

static const char *
member(yyjson_val *object, const char *key)
{
	const char *text = yyjson_get_str(yyjson_obj_get(object, key));

	return text == NULL ? "" : text;
}

/* Appends a text of at most max bytes: a longer one ends with "...". */
static void
tool_reply_add_cut(struct w_buf *buf, const char *text, size_t max)
{
	static const char dots[] = "...";
	const size_t len = strlen(text);

	if (len <= max) {
		w_buf_add(buf, text, len);
		return;
	}
	w_buf_add(buf, text, w_utf8_trim_end(text, max - strlen(dots)));
	w_buf_add_str(buf, dots);
}

/* From the JSON object, where everything is UTF-8. */
static void
tool_reply_add_words(struct w_buf *buf, const char *json, size_t len)
{
	const struct w_json_limits limits = {len, ERROR_DEPTH};
	struct w_json *tree = NULL;

	if (w_json_read(json, len, &limits, &tree, NULL) != WRIT_OK) {
		buf->failed = true;
		return;
	}
	yyjson_val *error = yyjson_obj_get(w_json_root(tree), "error");
	const char *code = member(error, "code");
	const char *advice = member(error, "suggestion");
	const bool is_denial =
	    strcmp(code, writ_status_word(WRIT_E_DENIED)) == 0;

	w_buf_add_fmt(buf, "%s: ", code);
	/* What would be allowed is worth more than the rest of a reason. */
	tool_reply_add_cut(buf, member(error, "message"),
	    !is_denial ? len : DENIAL_MAX - buf->len - ADVICE_MAX - 1);
	if (advice[0] != '\0') {
		w_buf_add_char(buf, '\n');
		tool_reply_add_cut(buf, advice, is_denial ? ADVICE_MAX : len);
	}
	w_json_free(tree);
}

/* A model is told what it can do, never to run writ, which it may not. */
static writ_error
for_model(const writ_error *error)
{
	writ_error told = *error;

	if (error->status == WRIT_E_DENIED &&
	    strncmp(error->suggestion, "writ ", strlen("writ ")) == 0)
		w_suggest(&told, "do it another way, or tell the user");
	return told;
}

void
w_tool_refuse_as(struct w_rpc_request *rpc_request, const writ_error *error,
    const char *details, const char *said, size_t said_len)
{
	const writ_error told = for_model(error);
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;
	W_AUTO_BUF struct w_buf denial;
	W_AUTO_BUF struct w_buf object;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&denial, REPLY_MAX);
	w_buf_init(&object, REPLY_MAX);
	w_buf_init(&text, REPLY_MAX);
	if (error->status == WRIT_E_DENIED && details != NULL) {
		w_mcp_policy_add_denial(&denial, details);
		details = denial.data;
	}
	if (denial.failed) {
		tool_reply_fail_memory(rpc_request);
		return;
	}
	if (writ_error_json(&told, &json, &len) != WRIT_OK) {
		tool_reply_fail_memory(rpc_request);
		return;
	}
	add_error(&object, json, len, details);
	if (said == NULL)
		tool_reply_add_words(&text, json, len);
	else
		w_buf_add(&text, said, said_len);
	if (object.failed || text.failed)
		tool_reply_fail_memory(rpc_request);
	else
		w_tool_reply(
		    rpc_request, text.data, text.len, object.data, true);
}

void
w_tool_refuse(struct w_rpc_request *rpc_request, const writ_error *error,
    const char *details)
{
	w_tool_refuse_as(rpc_request, error, details, NULL, 0);
}
