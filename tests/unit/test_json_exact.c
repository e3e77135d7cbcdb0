/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/json.h"

static void
numbers_keep_their_text(void **state)
{
	static const char text[] =
	    "[12345678901234567890123,1e999,1.10,-0,-0.5,1E2,"
	    "-1234567890123456789]";
	static const char *const texts[] = {"12345678901234567890123", "1e999",
	    "1.10", "-0", "-0.5", "1E2", "-1234567890123456789"};
	static const struct w_json_limits limits = {200, 2};
	struct w_json *json;

	(void)state;
	assert_int_equal(
	    w_json_read_exact(text, sizeof(text) - 1, &limits, &json, NULL),
	    WRIT_OK);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_string_equal(
		    yyjson_get_raw(yyjson_arr_get(w_json_root(json), i)),
		    texts[i]);
	w_json_free(json);
}

static void
plain_integers_are_numbers(void **state)
{
	static const char text[] = "{\"a\":[0,5,-7,999999999999999999]}";
	static const struct w_json_limits limits = {200, 3};
	struct w_json *json;

	(void)state;
	assert_int_equal(
	    w_json_read_exact(text, sizeof(text) - 1, &limits, &json, NULL),
	    WRIT_OK);
	yyjson_val *list = yyjson_obj_get(w_json_root(json), "a");
	assert_int_equal(yyjson_get_uint(yyjson_arr_get(list, 0)), 0);
	assert_true(yyjson_is_uint(yyjson_arr_get(list, 1)));
	assert_true(yyjson_is_sint(yyjson_arr_get(list, 2)));
	assert_int_equal(yyjson_get_sint(yyjson_arr_get(list, 2)), -7);
	assert_int_equal(
	    yyjson_get_uint(yyjson_arr_get(list, 3)), 999999999999999999);
	w_json_free(json);
	assert_int_equal(
	    w_json_read_exact("5", 1, &limits, &json, NULL), WRIT_OK);
	assert_int_equal(yyjson_get_uint(w_json_root(json)), 5);
	w_json_free(json);
	assert_int_equal(
	    w_json_read_exact("01", 2, &limits, &json, NULL), WRIT_E_INVALID);
	assert_int_equal(
	    w_json_read_exact("[1.]", 4, &limits, &json, NULL), WRIT_E_INVALID);
}

static void
blanks_between_tokens_go(void **state)
{
	static const char text[] =
	    " { \"a b\" :\t[ 1 ,\r\n\"\\\" \" , 1.10 ] } \n";
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 100);
	w_json_add_compact(&buf, text, sizeof(text) - 1);
	assert_string_equal(buf.data, "{\"a b\":[1,\"\\\" \",1.10]}");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(numbers_keep_their_text),
	    cmocka_unit_test(plain_integers_are_numbers),
	    cmocka_unit_test(blanks_between_tokens_go),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
