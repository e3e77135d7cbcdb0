/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_SESSION_FIXTURE_H
#define TESTS_SESSION_FIXTURE_H

/* An engine and a session for each test. */

#include "engine_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static writ_session *session;
static char project[300];

static inline int
open_session(void **state)
{
	(void)set_up(state);
	(void)snprintf(project, sizeof(project), "%s/project", temp.path);
	assert_int_equal(mkdir(project, 0755), 0);
	assert_int_equal(
	    writ_session_open(engine, NULL, &session, NULL), WRIT_OK);
	return 0;
}

static inline int
close_session(void **state)
{
	writ_session_close(session);
	session = NULL;
	return tear_down(state);
}

#define SESSION(test) \
	cmocka_unit_test_setup_teardown(test, open_session, close_session)

static inline writ_request
within(writ_session *in, const char *text)
{
	static const char *places[2];
	writ_request request = shell(text);

	places[0] = project;
	request.in_session = in;
	request.sandbox = "workspace";
	request.network = WRIT_NETWORK_LOOPBACK;
	request.cwd = project;
	request.caller = WRIT_CALLER_TRUSTED;
	request.write = places;
	return request;
}

static inline writ_result *
run_request(const writ_request *request)
{
	writ_result *result = NULL;
	writ_error err = {0};

	if (writ_run(engine, request, &result, &err) != WRIT_OK)
		fail_msg("%s (%s)", err.message, err.suggestion);
	return result;
}

/* What a shell text writes, one run after the other. */
static inline void
expect(writ_session *in, const char *text, const char *output)
{
	const writ_request request = within(in, text);
	writ_result *result = run_request(&request);

	if (result->out[WRIT_STDERR].head_len > 0)
		print_message("# %s\n", result->out[WRIT_STDERR].head);
	assert_string_equal(result->out[WRIT_STDOUT].head, output);
	writ_result_free(result);
}

#endif /* TESTS_SESSION_FIXTURE_H */
