/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "data/json_place.h"

static const char text[] = "{\n"
			   "  \"a\\\"\\\\\": [1, -2.5e3,true , null],\n"
			   "\t\"b\": {\"\": \"x]\", \"c\":{}}, \"\u00e9\":[]\n"
			   "}\n";

static const char *
place_of(yyjson_doc *doc, yyjson_val *val)
{
	static char place[32];
	unsigned line = 0;
	unsigned column = 0;

	if (!w_json_find_place(text, strlen(text), yyjson_doc_get_root(doc),
		val, &line, &column))
		return "none";
	(void)snprintf(place, sizeof(place), "%u:%u", line, column);
	return place;
}

static void
every_kind_of_value_has_its_place(void **state)
{
	(void)state;
	yyjson_doc *doc = yyjson_read(text, strlen(text), 0);
	yyjson_val *root = yyjson_doc_get_root(doc);
	yyjson_val *list = yyjson_obj_get(root, "a\"\\");
	yyjson_val *map = yyjson_obj_get(root, "b");
	yyjson_obj_iter keys = yyjson_obj_iter_with(root);

	assert_non_null(doc);
	assert_string_equal(place_of(doc, root), "1:1");
	assert_string_equal(place_of(doc, yyjson_obj_iter_next(&keys)), "2:3");
	assert_string_equal(place_of(doc, yyjson_obj_iter_next(&keys)), "3:2");
	assert_string_equal(place_of(doc, list), "2:12");
	assert_string_equal(place_of(doc, yyjson_arr_get(list, 0)), "2:13");
	assert_string_equal(place_of(doc, yyjson_arr_get(list, 1)), "2:16");
	assert_string_equal(place_of(doc, yyjson_arr_get(list, 2)), "2:23");
	assert_string_equal(place_of(doc, yyjson_arr_get(list, 3)), "2:30");
	assert_string_equal(place_of(doc, map), "3:7");
	assert_string_equal(place_of(doc, yyjson_obj_get(map, "")), "3:12");
	assert_string_equal(place_of(doc, yyjson_obj_get(map, "c")), "3:22");
	assert_string_equal(
	    place_of(doc, yyjson_obj_get(root, "\u00e9")), "3:32");
	yyjson_doc_free(doc);
}

static void
values_of_elsewhere_have_none(void **state)
{
	(void)state;
	yyjson_doc *doc = yyjson_read(text, strlen(text), 0);
	yyjson_val *root = yyjson_doc_get_root(doc);

	assert_string_equal(place_of(doc, NULL), "none");
	assert_string_equal(place_of(doc, root + 14), "3:32");
	assert_string_equal(place_of(doc, root + 15), "none");
	assert_string_equal(place_of(doc, root + 5000), "none");
	yyjson_doc_free(doc);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_kind_of_value_has_its_place),
	    cmocka_unit_test(values_of_elsewhere_have_none),
	};
	return cmocka_run_group_tests_name("json_place", tests, NULL, NULL);
}
