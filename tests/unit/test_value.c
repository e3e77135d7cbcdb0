/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressions.h"

static void
check_json(const struct w_value *value, bool shows_secrets, const char *want)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 1 << 16);
	w_value_add_json(&buf, value, shows_secrets);
	assert_false(buf.failed);
	assert_string_equal(buf.data, want);
}

static void
members_of_large_and_small_maps_are_found(void **state)
{
	struct w_arena arena = {0};

	(void)state;
	for (int count = 0; count < 40; count++) {
		W_AUTO_BUF struct w_buf json;

		w_buf_init(&json, 1 << 16);
		w_buf_add_char(&json, '{');
		for (int i = 0; i < count; i++)
			w_buf_add_fmt(&json, "%s\"k%d\":%d", i > 0 ? "," : "",
			    i * 37 % 41, i);
		w_buf_add_char(&json, '}');
		struct w_value map = expressing_json(&arena, json.data);
		assert_int_equal(map.kind, W_VALUE_MAP);
		for (int i = 0; i < count; i++) {
			char name[8];
			int len =
			    snprintf(name, sizeof(name), "k%d", i * 37 % 41);
			const struct w_value *found =
			    w_value_member(&map, name, (size_t)len);

			assert_non_null(found);
			assert_int_equal(found->as.integer, i);
		}
		assert_null(w_value_member(&map, "k99", 3));
		assert_null(w_value_member(&map, "", 0));
	}
	struct w_value text = w_value_text("a", 1);
	assert_null(w_value_member(&text, "a", 1));
	w_arena_done(&arena);
}

static void
a_hidden_value_is_hidden_in_all_its_parts(void **state)
{
	struct w_arena arena = {0};
	struct w_value value =
	    expressing_json(&arena, "{\"a\":[1,{\"b\":\"c\"}],\"d\":null}");
	struct w_value hidden;

	(void)state;
	assert_false(w_value_has_secret(&value));
	assert_int_equal(w_value_hide(&arena, &value, &hidden, NULL), WRIT_OK);
	assert_true(w_value_has_secret(&hidden));
	assert_false(w_value_has_secret(&value));
	const struct w_value *a = w_value_member(&hidden, "a", 1);
	assert_true(a->is_secret);
	assert_true(a->as.list.items[1].is_secret);
	assert_true(w_value_member(&a->as.list.items[1], "b", 1)->is_secret);
	check_json(&hidden, false, "\"(sensitive)\"");
	check_json(&hidden, true, "{\"a\":[1,{\"b\":\"c\"}],\"d\":null}");
	w_arena_done(&arena);
}

static void
a_secret_is_found_deep_inside(void **state)
{
	struct w_value secret = w_value_text("x", 1);
	struct w_value items[2] = {w_value_text("a", 1), secret};
	struct w_value list = {
	    .kind = W_VALUE_LIST, .as.list = {.items = items, .count = 2}};
	struct w_value_member member = {.name = "m", .len = 1, .value = list};
	struct w_value map = {
	    .kind = W_VALUE_MAP, .as.map = {.members = &member, .count = 1}};

	(void)state;
	assert_false(w_value_has_secret(&map));
	items[1].is_secret = true;
	assert_true(w_value_has_secret(&map));
	assert_false(map.is_secret);
	check_json(&map, false, "{\"m\":[\"a\",\"(sensitive)\"]}");
}

static void
kinds_have_words(void **state)
{
	(void)state;
	assert_string_equal(w_value_kind_words(W_VALUE_NULL), "null");
	assert_string_equal(w_value_kind_words(W_VALUE_MAP), "a map");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(members_of_large_and_small_maps_are_found),
	    cmocka_unit_test(a_hidden_value_is_hidden_in_all_its_parts),
	    cmocka_unit_test(a_secret_is_found_deep_inside),
	    cmocka_unit_test(kinds_have_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
