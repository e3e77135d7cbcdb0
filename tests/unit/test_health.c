/* SPDX-License-Identifier: Apache-2.0 */

/* Health checks after a resource. */

#include "applying.h"

#define CHECK(command) "health_checks: [{command: \"" command "\"}]"

static void
a_check_that_is_ok_leaves_the_verdict(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: a, command: /bin/true, " CHECK(
	    "echo all is well") "}\n"));
	assert_verdicts("changed");
	assert_int_equal(number_of(0, "/health_check/0/tries"), 1);
	assert_string_equal(
	    text_of(0, "/health_check/0/Output"), "all is well");
}

static void
anything_else_fails_the_resource(void **state)
{
	static const char *const errors[] = {"health check status \"WARNING\"",
	    "health check status \"CRITICAL\"",
	    "health check status \"UNKNOWN\"",
	    "health check status \"UNKNOWN\""};

	(void)state;
	apply(RESOURCES("  - exec: {name: a, command: /bin/true, " CHECK(
	    "sh -c 'exit 1'") "}\n"
			      "  - exec: {name: b, command: "
			      "/bin/true, " CHECK(
				  "sh -c 'exit 2'") "}\n"
						    "  - exec: {name: "
						    "c, command: "
						    "/bin/true, " CHECK(
							"sh -c 'exit "
							"77'") "}\n"
							       "  - "
							       "exec: "
							       "{name: "
							       "d, "
							       "command"
							       ": "
							       "/bin/"
							       "true,"
							       " " CHECK(
								   "/no"
								   "nex"
								   "ist"
								   "ent"
								   "/ch"
								   "ec"
								   "k") "}\n"));
	assert_verdicts("failed", "failed", "failed", "failed");
	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(error_of(i), errors[i]);
		assert_true(is_set(i, "/changed"));
	}
	assert_true(event_shows(3, "/nonexistent/check"));
}

static void
a_check_is_tried_until_it_is_ok(void **state)
{
	(void)state;
	apply(RESOURCES(
	    "  - exec:\n"
	    "      name: /bin/true\n"
	    "      health_checks:\n"
	    "      - command: sh -c 'echo x >>@/n; test $(wc -l <@/n) -ge 3'\n"
	    "        tries: 5\n"
	    "        try_sleep: 1ms\n"));
	assert_verdicts("changed");
	assert_int_equal(number_of(0, "/health_check/0/tries"), 3);
}

static void
a_check_that_hangs_is_unknown(void **state)
{
	(void)state;
	apply(
	    RESOURCES("  - exec: {name: a, command: /bin/true, health_checks: "
		      "[{command: sleep 30, timeout: 100ms}]}\n"));
	assert_verdicts("failed");
	assert_string_equal(
	    text_of(0, "/health_check/0/Output"), "timed out after 100ms");
}

static void
what_failed_or_was_left_out_is_not_checked(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: a, command: /bin/false, " CHECK(
	    "touch @/asked") "}\n"
			     "  - exec: {name: b, command: /bin/true, control: "
			     "{if: 'false'}, " CHECK(
				 "touch @/asked") "}\n"
						  "  - exec: {name: c, "
						  "command: /bin/true, "
						  "require: [exec#a], " CHECK(
						      "touch @/asked") "}\n"));
	assert_verdicts("failed", "skipped", "unmet");
	assert_false(exists("asked"));
}

static void
checks_alone_apply_nothing(void **state)
{
	(void)state;
	applying.options.health_only = true;
	apply(RESOURCES(
	    "  - exec: {name: a, command: /usr/bin/touch @/ran, " CHECK(
		"/bin/true") "}\n"
			     "  - exec: {name: b, command: /usr/bin/touch "
			     "@/ran, " CHECK("/bin/false") "}\n"));
	assert_verdicts("stable", "failed");
	assert_false(exists("ran"));
	assert_true(is_set(0, "/health_check_only"));
}

static void
output_that_is_no_text_is_made_one(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: a, command: /bin/true, " CHECK(
	    "sh -c 'printf \\\"\\\\n a\\\\377b \\\\n\\\"'") "}\n"));
	assert_verdicts("changed");
	assert_string_equal(text_of(0, "/health_check/0/Output"), "a?b");
}

int
main(void)
{
#define TEST(name)                       \
	cmocka_unit_test_setup_teardown( \
	    name, applying_set_up, applying_tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(a_check_that_is_ok_leaves_the_verdict),
	    TEST(anything_else_fails_the_resource),
	    TEST(a_check_is_tried_until_it_is_ok),
	    TEST(a_check_that_hangs_is_unknown),
	    TEST(what_failed_or_was_left_out_is_not_checked),
	    TEST(checks_alone_apply_nothing),
	    TEST(output_that_is_no_text_is_made_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
