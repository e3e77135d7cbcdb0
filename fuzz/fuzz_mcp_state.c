/* SPDX-License-Identifier: Apache-2.0 */

/* What a client brings back for a question: a sealed state, an answer; what a
 * person sees of a question; and names of resources. */

#include "mcp/approval/elicitation.h"
#include "mcp/approval/signed_token.h"
#include "mcp/resources/resource_uri.h"

#include "check.h"
#include "data/json.h"

#define FORM_MAX ((size_t)1 << 20)

/* A key that is always the same, so that a stored state stays in order. */
static const struct w_mcp_token_signer *
signer(void)
{
	static struct w_mcp_token_signer fixed;
	static bool is_made;

	if (!is_made)
		w_hmac_key_init(&fixed.key, "fuzz", 4);
	is_made = true;
	return &fixed;
}

static void
check_state(const char *text, size_t len)
{
	struct w_mcp_token token;
	W_AUTO_BUF struct w_buf again;

	w_buf_init(&again, 256);
	if (!w_mcp_token_verify(signer(), text, len, &token))
		return;
	w_mcp_token_add(&again, signer(), &token);
	CHECK(again.len == len && memcmp(again.data, text, len) == 0);
}

static void
check_sealing(const uint8_t *data, size_t size)
{
	struct w_mcp_token token = {.until_ms = size};
	struct w_mcp_token opened;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, 256);
	memset(token.approval, 'a', WRIT_APPROVAL_ID_LEN);
	memcpy(token.call, data,
	    size < sizeof(token.call) ? size : sizeof(token.call));
	w_mcp_token_add(&text, signer(), &token);
	CHECK(w_mcp_token_verify(signer(), text.data, text.len, &opened));
	CHECK(memcmp(&token, &opened, sizeof(token)) == 0);
	text.data[size % text.len] ^= 1;
	CHECK(!w_mcp_token_verify(signer(), text.data, text.len, &opened));
}

static void
check_uri(const char *text, size_t len)
{
	struct w_mcp_resource resource;

	if (!w_mcp_resource_parse_uri(text, len, &resource))
		return;
	CHECK(len <= W_MCP_RESOURCE_URI_MAX && memchr(text, '\0', len) == NULL);
	CHECK(strlen(resource.run) == 0 || strlen(resource.run) == 26);
	CHECK(resource.run[0] == '\0' || strstr(text, resource.run) != NULL);
}

static void
check_answer(yyjson_val *result)
{
	struct w_elicitation_answer answer;
	yyjson_val *said = yyjson_ptr_get(result, "/content/decision");

	w_elicitation_read(result, false, &answer);
	check_line(answer.note, sizeof(answer.note));
	CHECK(!answer.is_approved ||
	      (yyjson_equals_str(yyjson_obj_get(result, "action"), "accept") &&
		  (yyjson_equals_str(said, "once") ||
		      yyjson_equals_str(said, "session"))));
	CHECK(answer.scope == WRIT_SCOPE_ONCE ||
	      answer.scope == WRIT_SCOPE_SESSION);
}

/* Whatever a request is made of, the text has no more lines than were put. */
static void
check_form(yyjson_val *question)
{
	struct w_json *json = NULL;
	const struct w_json_limits limits = {
	    .bytes_max = FORM_MAX, .depth_max = 8};
	W_AUTO_BUF struct w_buf form;

	w_buf_init(&form, FORM_MAX);
	w_buf_add_char(&form, '{');
	w_elicitation_add(&form, question, form.len % 2 == 0, false);
	w_buf_add_char(&form, '}');
	if (form.failed)
		return;
	CHECK(
	    w_json_read(form.data, form.len, &limits, &json, NULL) == WRIT_OK);
	yyjson_val *text = yyjson_obj_get(w_json_root(json), "message");
	CHECK(yyjson_get_len(text) <= W_ELICITATION_TEXT_MAX);
	for (const char *c = yyjson_get_str(text); *c != '\0'; c++)
		CHECK(*c == '\n' || ((unsigned char)*c >= 0x20 && *c != 0x7f));
	w_json_free(json);
}

/* The same when it is written anew. */
static void
check_call(yyjson_val *params, size_t size)
{
	const struct w_json_limits limits = {
	    .bytes_max = size * 8 + 64, .depth_max = 64};
	uint8_t sum[W_SHA256_SIZE];
	uint8_t again[W_SHA256_SIZE];
	struct w_json *json = NULL;
	size_t len = 0;
	char *text = yyjson_val_write(params, YYJSON_WRITE_PRETTY, &len);

	if (text == NULL)
		return;
	CHECK(w_tool_call_digest("tools/call", params, sum));
	if (w_json_read(text, len, &limits, &json, NULL) == WRIT_OK) {
		CHECK(
		    w_tool_call_digest("tools/call", w_json_root(json), again));
		CHECK(memcmp(sum, again, sizeof(sum)) == 0);
		w_json_free(json);
	}
	free(text);
}

static void
check_document(const char *text, size_t size)
{
	const struct w_json_limits limits = {
	    .bytes_max = size, .depth_max = 60};
	struct w_json *json = NULL;

	if (w_json_read(text, size, &limits, &json, NULL) != WRIT_OK)
		return;
	yyjson_val *root = w_json_root(json);
	yyjson_val *state = yyjson_obj_get(root, "requestState");
	yyjson_val *uri = yyjson_obj_get(root, "uri");
	if (yyjson_is_str(state))
		check_state(yyjson_get_str(state), yyjson_get_len(state));
	if (yyjson_is_str(uri))
		check_uri(yyjson_get_str(uri), yyjson_get_len(uri));
	check_answer(root);
	check_answer(yyjson_ptr_get(root, "/inputResponses/approval"));
	check_form(root);
	check_call(root, size);
	w_json_free(json);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 65536)
		return 0;
	char *text = copy_exact(data, size);
	check_state(text, size);
	check_sealing(data, size);
	check_document(text, size);
	free(text);
	char *line = copy_string(data, size);
	check_uri(line, size);
	free(line);
	return 0;
}
