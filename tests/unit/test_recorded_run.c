/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The exit status of a recorded run, and the text about its end.
 */

#include "cli/run/recorded_run.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct w_recorded_run
ended(const char *outcome, int exit_code, int signal)
{
	struct w_recorded_run facts = {
	    .id = "01M7HA6YRZADJ7VQNRPEGD7A2C",
	    .state = WRIT_RUN_ENDED,
	    .exit_code = exit_code,
	    .signal = signal,
	    .duration_ms = 1500,
	};

	memcpy(facts.outcome, outcome, strlen(outcome) + 1);
	return facts;
}

static void
expect_exit(const struct w_recorded_run *facts, int exit_status)
{
	assert_int_equal(w_recorded_run_exit(facts), exit_status);
}

static void
expect_words(const struct w_recorded_run *facts, const char *words)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 512);
	w_recorded_run_add_end(&buf, facts);
	assert_string_equal(buf.data, words);
}

static void
an_exit_code_is_the_status(void **state)
{
	struct w_recorded_run facts = ended("exited", 0, 0);

	(void)state;
	expect_exit(&facts, 0);
	expect_words(&facts, "exited with 0 after 1.5s");
	facts.exit_code = 255;
	expect_exit(&facts, 255);
}

static void
signals_timeouts_and_limits_are_those_of_writ_run(void **state)
{
	struct w_recorded_run facts = ended("signaled", -1, SIGKILL);

	(void)state;
	expect_exit(&facts, 137);
	expect_words(&facts, "signaled by SIGKILL after 1.5s");
	facts = ended("signaled", -1, 40);
	expect_exit(&facts, 168);
	expect_words(&facts, "signaled by signal 40 after 1.5s");
	facts = ended("timed_out", -1, SIGTERM);
	expect_exit(&facts, 124);
	expect_words(&facts, "timed_out by SIGTERM after 1.5s");
	facts = ended("idle_timed_out", 0, 0);
	expect_exit(&facts, 124);
	facts = ended("limited", 0, 0);
	expect_exit(&facts, 143);
}

static void
a_cancelled_run_never_looks_like_success(void **state)
{
	struct w_recorded_run facts = ended("cancelled", 0, 0);

	(void)state;
	expect_exit(&facts, 143);
	facts = ended("cancelled", -1, SIGINT);
	expect_exit(&facts, 130);
}

static void
a_status_that_nobody_knows_is_125(void **state)
{
	struct w_recorded_run facts = ended("exited", -1, 0);

	(void)state;
	expect_exit(&facts, 125);
	facts.state = WRIT_RUN_LOST;
	expect_exit(&facts, 125);
	facts.state = WRIT_RUN_RUNNING;
	expect_exit(&facts, 125);
	facts.state = WRIT_RUN_UNKNOWN;
	expect_exit(&facts, 125);
}

static void
what_did_not_start_has_the_status_of_its_error(void **state)
{
	struct w_recorded_run facts = ended("not_found", -1, 0);

	(void)state;
	facts.state = WRIT_RUN_REFUSED;
	expect_exit(&facts, 127);
	expect_words(&facts, "was refused: not_found");
	memcpy(facts.outcome, "not_executable", sizeof("not_executable"));
	expect_exit(&facts, 126);
	memcpy(facts.outcome, "sandbox", sizeof("sandbox"));
	expect_exit(&facts, 125);
	memcpy(facts.outcome, "of the future", sizeof("of the future"));
	expect_exit(&facts, 125);
	facts.state = WRIT_RUN_ENDED;
	expect_words(&facts, "did not start: of the future");
}

static void
only_some_states_are_an_end(void **state)
{
	struct w_recorded_run facts = {.state = WRIT_RUN_RUNNING};

	(void)state;
	assert_false(w_recorded_run_is_over(&facts));
	facts.state = WRIT_RUN_UNKNOWN;
	assert_false(w_recorded_run_is_over(&facts));
	facts.state = WRIT_RUN_ENDED;
	assert_true(w_recorded_run_is_over(&facts));
	facts.state = WRIT_RUN_REFUSED;
	assert_true(w_recorded_run_is_over(&facts));
	facts.state = WRIT_RUN_LOST;
	assert_true(w_recorded_run_is_over(&facts));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_exit_code_is_the_status),
	    cmocka_unit_test(signals_timeouts_and_limits_are_those_of_writ_run),
	    cmocka_unit_test(a_cancelled_run_never_looks_like_success),
	    cmocka_unit_test(a_status_that_nobody_knows_is_125),
	    cmocka_unit_test(what_did_not_start_has_the_status_of_its_error),
	    cmocka_unit_test(only_some_states_are_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
