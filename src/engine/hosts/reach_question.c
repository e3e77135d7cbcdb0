/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The question about one host, in the form of any other: the request is that of
 * the run, with the host in it, and the decision says why.
 */

#include "engine/hosts/reach_question.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/encode.h"
#include "data/json.h"
#include "engine/approval/approvals.h"
#include "policy/policy.h"

#define STAGE    "hosts"
#define TEXT_MAX ((size_t)16 << 20)
#define RULE_MAX 1024
#define MS_PER_S 1000

/* The relay reads the name from bytes of the run: only what can be a name is
 * shown and remembered. */
static bool
is_plain(const char *name)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789.-_";

	return name[0] != '\0' && name[strspn(name, plain)] == '\0';
}

static void
add_request(struct w_buf *buf, const char *request, const char *host)
{
	w_buf_add_str(buf, "{\"" W_REACH_QUESTION_KEY "\":");
	w_json_add_text(buf, host);
	w_buf_add_str(buf, request[1] == '}' ? "" : ",");
	w_buf_add_str(buf, request + 1);
}

static void
add_decision(
    struct w_buf *buf, const char *name, const char *host, const char *rule)
{
	W_AUTO_BUF struct w_buf message;

	w_buf_init(&message, RULE_MAX * 2);
	w_buf_add_fmt(&message, "it is running, and connects to '%s' (", host);
	if (rule[0] == '\0')
		w_buf_add_str(&message, "nobody has agreed to this host yet)");
	else
		w_buf_add_fmt(&message, "%.*s)",
		    (int)w_utf8_trim_end(rule, strlen(rule)), rule);
	w_buf_add_str(buf, "{\"decision\":\"ask\"");
	w_json_add_text_member(buf, "message", message.data);
	w_buf_add_str(buf, ",\"effects\":[\"net\"],\"hosts\":[{");
	w_buf_add_str(buf, "\"host\":");
	w_json_add_text(buf, name);
	w_buf_add_str(buf, "}]}");
	buf->failed = buf->failed || message.failed;
}

writ_status
w_reach_question_put(writ_engine *engine, const struct w_reach *scope,
    const char *name, uint16_t port, const char *rule, uint64_t timeout_ms,
    char out_id[WRIT_APPROVAL_ID_LEN + 1], writ_error *err)
{
	char host[W_REACH_QUESTION_TEXT], allow[RULE_MAX];
	char hash[W_SHA256_HEX + 1];
	W_AUTO_BUF struct w_buf request;
	W_AUTO_BUF struct w_buf decision;

	if (!is_plain(name) || scope->request == NULL)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "nobody can be asked about this host");
	(void)snprintf(host, sizeof(host), "%s:%u", name, port);
	(void)snprintf(allow, sizeof(allow),
	    "allow: { host: \"%s\", network: hosts }", name);
	w_reach_hash(name, hash);
	w_buf_init(&request, TEXT_MAX);
	w_buf_init(&decision, TEXT_MAX);
	add_request(&request, scope->request, host);
	add_decision(&decision, name, host, rule);
	if (request.failed || decision.failed)
		return w_fail_nomem(err, STAGE);
	const struct w_question question = {
	    .request_json = request.data,
	    .decision_json = decision.data,
	    .rule = allow,
	    .project = scope->project,
	    .request_hash = hash,
	    .agent =
		scope->agent != NULL ? scope->agent : W_POLICY_DEFAULT_AGENT,
	    .session = scope->session,
	    .door = engine->door,
	    .timeout_ms = timeout_ms,
	};
	return w_engine_put_question(engine, &question, out_id, err);
}

writ_status
w_reach_question_look(writ_engine *engine, const struct w_reach *scope,
    const char *name, const char *id)
{
	char hash[W_SHA256_HEX + 1];
	writ_error unseen;

	w_reach_hash(name, hash);
	const struct w_grant_query query = {
	    .agent =
		scope->agent != NULL ? scope->agent : W_POLICY_DEFAULT_AGENT,
	    .session = scope->session,
	    .request_hash = hash,
	    .project = scope->project,
	    .now_ms = (uint64_t)time(NULL) * MS_PER_S,
	};
	return w_approval_use(w_engine_state_dir(engine), id, &query, &unseen);
}
