/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/json.h"

static void
numbers_beyond_64_bits_keep_their_text(void **state)
{
	static const char text[] = "[12345678901234567890123,1,1e999,-5]";
	static const struct w_json_limits limits = {100, 2};
	struct w_json *json;

	(void)state;
	assert_int_equal(
	    w_json_read_exact(text, sizeof(text) - 1, &limits, &json, NULL),
	    WRIT_OK);
	yyjson_val *root = w_json_root(json);
	assert_string_equal(
	    yyjson_get_raw(yyjson_arr_get(root, 0)), "12345678901234567890123");
	assert_true(yyjson_is_uint(yyjson_arr_get(root, 1)));
	assert_string_equal(yyjson_get_raw(yyjson_arr_get(root, 2)), "1e999");
	assert_true(yyjson_is_sint(yyjson_arr_get(root, 3)));
	w_json_free(json);
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
	    cmocka_unit_test(numbers_beyond_64_bits_keep_their_text),
	    cmocka_unit_test(blanks_between_tokens_go),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
