/* SPDX-License-Identifier: Apache-2.0 */

/* The policy's decision on a request, for an agent. */

#include "mcp/tools/policy_answer.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "data/json.h"

enum {
	DEPTH_MAX = 64,
};

static const char *
policy_answer_text_of(yyjson_val *decision, const char *key)
{
	return yyjson_get_str(yyjson_obj_get(decision, key));
}

static void
policy_answer_add_value(struct w_buf *buf, const char *name, yyjson_val *value)
{
	W_AUTO_FREE char *text =
	    value != NULL ? yyjson_val_write(value, 0, NULL) : strdup("null");

	if (text != NULL)
		w_buf_add_fmt(buf, ",\"%s\":%s", name, text);
	else
		buf->failed = true;
}

static void
policy_answer_add_json(struct w_buf *buf, yyjson_val *decision, bool is_denied)
{
	yyjson_val *sandbox = yyjson_obj_get(decision, "sandbox");

	w_buf_add_char(buf, '{');
	w_json_add_text_member(
	    buf, "decision", policy_answer_text_of(decision, "decision"));
	policy_answer_add_value(
	    buf, "message", yyjson_obj_get(decision, "message"));
	policy_answer_add_value(buf, "rule", yyjson_obj_get(decision, "rule"));
	policy_answer_add_value(buf, "nearest_allowed",
	    yyjson_obj_get(decision, "nearest_allowed"));
	w_json_add_bool_member(buf, "needs_approval",
	    strcmp(policy_answer_text_of(decision, "decision"), "ask") == 0);
	if (!is_denied) {
		policy_answer_add_value(
		    buf, "effects", yyjson_obj_get(decision, "effects"));
		policy_answer_add_value(
		    buf, "sandbox", yyjson_obj_get(sandbox, "profile"));
		policy_answer_add_value(
		    buf, "network", yyjson_obj_get(sandbox, "network"));
	}
	w_buf_add_char(buf, '}');
}

void
w_mcp_policy_add_denial(struct w_buf *json, const char *details)
{
	const struct w_json_limits limits = {strlen(details), DEPTH_MAX};
	struct w_json *document = NULL;

	if (w_json_read(details, limits.bytes_max, &limits, &document, NULL) !=
	    WRIT_OK) {
		json->failed = true;
		return;
	}
	yyjson_val *decision =
	    yyjson_obj_get(w_json_root(document), "decision");
	w_buf_add_str(json, "{\"decision\":{");
	w_json_add_text_member(
	    json, "decision", policy_answer_text_of(decision, "decision"));
	policy_answer_add_value(
	    json, "message", yyjson_obj_get(decision, "message"));
	policy_answer_add_value(json, "nearest_allowed",
	    yyjson_obj_get(decision, "nearest_allowed"));
	w_buf_add_str(json, "}}");
	w_json_free(document);
}

static void
policy_answer_add_text(struct w_buf *buf, yyjson_val *decision)
{
	const char *message = policy_answer_text_of(decision, "message");
	const char *rule = policy_answer_text_of(decision, "rule");
	const char *nearest =
	    policy_answer_text_of(decision, "nearest_allowed");

	w_buf_add_str(buf, policy_answer_text_of(decision, "decision"));
	if (message != NULL)
		w_buf_add_fmt(buf, ": %s", message);
	if (rule != NULL)
		w_buf_add_fmt(buf, "\nrule: %s", rule);
	if (nearest != NULL)
		w_buf_add_fmt(buf, "\nwould be allowed: %s", nearest);
}

static writ_status
policy_answer_show(const char *json, size_t len, struct w_buf *out_json,
    struct w_buf *out_text, writ_error *err)
{
	const struct w_json_limits limits = {len, DEPTH_MAX};
	struct w_json *document = NULL;
	writ_status status = w_json_read(json, len, &limits, &document, err);

	if (status != WRIT_OK)
		return status;
	yyjson_val *root = w_json_root(document);
	const char *word = policy_answer_text_of(root, "decision");
	if (word == NULL) {
		w_json_free(document);
		return w_fail(err, WRIT_E_INTERNAL, "policy", 0,
		    "the decision does not say what it is");
	}
	policy_answer_add_json(out_json, root, strcmp(word, "deny") == 0);
	policy_answer_add_text(out_text, root);
	w_json_free(document);
	return out_json->failed || out_text->failed
		   ? w_fail_nomem(err, "policy")
		   : WRIT_OK;
}

writ_status
w_mcp_policy_add_answer(struct w_mcp *server, writ_request *request,
    struct w_buf *json, struct w_buf *text, writ_error *err)
{
	W_AUTO_FREE char *decision = NULL;
	size_t len = 0;

	request->agent = server->options.agent;
	request->session = server->session;
	writ_status status =
	    writ_decide(server->engine, request, &decision, &len, err);
	return status == WRIT_OK
		   ? policy_answer_show(decision, len, json, text, err)
		   : status;
}
