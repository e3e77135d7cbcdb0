/* SPDX-License-Identifier: Apache-2.0 */

/* require and control. */

#include "applying.h"

static void
what_requires_a_failure_is_skipped_and_so_on(void **state)
{
	(void)state;
	apply(RESOURCES(
	    "  - exec: {name: ok, command: /bin/true}\n"
	    "  - exec: {name: bad, alias: worse, command: /bin/false}\n"
	    "  - exec: {name: a, command: /usr/bin/touch @/a, require: "
	    "[exec#ok, exec#worse]}\n"
	    "  - exec: {name: b, command: /usr/bin/touch @/b, require: "
	    "[exec#a]}\n"
	    "  - exec: {name: c, command: /bin/true, require: [exec#ok]}\n"));
	assert_verdicts("changed", "failed", "unmet", "unmet", "changed");
	assert_int_equal(yyjson_arr_size(said(2, "/unmet_requirements")), 1);
	assert_string_equal(text_of(2, "/unmet_requirements/0"), "exec#worse");
	assert_true(is_set(2, "/skipped"));
	assert_false(is_set(2, "/failed"));
	assert_int_equal(yyjson_arr_size(said(2, "/error")), 0);
	assert_false(exists("a"));
	assert_false(exists("b"));
}

static void
control_has_nine_cases(void **state)
{
	static const struct {
		const char *control;
		const char *verdict;
	} cases[] = {
	    {"{}", "changed"},
	    {"{if: 'true'}", "changed"},
	    {"{if: 'false'}", "skipped"},
	    {"{unless: 'true'}", "skipped"},
	    {"{unless: 'false'}", "changed"},
	    {"{if: 'true', unless: 'true'}", "skipped"},
	    {"{if: 'true', unless: 'false'}", "changed"},
	    {"{if: 'false', unless: 'true'}", "skipped"},
	    {"{if: 'false', unless: 'false'}", "skipped"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char text[256];

		(void)snprintf(text, sizeof(text),
		    RESOURCES("  - exec: {name: /bin/true, control: %s}\n"),
		    cases[i].control);
		applying_again();
		apply(text);
		assert_verdicts(cases[i].verdict);
	}
}

static void
who_skipped_it_is_told(void **state)
{
	(void)state;
	apply(RESOURCES(
	    "  - exec: {name: a, command: /bin/true, control: {if: "
	    "\"Facts.kernel == 'none'\"}}\n"
	    "  - exec: {name: b, command: /bin/true, control: {unless: "
	    "'true'}}\n"
	    "  - exec: {name: c, command: /bin/true, require: [exec#a]}\n"));
	assert_verdicts("skipped", "skipped", "changed");
	assert_string_equal(text_of(0, "/decided_by"), "control.if");
	assert_string_equal(text_of(1, "/decided_by"), "control.unless");
}

static void
an_expression_that_has_no_answer_fails_its_resource(void **state)
{
	(void)state;
	apply(RESOURCES(
	    "  - exec: {name: a, command: /usr/bin/touch @/a, control: {if: "
	    "\"lookup('environ.none')\"}}\n"
	    "  - exec: {name: b, command: /bin/true, control: {if: '1 + "
	    "(Environ.NOPE ?? 1)'}}\n"
	    "  - exec: {name: c, command: /bin/true}\n"));
	assert_verdicts("failed", "failed", "changed");
	assert_non_null(strstr(error_of(0), "m.yaml:3:"));
	assert_false(exists("a"));
}

static void
what_is_skipped_is_not_filled_in(void **state)
{
	(void)state;
	apply(RESOURCES(
	    "  - exec: {name: a, command: \"/bin/echo {{ lookup('data.none') "
	    "}}\", control: {if: 'false'}}\n"));
	assert_verdicts("skipped");
}

int
main(void)
{
#define TEST(name)                       \
	cmocka_unit_test_setup_teardown( \
	    name, applying_set_up, applying_tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(what_requires_a_failure_is_skipped_and_so_on),
	    TEST(control_has_nine_cases),
	    TEST(who_skipped_it_is_told),
	    TEST(an_expression_that_has_no_answer_fails_its_resource),
	    TEST(what_is_skipped_is_not_filled_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
