/* SPDX-License-Identifier: Apache-2.0 */

/* Signed tokens, and digests of calls. */

#include "mcp/approval/signed_token.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define TEXT_LEN 140

static struct w_mcp_token_signer signer;

static const struct w_mcp_token plain = {
    .approval = "0123456789abcdef",
    .call = {1, 2, 255},
    .until_ms = UINT64_C(0x0102030405060708),
    .nonce = {9, 8, 7},
};

static int
set_up(void **state)
{
	(void)state;
	assert_true(w_mcp_token_signer_init(&signer));
	return 0;
}

static void
seal(const struct w_mcp_token_signer *by, char out[TEXT_LEN + 1])
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 256);
	w_mcp_token_add(&buf, by, &plain);
	assert_false(buf.failed);
	assert_int_equal(buf.len, TEXT_LEN);
	memcpy(out, buf.data, TEXT_LEN + 1);
}

static bool
opens(const char *text, size_t len)
{
	struct w_mcp_token token;

	return w_mcp_token_verify(&signer, text, len, &token);
}

static void
what_was_sealed_comes_back(void **state)
{
	char text[TEXT_LEN + 1];
	struct w_mcp_token token;

	(void)state;
	seal(&signer, text);
	assert_int_equal(strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "abcdefghijklmnopqrstuvwxyz0123456789-_"),
	    TEXT_LEN);
	assert_true(w_mcp_token_verify(&signer, text, TEXT_LEN, &token));
	assert_string_equal(token.approval, plain.approval);
	assert_memory_equal(token.call, plain.call, sizeof(plain.call));
	assert_true(token.until_ms == plain.until_ms);
	assert_memory_equal(token.nonce, plain.nonce, sizeof(plain.nonce));
}

static void
every_changed_bit_breaks_the_seal(void **state)
{
	char text[TEXT_LEN + 1];
	struct w_mcp_token token = {.until_ms = 42};

	(void)state;
	seal(&signer, text);
	for (size_t i = 0; i < TEXT_LEN; i++) {
		const char was = text[i];

		for (unsigned byte = 0; byte < 256; byte++) {
			text[i] = (char)byte;
			if (text[i] != was)
				assert_false(w_mcp_token_verify(
				    &signer, text, TEXT_LEN, &token));
		}
		text[i] = was;
	}
	assert_true(token.until_ms == 42);
	assert_true(opens(text, TEXT_LEN));
}

static void
another_length_is_no_seal(void **state)
{
	char text[TEXT_LEN + 8] = "";

	(void)state;
	seal(&signer, text);
	for (size_t len = 0; len < TEXT_LEN + 4; len++)
		assert_int_equal(opens(text, len), len == TEXT_LEN);
	memcpy(text + TEXT_LEN, "====", 5);
	assert_false(opens(text, TEXT_LEN + 4));
}

static void
another_key_is_another_seal(void **state)
{
	struct w_mcp_token_signer other;
	char text[TEXT_LEN + 1];

	(void)state;
	assert_true(w_mcp_token_signer_init(&other));
	seal(&other, text);
	assert_false(opens(text, TEXT_LEN));
}

static void
numbers_that_are_used_once_differ(void **state)
{
	uint8_t one[W_MCP_TOKEN_NONCE];
	uint8_t other[W_MCP_TOKEN_NONCE];

	(void)state;
	assert_true(w_mcp_token_nonce(one));
	assert_true(w_mcp_token_nonce(other));
	assert_memory_not_equal(one, other, sizeof(one));
}

/* ---- digests ---- */

static void
sum(const char *method, const char *json, uint8_t out[W_SHA256_SIZE])
{
	yyjson_doc *doc = yyjson_read(json, strlen(json), 0);

	assert_non_null(doc);
	assert_true(w_tool_call_digest(method, yyjson_doc_get_root(doc), out));
	yyjson_doc_free(doc);
}

static bool
is_same(const char *one, const char *other)
{
	uint8_t a[W_SHA256_SIZE];
	uint8_t b[W_SHA256_SIZE];

	sum("tools/call", one, a);
	sum("tools/call", other, b);
	return memcmp(a, b, sizeof(a)) == 0;
}

static void
the_order_of_members_does_not_matter(void **state)
{
	(void)state;
	assert_true(is_same("{\"a\":1,\"b\":{\"c\":[1,2],\"d\":null}}",
	    "{\"b\":{\"d\":null,\"c\":[1,2]},\"a\":1}"));
	assert_true(is_same("{\"a\":1,\"ab\":2}", "{\"ab\":2,\"a\":1}"));
}

static void
what_is_only_there_to_answer_does_not_count(void **state)
{
	(void)state;
	assert_true(is_same("{\"name\":\"exec\"}",
	    "{\"_meta\":{\"x\":1},\"inputResponses\":{},\"name\":\"exec\","
	    "\"requestState\":\"s\"}"));
	assert_false(is_same("{\"arguments\":{}}",
	    "{\"arguments\":{\"requestState\":\"s\",\"_meta\":1}}"));
}

static void
different_calls_differ(void **state)
{
	static const char *const all[] = {
	    "{}",
	    "{\"a\":1}",
	    "{\"a\":\"1\"}",
	    "{\"a\":-1}",
	    "{\"a\":1.0}",
	    "{\"a\":true}",
	    "{\"a\":false}",
	    "{\"a\":null}",
	    "{\"a\":[]}",
	    "{\"a\":{}}",
	    "{\"a\":[1]}",
	    "{\"a\":[[1]]}",
	    "{\"a\":[\"xy\"]}",
	    "{\"a\":[\"x\",\"y\"]}",
	    "{\"a\":[\"y\",\"x\"]}",
	    "{\"a\":[\"xy\",\"\"]}",
	    "{\"a\":[\"\",\"xy\"]}",
	    "{\"a\":\"x\\u0000y\"}",
	    "{\"a\":\"x\"}",
	    "{\"ax\":\"\"}",
	    "{\"a\":1,\"b\":2}",
	    "{\"a\":{\"b\":2}}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		for (size_t j = 0; j < sizeof(all) / sizeof(all[0]); j++)
			assert_int_equal(is_same(all[i], all[j]), i == j);
	}
}

static void
another_method_is_another_call(void **state)
{
	uint8_t one[W_SHA256_SIZE];
	uint8_t other[W_SHA256_SIZE];

	(void)state;
	sum("tools/call", "{}", one);
	sum("tools/cal", "{}", other);
	assert_memory_not_equal(one, other, sizeof(one));
	assert_true(w_tool_call_digest("tools/call", NULL, other));
	assert_memory_not_equal(one, other, sizeof(one));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_was_sealed_comes_back),
	    cmocka_unit_test(every_changed_bit_breaks_the_seal),
	    cmocka_unit_test(another_length_is_no_seal),
	    cmocka_unit_test(another_key_is_another_seal),
	    cmocka_unit_test(numbers_that_are_used_once_differ),
	    cmocka_unit_test(the_order_of_members_does_not_matter),
	    cmocka_unit_test(what_is_only_there_to_answer_does_not_count),
	    cmocka_unit_test(different_calls_differ),
	    cmocka_unit_test(another_method_is_another_call),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
