/* SPDX-License-Identifier: Apache-2.0 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <yyjson.h>

#include "module/registry/curated.h"

static void
programs_are_in_the_order_of_their_names(void **state)
{
	(void)state;
	assert_true(w_curated_count() >= 2);
	for (size_t i = 1; i < w_curated_count(); i++)
		assert_true(
		    strcmp(w_curated_at(i - 1).name, w_curated_at(i).name) < 0);
}

static void
each_is_found_by_its_names_and_says_them(void **state)
{
	(void)state;
	for (size_t i = 0; i < w_curated_count(); i++) {
		const struct w_curated curated = w_curated_at(i);
		yyjson_doc *doc = yyjson_read(curated.json, curated.len, 0);
		yyjson_val *root = yyjson_doc_get_root(doc);
		struct w_curated found;
		size_t at;
		size_t count;
		yyjson_val *also;

		assert_non_null(doc);
		assert_string_equal(
		    yyjson_get_str(yyjson_obj_get(root, "command")),
		    curated.name);
		assert_true(
		    w_curated_find(curated.name, strlen(curated.name), &found));
		assert_ptr_equal(found.json, curated.json);
		yyjson_arr_foreach(
		    yyjson_obj_get(root, "also"), at, count, also)
		{
			const char *name = yyjson_get_str(also);

			assert_true(w_curated_find(name, strlen(name), &found));
			assert_ptr_equal(found.json, curated.json);
		}
		yyjson_doc_free(doc);
	}
}

static void
nothing_else_is_found(void **state)
{
	struct w_curated found = {.name = "untouched"};

	(void)state;
	assert_false(w_curated_find("", 0, &found));
	assert_false(w_curated_find("w", 1, &found));
	assert_false(w_curated_find("wc\0x", 4, &found));
	assert_false(w_curated_find("wcx", 3, &found));
	assert_false(w_curated_find("Wc", 2, &found));
	assert_false(w_curated_find("\xff\xff", 2, &found));
	assert_false(w_curated_find("!", 1, &found));
	assert_string_equal(found.name, "untouched");
	assert_true(w_curated_find("wcx", 2, &found));
	assert_string_equal(found.name, "wc");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(programs_are_in_the_order_of_their_names),
	    cmocka_unit_test(each_is_found_by_its_names_and_says_them),
	    cmocka_unit_test(nothing_else_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
