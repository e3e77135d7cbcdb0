/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressions.h"

static void
texts_are_what_templates_show(void **state)
{
	static const struct {
		const char *json;
		const char *text;
	} cases[] = {
	    {"null", ""},
	    {"true", "true"},
	    {"false", "false"},
	    {"-5", "-5"},
	    {"5.0", "5"},
	    {"0.1", "0.1"},
	    {"1e100", "1e+100"},
	    {"0.30000000000000004", "0.30000000000000004"},
	    {"\"a \\\"b\\\"\"", "a \"b\""},
	    {"[1,\"a\",null]", "[1,\"a\",null]"},
	    {"{\"a\":1.0}", "{\"a\":1.0}"},
	};
	struct w_arena arena = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		W_AUTO_BUF struct w_buf buf;
		struct w_value value = expressing_json(&arena, cases[i].json);

		w_buf_init(&buf, 1000);
		w_value_add_text(&buf, &value);
		assert_string_equal(buf.data, cases[i].text);
	}
	w_arena_done(&arena);
}

static void
any_bytes_become_valid_json(void **state)
{
	W_AUTO_BUF struct w_buf buf;
	struct w_value_member member = {
	    .name = "a\xff", .len = 2, .value = w_value_text("b\xfe", 2)};
	struct w_value map = {
	    .kind = W_VALUE_MAP, .as.map = {.members = &member, .count = 1}};
	struct w_arena arena = {0};

	(void)state;
	w_buf_init(&buf, 1000);
	w_value_add_json(&buf, &map, false);
	assert_int_equal(expressing_json(&arena, buf.data).kind, W_VALUE_MAP);
	w_arena_done(&arena);
}

static void
secrets_are_shown_only_when_asked_for(void **state)
{
	W_AUTO_BUF struct w_buf buf;
	struct w_value secret = w_value_text("hunter2", 7);

	(void)state;
	secret.is_secret = true;
	w_buf_init(&buf, 1000);
	w_value_add_json(&buf, &secret, false);
	w_value_add_json(&buf, &secret, true);
	w_value_add_text(&buf, &secret);
	assert_string_equal(buf.data, "\"(sensitive)\"\"hunter2\"hunter2");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(texts_are_what_templates_show),
	    cmocka_unit_test(any_bytes_become_valid_json),
	    cmocka_unit_test(secrets_are_shown_only_when_asked_for),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
