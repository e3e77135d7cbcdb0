/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <yyjson.h>

#include "engine/result/result_sandbox.h"

static const writ_output nothing = {.head = "", .tail = ""};

static writ_result
confined(void)
{
	static const char *const layers[] = {"landlock", "seccomp", NULL};
	static const char *const none[] = {NULL};

	return (writ_result){
	    .run_id = "x",
	    .out = {nothing, nothing},
	    .sandbox = "workspace",
	    .network = "off",
	    .session = "one",
	    .tmp = "disk",
	    .tmp_by = "sampling",
	    .layers = layers,
	    .missing = none,
	    .created = none,
	};
}

static char *
json_of(const writ_result *result)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 6 * w_result_sandbox_max(result));
	w_result_sandbox_add(&buf, result);
	char *json = w_buf_take(&buf, NULL);
	assert_non_null(json);
	return json;
}

static void
a_sandbox_has_every_key_in_order(void **state)
{
	const writ_result result = confined();

	(void)state;
	char *json = json_of(&result);
	assert_string_equal(json,
	    ",\"sandbox\":{\"profile\":\"workspace\",\"network\":\"off\","
	    "\"session\":\"one\",\"tmp\":\"disk\",\"tmp_by\":\"sampling\","
	    "\"layers\":[\"landlock\",\"seccomp\"],\"missing\":[],"
	    "\"created\":[],\"denials\":[]},\"denials\":[],\"triggers\":[]");
	free(json);
}

static void
denials_have_every_key_and_any_bytes(void **state)
{
	static const char *const missing[] = {"userns", NULL};
	static const char *const created[] = {"/w/.git/hooks", "/\xff", NULL};
	const writ_denial denials[] = {
	    {"landlock", "openat", "write", "/etc/\"x", "write: [/etc]", 2},
	    {"mountns", "openat", "write", "/\xff", NULL, 1},
	    {.what = "more", .count = 7},
	};
	const writ_trigger triggers[] = {
	    {"/w/.envrc", "direnv runs it"}, {.why = "more"}};
	writ_result result = confined();

	(void)state;
	result.missing = missing;
	result.created = created;
	result.denials = denials;
	result.denial_count = 3;
	result.triggers = triggers;
	result.trigger_count = 2;
	char *json = json_of(&result);
	assert_string_equal(strstr(json, "\"missing\""),
	    "\"missing\":[\"userns\"],"
	    "\"created\":[\"/w/.git/hooks\",{\"b64\":\"L/8=\"}],"
	    "\"denials\":[{\"layer\":\"landlock\",\"call\":\"openat\","
	    "\"what\":\"write\",\"path\":\"/etc/\\\"x\","
	    "\"hint\":\"write: [/etc]\",\"count\":2},"
	    "{\"layer\":\"mountns\",\"call\":\"openat\","
	    "\"what\":\"write\",\"path\":{\"b64\":\"L/8=\"},"
	    "\"hint\":null,\"count\":1},"
	    "{\"layer\":null,\"call\":null,\"what\":\"more\","
	    "\"path\":null,\"hint\":null,\"count\":7}]},\"denials\":[],"
	    "\"triggers\":["
	    "{\"path\":\"/w/.envrc\",\"why\":\"direnv runs it\"},"
	    "{\"path\":null,\"why\":\"more\"}]");
	free(json);
}

static void
the_worst_denials_still_fit_a_result(void **state)
{
	static char path[4096];
	writ_denial denials[64];
	writ_result result = confined();
	char *json;
	size_t len;

	(void)state;
	memset(path, 1, sizeof(path) - 1);
	for (size_t i = 0; i < 64; i++)
		denials[i] = (writ_denial){
		    "seccomp", "openat", "write", path, path, UINT32_MAX};
	result.denials = denials;
	result.denial_count = 64;
	assert_int_equal(writ_result_json(&result, &json, &len, NULL), WRIT_OK);
	yyjson_doc *doc = yyjson_read(json, len, YYJSON_READ_NOFLAG);
	assert_non_null(doc);
	assert_int_equal(
	    yyjson_arr_size(yyjson_doc_ptr_get(doc, "/sandbox/denials")), 64);
	yyjson_doc_free(doc);
	free(json);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_sandbox_has_every_key_in_order),
	    cmocka_unit_test(denials_have_every_key_and_any_bytes),
	    cmocka_unit_test(the_worst_denials_still_fit_a_result),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
