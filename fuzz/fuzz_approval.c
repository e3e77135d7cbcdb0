/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Files of the queue and of grants: whatever they hold, reading them ends;
 * what was not sealed under the key is not believed; what was is either refused
 * or read back as JSON that can be shown. And rules that people type.
 */

#include "data/json.h"
#include "engine/approval/approval.h"
#include "engine/approval/grant.h"

#include "check.h"

#define ID   "0123456789abcdef"
#define NAME ID ".json"

static struct w_hmac_key key;

static void
check_json(const struct w_buf *text)
{
	const struct w_json_limits limits = {
	    .bytes_max = 2 * W_APPROVAL_FILE_MAX, .depth_max = 128};
	struct w_json *json;

	CHECK(!text->failed);
	CHECK(w_json_read(text->data, text->len, &limits, &json, NULL) ==
	      WRIT_OK);
	w_json_free(json);
}

static struct w_json *
parse(const char *kind, const uint8_t *data, size_t size)
{
	W_AUTO_BUF struct w_buf file;
	struct w_json *json = NULL;

	w_buf_init(&file, W_APPROVAL_FILE_MAX);
	w_approval_file_begin(&file, kind, ID);
	w_buf_add_char(&file, ',');
	w_buf_add(&file, data, size);
	w_approval_file_end(&key, &file);
	CHECK(!file.failed);
	if (w_approval_file_parse(
		&key, file.data, file.len, NAME, kind, &json, NULL) != WRIT_OK)
		return NULL;
	return json;
}

static void
check_question(const uint8_t *data, size_t size)
{
	struct w_approval item = {
	    .id = ID, .question = parse("question", data, size)};
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, 2 * W_APPROVAL_FILE_MAX);
	if (item.question != NULL &&
	    w_approval_parse_question(&item, w_json_root(item.question))) {
		CHECK(item.request_hash != NULL);
		w_approval_add_json(&text, &item);
		check_json(&text);
	}
	w_approval_done(&item);
}

static void
check_answer(const uint8_t *data, size_t size)
{
	struct w_json *json = parse("answer", data, size);
	struct w_reply reply;

	if (json != NULL &&
	    w_approval_parse_answer(&reply, w_json_root(json))) {
		CHECK(!(reply.is_approved && reply.is_withdrawn));
		CHECK(w_approval_scope_word(reply.scope) != NULL);
		CHECK(reply.by.pid >= 0);
	}
	w_json_free(json);
}

static void
check_grant(const uint8_t *data, size_t size)
{
	struct w_grant_file file = {.json = parse("grant", data, size)};

	if (file.json != NULL && w_grant_parse(&file, w_json_root(file.json))) {
		CHECK(file.scope != WRIT_SCOPE_ONCE);
		CHECK((file.rule != NULL) == (file.scope == WRIT_SCOPE_SHAPE));
	}
	w_grant_done(&file);
}

static void
check_rule(const uint8_t *data, size_t size)
{
	const struct w_rule *rule;
	struct w_policy *policy;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, size + 1);
	w_buf_add(&text, data, size);
	if (w_grant_rule_read(text.data, &policy, &rule, NULL) != WRIT_OK)
		return;
	CHECK(rule->verdict == W_ALLOW && rule->kind == W_RULE_PLAIN);
	w_policy_free(policy);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct w_json *json;

	w_hmac_key_init(&key, "0123456789abcdef0123456789abcdef", 32);
	CHECK(w_approval_file_parse(&key, (const char *)data, size, NAME,
		  "question", &json, NULL) != WRIT_OK);
	check_question(data, size);
	check_answer(data, size);
	check_grant(data, size);
	check_rule(data, size);
	return 0;
}
