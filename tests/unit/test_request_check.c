/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "run/resolve/request_check.h"

static const char *const true_argv[] = {"true", NULL};

static writ_request
plain(void)
{
	writ_request request = WRIT_REQUEST_INIT;

	request.argv = true_argv;
	return request;
}

static void
expect_ok(const writ_request *request)
{
	writ_request checked;

	assert_int_equal(w_run_check_request(request, &checked, NULL), WRIT_OK);
}

static void
expect_invalid(const writ_request *request, const char *words)
{
	writ_request checked = {.nice = 99};
	writ_error err = {0};

	assert_int_equal(
	    w_run_check_request(request, &checked, &err), WRIT_E_INVALID);
	assert_int_equal(checked.nice, 99);
	assert_string_equal(err.stage, "request");
	assert_non_null(strstr(err.message, words));
}

static void
a_plain_request_gets_the_defaults(void **state)
{
	writ_request request = plain(), checked;

	(void)state;
	assert_int_equal(
	    w_run_check_request(&request, &checked, NULL), WRIT_OK);
	assert_int_equal(checked.size, sizeof(checked));
	assert_int_equal(checked.grace_ms, WRIT_DEFAULT_GRACE_MS);
	assert_int_equal(checked.output_limit, WRIT_DEFAULT_OUTPUT_LIMIT);
	assert_int_equal(checked.spill_limit, WRIT_DEFAULT_SPILL_LIMIT);
	assert_int_equal(checked.timeout_ms, 0);
	assert_ptr_equal(checked.argv, true_argv);
}

static void
really_zero_becomes_zero(void **state)
{
	writ_request request = plain(), checked;

	(void)state;
	request.grace_ms = WRIT_ZERO;
	request.output_limit = WRIT_ZERO;
	request.spill_limit = WRIT_ZERO;
	assert_int_equal(
	    w_run_check_request(&request, &checked, NULL), WRIT_OK);
	assert_int_equal(checked.grace_ms, 0);
	assert_int_equal(checked.output_limit, 0);
	assert_int_equal(checked.spill_limit, 0);
}

static void
given_values_stay(void **state)
{
	writ_request request = plain(), checked;

	(void)state;
	request.grace_ms = 1;
	request.output_limit = 2;
	request.spill_limit = 3;
	assert_int_equal(
	    w_run_check_request(&request, &checked, NULL), WRIT_OK);
	assert_int_equal(checked.grace_ms, 1);
	assert_int_equal(checked.output_limit, 2);
	assert_int_equal(checked.spill_limit, 3);
}

static void
there_must_be_exactly_one_command(void **state)
{
	static const char *const empty[] = {NULL};
	writ_request request = plain();

	(void)state;
	request.argv = NULL;
	expect_invalid(&request, "nothing to run");
	request.argv = empty;
	expect_invalid(&request, "nothing to run");
	request.shell = "true";
	expect_ok(&request);
	request.argv = true_argv;
	expect_invalid(&request, "both argv and shell");
}

static void
a_program_needs_an_absolute_path_and_its_words(void **state)
{
	writ_request request = plain();

	(void)state;
	request.program = "/bin/true";
	expect_ok(&request);
	request.program = "bin/true";
	expect_invalid(&request, "must be an absolute path");
	request.program = "/bin/true";
	request.argv = NULL;
	request.shell = "true";
	expect_invalid(&request, "have an argv");
}

static void
the_size_tells_which_struct_the_caller_knows(void **state)
{
	writ_request request = plain(), checked;

	(void)state;
	request.size = 0;
	expect_invalid(&request, "WRIT_REQUEST_INIT");
	request.size = sizeof(request) + 8;
	expect_invalid(&request, "newer libwrit");

	/* An older caller: members it does not know get their default. */
	request = plain();
	request.size = offsetof(writ_request, cwd);
	request.cwd = "/garbage";
	request.nice = 12345;
	assert_int_equal(
	    w_run_check_request(&request, &checked, NULL), WRIT_OK);
	assert_ptr_equal(checked.argv, true_argv);
	assert_null(checked.cwd);
	assert_int_equal(checked.nice, 0);
	assert_int_equal(checked.size, sizeof(checked));
}

static void
environment_entries_are_name_and_value(void **state)
{
	static const char *const good[] = {"A=", "B=1", "C=a=b", NULL};
	static const char *const bad[][3] = {
	    {"A=1", "B", NULL}, {"=x", NULL}, {"", NULL}};
	writ_request request = plain();

	(void)state;
	request.env = good;
	expect_ok(&request);
	for (size_t i = 0; i < 3; i++) {
		request.env = bad[i];
		expect_invalid(&request, "is not NAME=VALUE");
	}
}

