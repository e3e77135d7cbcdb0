/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressions.h"

static void
trees_are_copied(void **state)
{
	struct w_arena arena = {0};
	static const char *const texts[] = {"null", "true", "-5",
	    "9223372036854775807", "1.5", "\"a\"", "[]", "{}",
	    "[1,[2,{\"a\":{\"b\":\"c\"}}]]"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		W_AUTO_BUF struct w_buf buf;
		struct w_value value = expressing_json(&arena, texts[i]);

		w_buf_init(&buf, 1000);
		w_value_add_json(&buf, &value, false);
		assert_string_equal(buf.data, texts[i]);
	}
	w_arena_done(&arena);
}

static writ_status
read_value(const char *text, writ_error *err)
{
	static const struct w_json_limits limits = {1 << 20, 200};
	struct w_arena arena = {0};
	struct w_json *json;
	struct w_value value = {.kind = W_VALUE_BOOL};

	assert_int_equal(
	    w_json_read(text, strlen(text), &limits, &json, err), WRIT_OK);
	writ_status status =
	    w_value_from_json(&arena, w_json_root(json), &value, err);
	assert_int_equal(value.kind, W_VALUE_BOOL);
	w_json_free(json);
	w_arena_done(&arena);
	return status;
}

static void
what_cannot_be_a_value_is_refused(void **state)
{
	writ_error err;
	char deep[200];

	(void)state;
	assert_int_equal(read_value("[\"a\\u0000b\"]", &err), WRIT_E_INVALID);
	assert_string_equal(err.message, "a NUL byte cannot be in a text");
	assert_int_equal(read_value("{\"a\\u0000b\":1}", &err), WRIT_E_INVALID);
	assert_int_equal(
	    read_value("[18446744073709551615]", &err), WRIT_E_INVALID);
	assert_string_equal(
	    err.message, "the number 18446744073709551615 is too large");
	memset(deep, '[', 65);
	memset(deep + 65, ']', 65);
	deep[130] = '\0';
	assert_int_equal(read_value(deep, &err), WRIT_E_INVALID);
	assert_string_equal(err.message, "nested more than 64 levels deep");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(trees_are_copied),
	    cmocka_unit_test(what_cannot_be_a_value_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
