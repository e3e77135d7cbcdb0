/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <writ/audit.h>
#include <writ/policy.h>

#include "approving.h"

/* An engine that must ask, and a person who answers. */

static const char policy[] = "version: 1\n"
			     "default: allow\n"
			     "agents: { '*': {} }\n"
			     "rules:\n"
			     "  - ask: { program: touch }\n";

/* Not in the state directory: that is hidden from every run. */
static struct temp work;
static writ_engine *engine;
static writ_request request;
static writ_result *result;

static int
begin(void **state)
{
	static const char *const dirs[][2] = {
	    {"WRIT_STATE_DIR", ""},
	    {"WRIT_CONFIG_DIR", "/config"},
	    {"WRIT_CACHE_DIR", "/cache"},
	    {"WRIT_SYSTEM_DIR", "/system"},
	    {"WRIT_POLICY", "/policy.yaml"},
	};
	static const char *const argv[] = {"touch", "made", NULL};
	static const writ_request standard = WRIT_REQUEST_INIT;
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	char path[512];

	(void)set_up(state);
	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		(void)snprintf(
		    path, sizeof(path), "%s%s", temp.path, dirs[i][1]);
		assert_int_equal(setenv(dirs[i][0], path, 1), 0);
	}
	temp_file(&temp, "policy.yaml", 0600, policy);
	temp_open(&work);
	options.base = work.path;
	assert_int_equal(writ_engine_new(&options, &engine, &err), WRIT_OK);
	request = standard;
	request.argv = argv;
	request.cwd = work.path;
	request.session = "s1";
	return 0;
}

static int
end(void **state)
{
	writ_engine_free(engine);
	temp_close(&work);
	return tear_down(state);
}

static writ_status
run(void)
{
	writ_status status = writ_run(engine, &request, &result, &err);

	if (status == WRIT_OK)
		writ_result_free(result);
	return status;
}

static void
ask_engine(char id[WRIT_APPROVAL_ID_LEN + 1])
{
	assert_int_equal(run(), WRIT_E_APPROVAL);
	assert_int_equal(
	    writ_approval_ask(engine, &request, NULL, id, &err), WRIT_OK);
}

static void
what_is_approved_runs_once_and_nothing_else_does(void **state)
{
	static const char *const other[] = {"touch", "other", NULL};
	static const char *const env[] = {"MODE=2", NULL};
	char id[WRIT_APPROVAL_ID_LEN + 1];
	writ_request asked;

	(void)state;
	ask_engine(id);
	asked = request;
	assert_false(temp_has(&work, "made"));
	assert_true(shows(id, "\"argv\":[\"touch\",\"made\"]"));
	assert_true(shows(id, "\"state\":\"pending\""));
	request.approval = id;
	assert_int_equal(run(), WRIT_E_APPROVAL);
	assert_int_equal(answer(id, true, WRIT_SCOPE_ONCE), WRIT_OK);

	request.argv = other;
	assert_int_equal(run(), WRIT_E_REFUSED);
	assert_non_null(
	    strstr(err.message, "is for another request: 'argv' differs"));
	request = asked;
	request.approval = id;
	request.env = env;
	assert_int_equal(run(), WRIT_E_REFUSED);
	assert_non_null(
	    strstr(err.message, "is for another request: 'env' differs"));
	request = asked;
	request.approval = id;
	request.cwd = "/";
	assert_int_not_equal(run(), WRIT_OK);
	request = asked;
	request.approval = id;
	request.agent = "other";
	assert_int_equal(run(), WRIT_E_REFUSED);
	request = asked;
	request.approval = id;
	request.sandbox = "strict";
	assert_int_equal(run(), WRIT_E_REFUSED);
	assert_false(temp_has(&work, "made"));
	assert_false(temp_has(&work, "other"));

	request = asked;
	request.approval = id;
	assert_int_equal(run(), WRIT_OK);
	assert_true(temp_has(&work, "made"));
	assert_int_equal(run(), WRIT_E_REFUSED);
	assert_non_null(strstr(err.message, "has been used"));
}

