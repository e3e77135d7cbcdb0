/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "templating.h"

/* Parses and renders a tree, and frees the tree before checking the value. */
static void
fill_tree(const char *text, struct w_buf *out)
{
	static const struct w_json_limits limits = {1 << 20, 200};
	struct expressing scene;
	struct w_json *json;
	struct w_value value;
	yyjson_val *failed = NULL;
	writ_error err = {0};

	expressing_open(&scene);
	assert_int_equal(
	    w_json_read(text, strlen(text), &limits, &json, &err), WRIT_OK);
	writ_status status = w_template_tree_at(&scene.arena, w_json_root(json),
	    &scene.scope, &value, &failed, &err);
	if (status != WRIT_OK) {
		templating_note_error(out, &err);
		w_buf_add_fmt(out, " of %s",
		    failed == NULL ? "nothing" : yyjson_get_str(failed));
	}
	w_json_free(json);
	if (status == WRIT_OK)
		w_value_add_json(out, &value, false);
	expressing_close(&scene);
}

static void
all_texts_of_a_tree_are_filled_in(void **state)
{
	static const struct templating_case cases[] = {
	    {"1", "1"},
	    {"\"{{ Data.port }}\"", "8080"},
	    {"{\"a\":[\"{{ 1 + 1 }}\",\"x{{ 1 }}\",\"y\",2.5,null],"
	     "\"{{ k }}\":{\"b\":\"$${c}\"}}",
		"{\"a\":[2,\"x1\",\"y\",2.5,null],\"{{ k "
		"}}\":{\"b\":\"${c}\"}}"},
	    {"[\"{{ Data.password }}\"]", "[\"(sensitive)\"]"},
	    {"{}", "{}"},
	};

	(void)state;
	TEMPLATING_CHECK(fill_tree, cases);
}

static void
the_text_that_failed_is_told(void **state)
{
	static const struct templating_case cases[] = {
	    {"[\"a\",{\"b\":\"x {{ Data.nope }}\"}]",
		"no member 'nope' in Data at 1:10 of x {{ Data.nope }}"},
	    {"[\"{{ 1\"]", "this '{{' is never closed at 1:1 of {{ 1"},
	    {"[18446744073709551615]",
		"the number 18446744073709551615 is too large at 0:0 of "
		"nothing"},
	    {"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
	     "1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"
	     "]",
		"nested more than 64 levels deep at 0:0 of nothing"},
	};

	(void)state;
	TEMPLATING_CHECK(fill_tree, cases);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(all_texts_of_a_tree_are_filled_in),
	    cmocka_unit_test(the_text_that_failed_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
