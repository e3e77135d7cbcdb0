/* SPDX-License-Identifier: Apache-2.0 */

/* Runs that are explained, many from one engine. */

#include "engine_fixture.h"

#include <string.h>

static writ_request
explained(const char *text)
{
	writ_request request = shell(text);

	request.sandbox = "readonly";
	request.explain_denials = true;
	request.timeout_ms = 60000;
	return request;
}

static void
expect_denials(const writ_result *result, const char *path, unsigned count)
{
	assert_int_equal(result->outcome, WRIT_EXITED);
	assert_int_equal(result->exit_code, 3);
	assert_int_equal(result->denial_count, 1);
	assert_string_equal(result->denials[0].what, "create");
	assert_string_equal(result->denials[0].path, path);
	assert_string_equal(result->denials[0].layer, "mountns");
	assert_int_equal(result->denials[0].count, count);
}

static bool
can_confine(void)
{
	writ_request request = shell("exit 0");
	writ_result *result = NULL;

	request.sandbox = "readonly";
	if (writ_run(engine, &request, &result, NULL) != WRIT_OK)
		return false;
	writ_result_free(result);
	return true;
}

static void
each_run_of_an_engine_has_its_own_denials(void **state)
{
	(void)state;
	if (!can_confine())
		skip();
	for (unsigned i = 0; i < 4; i++) {
		writ_request request =
		    explained("mkdir /etc/writ-none 2>/dev/null || exit 3");
		writ_result *result = NULL;

		assert_int_equal(
		    writ_run(engine, &request, &result, NULL), WRIT_OK);
		expect_denials(result, "/etc/writ-none", 1);
		writ_result_free(result);
	}
}

static void
runs_at_the_same_time_do_not_mix(void **state)
{
	static const char *const texts[] = {
	    "for i in 1 2 3; do mkdir /etc/writ-a; done 2>/dev/null; exit 3",
	    "for i in 1 2 3; do mkdir /etc/writ-b; done 2>/dev/null; exit 3"};
	static const char *const paths[] = {"/etc/writ-a", "/etc/writ-b"};
	struct seen seen[6] = {0};

	(void)state;
	if (!can_confine())
		skip();
	for (size_t i = 0; i < 6; i++) {
		writ_request request = explained(texts[i % 2]);

		(void)start(&request, &seen[i]);
	}
	for (size_t i = 0; i < 6; i++) {
		while (seen[i].calls == 0)
			dispatch(1000);
		expect_denials(seen[i].result, paths[i % 2], 3);
		writ_result_free(seen[i].result);
	}
}

static void
an_engine_may_be_freed_while_calls_wait(void **state)
{
	struct seen seen = {0};
	writ_request request =
	    explained("while :; do mkdir /etc/writ-none; done 2>/dev/null");

	(void)state;
	if (!can_confine())
		skip();
	for (int i = 0; i < 3; i++)
		(void)start(&request, &seen);
	for (int i = 0; i < 20; i++)
		dispatch(10);
	assert_int_equal(seen.calls, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(each_run_of_an_engine_has_its_own_denials),
	    TEST(runs_at_the_same_time_do_not_mix),
	    TEST(an_engine_may_be_freed_while_calls_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