static void
a_question_that_stays_outlives_who_asked_and_is_asked_once(void **state)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];
	char again[WRIT_APPROVAL_ID_LEN + 1];
	writ_ask_options options = WRIT_ASK_OPTIONS_INIT;
	int ids[2];
	int status;

	(void)state;
	options.stays = true;
	assert_int_equal(pipe(ids), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (run() != WRIT_E_APPROVAL ||
		    writ_approval_ask(engine, &request, &options, id, &err) !=
			WRIT_OK ||
		    write(ids[1], id, sizeof(id)) != (ssize_t)sizeof(id))
			_exit(1);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(read(ids[0], id, sizeof(id)), sizeof(id));
	close(ids[0]);
	close(ids[1]);
	assert_true(shows(id, "\"state\":\"pending\""));
	assert_true(shows(id, "\"stays\":true"));

	assert_int_equal(run(), WRIT_E_APPROVAL);
	assert_int_equal(
	    writ_approval_ask(engine, &request, &options, again, &err),
	    WRIT_OK);
	assert_string_equal(again, id);
	request.session = "s2";
	assert_int_equal(run(), WRIT_E_APPROVAL);
	assert_int_equal(
	    writ_approval_ask(engine, &request, &options, again, &err),
	    WRIT_OK);
	assert_string_not_equal(again, id);
	request.session = "s1";
	assert_int_equal(answer(id, true, WRIT_SCOPE_ONCE), WRIT_OK);
	request.approval = id;
	assert_int_equal(run(), WRIT_OK);
	assert_true(temp_has(&work, "made"));
}

static void
who_attends_is_known_until_it_ends(void **state)
{
	(void)state;
	assert_false(writ_approvals_is_attended(approvals));
	writ_approvals *watcher = approvals_open();
	assert_int_equal(writ_approvals_attend(watcher, &err), WRIT_OK);
	assert_int_equal(writ_approvals_attend(watcher, &err), WRIT_OK);
	assert_true(writ_approvals_is_attended(approvals));
	writ_approvals_free(watcher);
	assert_false(writ_approvals_is_attended(approvals));
}

static void
another_process_with_the_same_request_may_use_it(void **state)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];
	int status;

	(void)state;
	ask_engine(id);
	assert_int_equal(answer(id, true, WRIT_SCOPE_ONCE), WRIT_OK);
	request.approval = id;
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		writ_engine *own;

		if (writ_engine_new(NULL, &own, NULL) != WRIT_OK)
			_exit(1);
		engine = own;
		_exit(run() == WRIT_OK ? 0 : 2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(run(), WRIT_E_REFUSED);
}

static void
a_denied_question_is_a_refusal(void **state)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];

	(void)state;
	ask_engine(id);
	assert_int_equal(answer(id, false, WRIT_SCOPE_ONCE), WRIT_OK);
	request.approval = id;
	assert_int_equal(run(), WRIT_E_REFUSED);
	assert_false(temp_has(&work, "made"));
}

static void
a_session_is_not_asked_again(void **state)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];

	(void)state;
	ask_engine(id);
	assert_int_equal(answer(id, true, WRIT_SCOPE_SESSION), WRIT_OK);
	assert_int_equal(run(), WRIT_OK);
	assert_int_equal(run(), WRIT_OK);
	request.session = "s2";
	assert_int_equal(run(), WRIT_E_APPROVAL);
	request.session = "s1";
	assert_int_equal(writ_grants_revoke(approvals, id, &err), WRIT_OK);
	assert_int_equal(run(), WRIT_E_APPROVAL);
}

