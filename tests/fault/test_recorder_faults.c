/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include <writ/writ.h>

#include "../unit/temp.h"
#include "inject.h"

/* A disk that does not answer for a record that stands in the trail. */

static struct temp temp;

static int
set_up(void **state)
{
	return temp_begin(&temp, state);
}

static int
tear_down(void **state)
{
	(void)state;
	temp_close(&temp);
	return 0;
}

static writ_request
nothing(void)
{
	static const char *const argv[] = {"/bin/true", NULL};
	writ_request request = WRIT_REQUEST_INIT;

	request.argv = argv;
	return request;
}

static writ_engine *
syncing_engine(const char *failure)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	const writ_request request = nothing();
	writ_config *config = NULL;
	writ_engine *engine = NULL;
	writ_result *result = NULL;

	assert_int_equal(writ_config_new(&config, NULL), WRIT_OK);
	assert_int_equal(
	    writ_config_set(config, "state_dir", temp.path, NULL), WRIT_OK);
	assert_int_equal(
	    writ_config_set(config, "audit_durability", "sync", NULL), WRIT_OK);
	assert_int_equal(
	    writ_config_set(config, "audit_failure", failure, NULL), WRIT_OK);
	options.config = config;
	assert_int_equal(writ_engine_new(&options, &engine, NULL), WRIT_OK);
	writ_config_free(config);
	/* What is made for the first run is synced too. */
	assert_int_equal(writ_run(engine, &request, &result, NULL), WRIT_OK);
	writ_result_free(result);
	return engine;
}

/* Proves the trail and tells how many runs it says were lost. */
static uint64_t
lost_runs(uint64_t runs)
{
	writ_audit_options options = WRIT_AUDIT_OPTIONS_INIT;
	writ_audit_proof proof;
	writ_audit *audit = NULL;

	options.state_dir = temp.path;
	assert_int_equal(writ_audit_open(&options, &audit, NULL), WRIT_OK);
	assert_int_equal(
	    writ_audit_verify(audit, NULL, NULL, NULL, &proof, NULL), WRIT_OK);
	writ_audit_free(audit);
	assert_int_equal(proof.bad, 0);
	assert_int_equal(proof.runs, runs);
	assert_int_equal(proof.running, 0);
	return proof.lost;
}

static void
a_begin_that_was_not_synced_has_an_end(void **state)
{
	writ_engine *engine = syncing_engine("refuse");
	const writ_request request = nothing();
	writ_result *result = NULL;
	writ_error err = {0};

	(void)state;
	inject_arm("fdatasync", 1, 1, EIO);
	assert_int_equal(
	    writ_run(engine, &request, &result, &err), WRIT_E_SYSTEM);
	assert_true(inject_disarm());
	assert_string_equal(err.stage, "audit");
	assert_int_equal(err.sys_errno, EIO);
	writ_engine_free(engine);
	assert_int_equal(lost_runs(2), 0);
}

static void
what_may_run_all_the_same_says_so_and_has_both(void **state)
{
	writ_engine *engine = syncing_engine("run");
	const writ_request request = nothing();
	writ_result *result = NULL;

	(void)state;
	inject_arm("fdatasync", 1, 1, EIO);
	assert_int_equal(writ_run(engine, &request, &result, NULL), WRIT_OK);
	assert_true(inject_disarm());
	assert_non_null(result->unrecorded);
	assert_true(
	    result->begin_seq > 0 && result->end_seq > result->begin_seq);
	writ_result_free(result);
	writ_engine_free(engine);
	assert_int_equal(lost_runs(2), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		a_begin_that_was_not_synced_has_an_end, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(
		what_may_run_all_the_same_says_so_and_has_both, set_up,
		tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
