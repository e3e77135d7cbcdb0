/* SPDX-License-Identifier: Apache-2.0 */
#include "counting.h"
#include "running.h"

/* The last line comes later than the limit: each one starts the time anew. */
static void
silence_ends_a_run_with_an_idle_limit(void **state)
{
	writ_request request =
	    shell("for i in 1 2 3 4 5; do echo $i; sleep 0.3; done; sleep 300");

	(void)state;
	request.idle_timeout_ms = 1000;
	writ_result *result = run(&request);
	assert_int_equal(result->outcome, WRIT_IDLE_TIMED_OUT);
	expect_text(&result->out[WRIT_STDOUT], "1\n2\n3\n4\n5\n");
	done(result);
}

static void
too_much_output_ends_a_run(void **state)
{
	writ_request request = shell("yes");

	(void)state;
	request.max_output = 100000;
	writ_result *result = run(&request);
	assert_int_equal(result->outcome, WRIT_LIMITED);
	assert_int_equal(result->limit, WRIT_LIMIT_OUTPUT);
	assert_true(result->out[WRIT_STDOUT].bytes > 100000);
	done(result);
}

static void
too_many_processes_end_a_run(void **state)
{
	writ_request request =
	    shell("for i in 1 2 3 4 5 6 7 8; do sleep 300 & done; wait");

	(void)state;
	request.processes = 4;
	writ_result *result = run(&request);
	assert_int_equal(result->outcome, WRIT_LIMITED);
	assert_int_equal(result->limit, WRIT_LIMIT_PROCESSES);
	assert_string_equal(result->processes_by, counter("pids"));
	assert_null(result->memory_by);
	done(result);
}

static void
too_much_memory_ends_a_run(void **state)
{
	/* Each of them stays below the limit of a single process. */
	writ_request request =
	    shell("hold() { x=$(head -c 6000000 /dev/zero | tr '\\0' x); "
		  "sleep 300; echo \"$x\"; }; "
		  "for i in 1 2 3 4 5 6 7 8; do hold & done; wait");

	(void)state;
	request.memory = 40000000;
	writ_result *result = run(&request);
	assert_int_equal(result->outcome, WRIT_LIMITED);
	assert_int_equal(result->limit, WRIT_LIMIT_MEMORY);
	assert_string_equal(result->memory_by, counter("memory"));
	assert_null(result->processes_by);
	done(result);
}

static void
too_much_processor_time_ends_a_run(void **state)
{
	writ_request request = shell("while :; do :; done");

	(void)state;
	request.cpu_ms = 200;
	writ_result *result = run(&request);
	assert_int_equal(result->outcome, WRIT_LIMITED);
	assert_int_equal(result->limit, WRIT_LIMIT_CPU);
	assert_string_equal(result->cpu_by, "sampling");
	done(result);
}

static void
a_file_that_grows_too_large_is_a_limit(void **state)
{
	writ_request request = shell("exec head -c 100000 /dev/zero >big");

	(void)state;
	request.cwd = temp.path;
	request.file_size = 5000;
	writ_result *result = run(&request);
	assert_int_equal(result->outcome, WRIT_LIMITED);
	assert_int_equal(result->limit, WRIT_LIMIT_FILE_SIZE);
	assert_int_equal(result->signal, SIGXFSZ);
	done(result);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    RUNNING(silence_ends_a_run_with_an_idle_limit),
	    RUNNING(too_much_output_ends_a_run),
	    RUNNING(too_many_processes_end_a_run),
	    RUNNING(too_much_memory_ends_a_run),
	    RUNNING(too_much_processor_time_ends_a_run),
	    RUNNING(a_file_that_grows_too_large_is_a_limit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