static void
words_outside_their_list_are_refused(void **state)
{
	const int wrong[] = {-1, 99};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		writ_request request = plain();

		memcpy(&request.env_mode, &wrong[i], sizeof(int));
		expect_invalid(&request, "enumeration");
		request = plain();
		memcpy(&request.stdin_kind, &wrong[i], sizeof(int));
		expect_invalid(&request, "enumeration");
		request = plain();
		memcpy(&request.background, &wrong[i], sizeof(int));
		expect_invalid(&request, "enumeration");
		request = plain();
		memcpy(&request.hold, &wrong[i], sizeof(int));
		expect_invalid(&request, "enumeration");
	}
}

static void
standard_input_must_be_given_when_asked_for(void **state)
{
	writ_request request = plain();

	(void)state;
	request.stdin_kind = WRIT_STDIN_FILE;
	expect_invalid(&request, "standard input");
	request.stdin_kind = WRIT_STDIN_DATA;
	expect_ok(&request);
	request.stdin_len = 1;
	expect_invalid(&request, "standard input");
	request.stdin_data = "x";
	expect_ok(&request);
}

static void
numbers_have_their_bounds(void **state)
{
	writ_request request = plain();

	(void)state;
	request.nice = 19;
	expect_ok(&request);
	request.nice = 20;
	expect_invalid(&request, "nice");
	request.nice = -20;
	expect_ok(&request);
	request.nice = -21;
	expect_invalid(&request, "nice");
	request.nice = 0;
	request.umask = 022;
	expect_invalid(&request, "umask");
	request.umask = WRIT_UMASK(01000);
	expect_invalid(&request, "umask");
	request.umask = WRIT_UMASK(0777);
	expect_ok(&request);
	request.umask = WRIT_UMASK(0);
	expect_ok(&request);
}

static void
durations_end_after_ten_years(void **state)
{
	static const size_t offsets[] = {offsetof(writ_request, timeout_ms),
	    offsetof(writ_request, idle_timeout_ms),
	    offsetof(writ_request, grace_ms), offsetof(writ_request, cpu_ms)};

	(void)state;
	for (size_t i = 0; i < sizeof(offsets) / sizeof(*offsets); i++) {
		writ_request request = plain();
		uint64_t ms = W_DURATION_MAX_MS;

		memcpy((char *)&request + offsets[i], &ms, sizeof(ms));
		expect_ok(&request);
		ms++;
		memcpy((char *)&request + offsets[i], &ms, sizeof(ms));
		expect_invalid(&request, "ten years");
	}
}

static void
every_name_has_a_length_and_can_be_printed(void **state)
{
	static const struct {
		const char *key;
		size_t offset;
		size_t max;
	} names[] = {
	    {"trace_id", offsetof(writ_request, trace_id), 128},
	    {"agent", offsetof(writ_request, agent), 128},
	    {"module", offsetof(writ_request, module), 192},
	    {"approval", offsetof(writ_request, approval), 32},
	    {"session", offsetof(writ_request, session), 128},
	};
	static const char *const bad[] = {"", "two\nlines", "\xc3\xa4", "\x7f"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		writ_request request = plain();
		char name[256];
		const char *text = name;
		char message[64];

		(void)snprintf(message, sizeof(message), "%s must be 1 to %zu",
		    names[i].key, names[i].max);
		memset(name, 'a', sizeof(name));
		memcpy(name, "a ~", 3);
		name[names[i].max] = '\0';
		memcpy((char *)&request + names[i].offset, &text, sizeof(text));
		expect_ok(&request);
		name[names[i].max] = 'a';
		name[names[i].max + 1] = '\0';
		expect_invalid(&request, message);
		for (size_t j = 0; j < sizeof(bad) / sizeof(*bad); j++) {
			memcpy((char *)&request + names[i].offset, &bad[j],
			    sizeof(bad[j]));
			expect_invalid(&request, message);
		}
	}
}

static void
output_that_is_json_is_kept_longer(void **state)
{
	writ_request request = plain();
	writ_request checked;

	(void)state;
	request.parse_json = true;
	assert_int_equal(
	    w_run_check_request(&request, &checked, NULL), WRIT_OK);
	assert_int_equal(checked.output_limit, WRIT_DEFAULT_JSON_LIMIT);
	request.output_limit = 5;
	assert_int_equal(
	    w_run_check_request(&request, &checked, NULL), WRIT_OK);
	assert_int_equal(checked.output_limit, 5);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_name_has_a_length_and_can_be_printed),
	    cmocka_unit_test(output_that_is_json_is_kept_longer),
	    cmocka_unit_test(a_plain_request_gets_the_defaults),
	    cmocka_unit_test(really_zero_becomes_zero),
	    cmocka_unit_test(given_values_stay),
	    cmocka_unit_test(there_must_be_exactly_one_command),
	    cmocka_unit_test(a_program_needs_an_absolute_path_and_its_words),
	    cmocka_unit_test(the_size_tells_which_struct_the_caller_knows),
	    cmocka_unit_test(environment_entries_are_name_and_value),
	    cmocka_unit_test(words_outside_their_list_are_refused),
	    cmocka_unit_test(standard_input_must_be_given_when_asked_for),
	    cmocka_unit_test(numbers_have_their_bounds),
	    cmocka_unit_test(durations_end_after_ten_years),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
