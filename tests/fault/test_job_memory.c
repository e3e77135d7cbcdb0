/* SPDX-License-Identifier: Apache-2.0 */

/* Looking at a run that goes on, and giving it something to read, while every
 * allocation fails once. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <string.h>

#include <writ/writ.h>

#include "../unit/temp.h"
#include "inject.h"

static struct temp temp;
static writ_config *config;
static writ_engine *engine;
static writ_job *job;
static writ_result *result;

#define POLICY                                               \
	"version: 1\nsandbox: none\nrules:\n  - allow: {}\n" \
	"  - deny: {program: rm}\n"

static void
on_done(void *ctx, writ_job *ended, writ_result *made)
{
	(void)ctx;
	(void)ended;
	result = made;
}

static writ_request
shell(void)
{
	static const char *const argv[] = {"sh", NULL};
	static const char *const env[] = {"A=1", "B=2", NULL};
	writ_request request = WRIT_REQUEST_INIT;

	request.argv = argv;
	request.env = env;
	request.cwd = temp.path;
	request.stdin_kind = WRIT_STDIN_PIPE;
	return request;
}

static int
set_up(void **state)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	const writ_request request = shell();

	(void)temp_begin(&temp, state);
	temp_file(&temp, "policy.yaml", 0600, POLICY);
	assert_int_equal(writ_config_new(&config, NULL), WRIT_OK);
	assert_int_equal(
	    writ_config_set(config, "state_dir", temp.path, NULL), WRIT_OK);
	assert_int_equal(writ_config_set(config, "policy",
			     temp_path(&temp, "policy.yaml"), NULL),
	    WRIT_OK);
	options.config = config;
	options.spill_dir = temp.path;
	assert_int_equal(writ_engine_new(&options, &engine, NULL), WRIT_OK);
	result = NULL;
	assert_int_equal(
	    writ_start(engine, &request, on_done, NULL, &job, NULL), WRIT_OK);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	if (result == NULL)
		writ_job_cancel(job, SIGKILL);
	while (result == NULL)
		(void)writ_engine_dispatch(engine, -1, NULL);
	writ_result_free(result);
	writ_engine_free(engine);
	writ_config_free(config);
	temp_close(&temp);
	return 0;
}

static writ_status
give(const char *text, writ_error *err)
{
	return writ_job_input(job, text, strlen(text), err);
}

/* The kernel's lack of it looks the same. */
static bool
is_short(writ_status status, const writ_error *err)
{
	return status == WRIT_E_NOMEM ||
	       (status == WRIT_E_SYSTEM && err->sys_errno == ENOMEM);
}

/* What is refused for lack of memory was neither given nor remembered. */
static void
input_is_taken_whole_or_not_at_all(void **state)
{
	unsigned given = 0;
	unsigned refused = 0;

	(void)state;
	/* What was given makes the next text longer, which takes more. */
	for (unsigned nth = 1;; nth += 1 + nth / 8) {
		writ_error err = {.status = WRIT_OK};

		inject_arm("allocation", nth, 1, ENOMEM);
		writ_status status = give("echo x\n", &err);
		const bool is_over = !inject_disarm();

		given += status == WRIT_OK;
		refused += is_short(status, &err);
		if (status != WRIT_OK && !is_short(status, &err))
			fail_msg("%u: %s", nth, err.message);
		if (!is_over)
			continue;
		assert_int_equal(status, WRIT_OK);
		break;
	}
	assert_true(refused > 10);
	assert_int_equal(give("rm x\n", NULL), WRIT_E_DENIED);
	writ_job_close_stdin(job);
	while (result == NULL)
		assert_int_equal(
		    writ_engine_dispatch(engine, -1, NULL), WRIT_OK);
	assert_int_equal(result->out[WRIT_STDOUT].bytes, 2 * given);
}

static void
what_is_denied_is_never_given(void **state)
{
	(void)state;
	for (unsigned nth = 1;; nth++) {
		writ_error err = {.status = WRIT_OK};

		inject_arm("allocation", nth, 1, ENOMEM);
		writ_status status = give("echo x; rm x\n", &err);
		const bool is_over = !inject_disarm();

		if (status != WRIT_E_DENIED && !is_short(status, &err))
			fail_msg("%u: %d %s", nth, status, err.message);
		if (is_over)
			break;
	}
}

static void
a_look_fails_for_lack_of_memory_only(void **state)
{
	(void)state;
	for (unsigned nth = 1;; nth++) {
		writ_error err = {.status = WRIT_OK};
		char *json = NULL;
		size_t len;

		inject_arm("allocation", nth, 1, ENOMEM);
		writ_status status = writ_job_json(job, &json, &len, &err);
		const bool is_over = !inject_disarm();

		assert_int_equal(status, is_over ? WRIT_OK : WRIT_E_NOMEM);
		free(json);
		if (is_over)
			break;
	}
}

/* A run whose request could not be remembered does not start. */
static void
a_start_leaves_nothing_of_its_note(void **state)
{
	const writ_request request = shell();

	(void)state;
	for (unsigned nth = 1;; nth++) {
		writ_result *mine = NULL;
		writ_job *other = NULL;
		writ_error err = {.status = WRIT_OK};

		inject_arm("allocation", nth, 1, ENOMEM);
		writ_status status =
		    writ_start(engine, &request, NULL, &mine, &other, &err);
		const bool is_over = !inject_disarm();

		if (status == WRIT_OK)
			writ_job_cancel(other, SIGKILL);
		while (writ_engine_live(engine) > 1)
			(void)writ_engine_dispatch(engine, -1, NULL);
		if (is_over)
			break;
	}
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(input_is_taken_whole_or_not_at_all),
	    CASE(what_is_denied_is_never_given),
	    CASE(a_look_fails_for_lack_of_memory_only),
	    CASE(a_start_leaves_nothing_of_its_note),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