static void
a_shape_is_not_asked_again(void **state)
{
	static const char *const other[] = {"touch", "other", NULL};
	static const char *const more[] = {"touch", "-r", "made", "x", NULL};
	char id[WRIT_APPROVAL_ID_LEN + 1];
	writ_answer given = WRIT_ANSWER_INIT;

	(void)state;
	ask_engine(id);
	given.is_approved = true;
	given.scope = WRIT_SCOPE_SHAPE;
	given.rule = "allow: touch *";
	assert_int_equal(
	    writ_approvals_answer(approvals, id, &given, &err), WRIT_OK);
	assert_int_equal(run(), WRIT_OK);
	request.argv = other;
	request.session = "s2";
	assert_int_equal(run(), WRIT_OK);
	assert_true(temp_has(&work, "other"));
	request.argv = more;
	assert_int_equal(run(), WRIT_E_APPROVAL);
	request.argv = other;
	request.agent = "somebody";
	assert_int_equal(run(), WRIT_E_APPROVAL);
}

static void
a_question_can_be_withdrawn(void **state)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];

	(void)state;
	ask_engine(id);
	writ_approval_withdraw(engine, id);
	assert_int_equal(state_of(id), WRIT_APPROVAL_ABANDONED);
	assert_int_equal(answer(id, true, WRIT_SCOPE_ONCE), WRIT_E_INVALID);
}

static void
only_what_was_refused_can_be_asked_about(void **state)
{
	static const char *const fine[] = {"true", NULL};
	char id[WRIT_APPROVAL_ID_LEN + 1];
	writ_request other = request;

	(void)state;
	assert_int_equal(writ_approval_ask(engine, &request, NULL, id, &err),
	    WRIT_E_INVALID);
	assert_int_equal(run(), WRIT_E_APPROVAL);
	other.argv = fine;
	assert_int_equal(
	    writ_approval_ask(engine, &other, NULL, id, &err), WRIT_E_INVALID);
	request.argv = fine;
	assert_int_equal(run(), WRIT_OK);
	assert_int_equal(writ_approval_ask(engine, &request, NULL, id, &err),
	    WRIT_E_INVALID);
}

static bool
count_kind(void *ctx, const writ_record *record)
{
	(void)record;
	++*(unsigned *)ctx;
	return true;
}

static void
the_trail_has_question_and_answer_and_verifies(void **state)
{
	static const char *const kinds[] = {"ask", "answer", "begin", "revoke"};
	writ_audit_options options = WRIT_AUDIT_OPTIONS_INIT;
	char id[WRIT_APPROVAL_ID_LEN + 1];
	writ_audit_proof proof;
	writ_audit *audit;

	(void)state;
	ask_engine(id);
	assert_int_equal(answer(id, true, WRIT_SCOPE_SESSION), WRIT_OK);
	assert_int_equal(run(), WRIT_OK);
	assert_int_equal(writ_grants_revoke(approvals, id, &err), WRIT_OK);
	options.state_dir = temp.path;
	for (int no_index = 0; no_index < 2; no_index++) {
		options.no_index = no_index == 1;
		assert_int_equal(
		    writ_audit_open(&options, &audit, &err), WRIT_OK);
		assert_int_equal(
		    writ_audit_verify(audit, NULL, NULL, NULL, &proof, &err),
		    WRIT_OK);
		assert_int_equal(proof.bad, 0);
		for (size_t i = 0; i < 4; i++) {
			writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;
			unsigned count = 0;

			filter.kind = kinds[i];
			assert_int_equal(writ_audit_records(audit, &filter,
					     count_kind, &count, &err),
			    WRIT_OK);
			assert_int_equal(count, 1);
		}
		writ_audit_free(audit);
	}
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
	    CASE(what_is_approved_runs_once_and_nothing_else_does),
	    CASE(another_process_with_the_same_request_may_use_it),
	    CASE(a_question_that_stays_outlives_who_asked_and_is_asked_once),
	    CASE(who_attends_is_known_until_it_ends),
	    CASE(a_denied_question_is_a_refusal),
	    CASE(a_session_is_not_asked_again),
	    CASE(a_shape_is_not_asked_again),
	    CASE(a_question_can_be_withdrawn),
	    CASE(only_what_was_refused_can_be_asked_about),
	    CASE(the_trail_has_question_and_answer_and_verifies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
