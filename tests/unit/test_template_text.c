/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "templating.h"

static void
texts_are_filled_in_once(void **state)
{
	static const struct templating_case cases[] = {
	    {"port={{ Data.port }}", "port=8080"},
	    {"{{ Facts.os.name }}-{{ Facts.os.version }}", "debian-12"},
	    {"<{{ null }}>", "<>"},
	    {"{{ [1, 'a'] }}", "[1,\"a\"]"},
	    {"{{ 6 / 4 }} {{ 6 / 3 }} {{ 2.0 }}", "1.5 2 2"},
	    {"{{ true }}", "true"},
	    {"{{ Data.template }}{{ Data.quote }}",
		"{{ 40+2 }} ${ 1 }it's \"$x\" `y` \\"},
	    {"a {{ Data.password }}", "secret a hunter2"},
	    {"a {{ [Data.password] }}", "secret a [\"hunter2\"]"},
	    {"a {{ Data.x }}", "no member 'x' in Data at 1:10"},
	    {"{{ lookup('data.x') }}",
		"missing key 'data.x' in environment at 1:4"},
	    {"${ file('/there') }", "/there"},
	};

	(void)state;
	TEMPLATING_CHECK(templating_text, cases);
}

static void
a_single_expression_keeps_its_kind(void **state)
{
	static const struct templating_case cases[] = {
	    {"{{ Data.port }}", "8080"},
	    {"${ Data.users[0] }", "{\"name\":\"ann\",\"uid\":1000}"},
	    {" {{ Data.port }}", "\" 8080\""},
	    {"{{ Data.port }}{{ '' }}", "\"8080\""},
	    {"8080", "\"8080\""},
	    {"{{ null }}", "null"},
	    {"{{ Data.password }}", "\"(sensitive)\""},
	    {"{{ 1 / 0 }}", "division by zero at 1:6"},
	};

	(void)state;
	TEMPLATING_CHECK(templating_value, cases);
}

static void
missing_keys_are_empty_where_the_scope_says_so(void **state)
{
	struct expressing scene;
	struct w_value value;
	writ_error err;

	(void)state;
	expressing_open(&scene);
	scene.scope.missing_is_empty = true;
	assert_int_equal(
	    expressing_eval(&scene, "lookup('facts.x')", &value, &err),
	    WRIT_OK);
	assert_int_equal(value.kind, W_VALUE_STRING);
	assert_int_equal(value.as.string.len, 0);
	assert_int_equal(
	    expressing_eval(&scene, "lookup('facts.x', 1)", &value, &err),
	    WRIT_OK);
	assert_int_equal(value.as.integer, 1);
	assert_int_equal(
	    expressing_eval(&scene, "Facts.x", &value, &err), WRIT_E_INVALID);
	expressing_close(&scene);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(texts_are_filled_in_once),
	    cmocka_unit_test(a_single_expression_keeps_its_kind),
	    cmocka_unit_test(missing_keys_are_empty_where_the_scope_says_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
