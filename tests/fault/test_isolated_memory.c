/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <writ/writ.h>

#include <writ/module.h>

#include "../unit/module_dir.h"
#include "inject.h"

/*
 * Every allocation of the caller's side of an isolated call fails once: the
 * request for its runner, and what becomes of the answer. What leaks is found
 * by the address sanitizer, in a build that has it.
 */

#define ID "cli.some.module"

static struct temp temp;

static int
set_up(void **state)
{
	int status = temp_begin(&temp, state);

	(void)setenv("WRIT_CACHE_DIR", temp_path(&temp, "cache"), 1);
	(void)setenv("WRIT_CONFIG_DIR", temp_path(&temp, "config"), 1);
	(void)setenv("WRIT_SYSTEM_DIR", temp_path(&temp, "system"), 1);
	temp_dir(&temp, "mods");
	module_put(&temp, "mods/a.binding.yaml", ID);
	return status;
}

static writ_status
make_request_with(const char *const *dirs, writ_error *err)
{
	writ_isolated_options options = WRIT_ISOLATED_OPTIONS_INIT;
	writ_draft *draft = NULL;

	options.dirs = dirs;
	options.call = "{\"env\":{\"A\":\"1\"},\"grace_ms\":100}";
	options.arguments = WRIT_ARGUMENTS_STRICT_EXEC;
	options.trace_id = "trace";
	writ_status status =
	    writ_isolated_new(ID, "{\"a\":1}", 7, &options, &draft, err);
	if (status == WRIT_OK)
		assert_string_equal(writ_draft_request(draft)->argv[2], ID);
	else
		assert_null(draft);
	writ_draft_free(draft);
	return status;
}

static writ_status
make_request(writ_error *err)
{
	static const char *const dirs[] = {"some", "/other", NULL};

	return make_request_with(dirs, err);
}

static writ_status
make_request_that_finds(writ_error *err)
{
	const char *const dirs[] = {temp_path(&temp, "mods"), NULL};

	return make_request_with(dirs, err);
}

static writ_status
decode(const char *out, int exit_code, writ_error *err)
{
	static const char said[] =
	    "{\"error\":{\"code\":\"invalid\",\"message\":\"m\"}}\n";
	writ_result result = {.run_id = "id", .status_known = true};
	char *json = NULL;
	size_t len = 0;

	result.exit_code = exit_code;
	result.out[WRIT_STDOUT] =
	    (writ_output){.head = out, .head_len = strlen(out), .tail = ""};
	result.out[WRIT_STDERR] =
	    (writ_output){.head = said, .head_len = strlen(said), .tail = ""};
	writ_status status =
	    writ_isolated_decode(ID, &result, &json, &len, err);
	if (status == WRIT_E_RUNNER)
		status =
		    writ_isolated_error_json(ID, &result, err, &json, &len);
	assert_true((status == WRIT_OK) == (json != NULL));
	free(json);
	return status;
}

static writ_status
decode_answer(writ_error *err)
{
	return decode("{\"a\":[1,2,3]}\n", 0, err);
}

/* Without memory for the cause its error still has the rest. */
static writ_status
decode_failure(writ_error *err)
{
	return decode("", 125, err);
}

static void
fail_each(writ_status (*step)(writ_error *err))
{
	writ_status status = WRIT_E_NOMEM;
	unsigned nth = 1;

	for (bool was_refused = true; was_refused; nth++) {
		writ_error err = {0};

		assert_true(nth < 2000);
		inject_arm("allocation", nth, 1, ENOMEM);
		status = step(&err);
		was_refused = inject_disarm();
		if (status != WRIT_OK && status != WRIT_E_NOMEM)
			fail_msg("allocation %u: %s", nth, err.message);
		assert_true(was_refused || status == WRIT_OK);
	}
	assert_true(nth > 2);
	assert_int_equal(status, WRIT_OK);
}

static void
a_request_for_a_runner_needs_each_of_its_allocations(void **state)
{
	(void)state;
	fail_each(make_request);
	fail_each(make_request_that_finds);
}

static void
an_answer_without_memory_is_no_other_answer(void **state)
{
	(void)state;
	fail_each(decode_answer);
	fail_each(decode_failure);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		a_request_for_a_runner_needs_each_of_its_allocations, set_up,
		temp_tear_down),
	    cmocka_unit_test(an_answer_without_memory_is_no_other_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
