/* SPDX-License-Identifier: Apache-2.0 */

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>
#include <yyjson.h>

#include "cli/mcp/conformance_client.h"

/* A shell script in place of a server: $REPLY is the last message it got. */
static void
start(struct w_conformance_client *client, const char *script)
{
	static char shell[] = "/bin/sh";
	static char dash_c[] = "-c";
	char text[1024];
	char *const argv[] = {shell, dash_c, text, NULL};
	writ_error err;

	assert_true(strlen(script) < sizeof(text));
	(void)strcpy(text, script);
	assert_int_equal(
	    w_conformance_client_start(client, argv, &err), WRIT_OK);
}

static void
an_answer_is_found_among_other_messages(void **state)
{
	struct w_conformance_client client;
	yyjson_val *result = NULL;
	writ_error err;

	(void)state;
	start(&client,
	    "read -r REPLY; "
	    "echo '{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\","
	    "\"params\":{}}'; "
	    "echo '{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{\"it\":1}}'; "
	    "echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"it\":2}}'");
	assert_int_equal(
	    w_conformance_client_call(&client, "ping", "{}", &result, &err),
	    WRIT_OK);
	assert_int_equal(yyjson_get_int(yyjson_obj_get(result, "it")), 2);
	assert_int_equal(w_conformance_client_stop(&client, 5000), 0);
	w_conformance_client_done(&client);
}

static void
a_form_is_declined_and_counted(void **state)
{
	struct w_conformance_client client;
	yyjson_val *result = NULL;
	writ_error err;

	(void)state;
	start(&client,
	    "read -r REPLY; "
	    "echo '{\"jsonrpc\":\"2.0\",\"id\":\"f-1\",\"method\":"
	    "\"elicitation/create\",\"params\":{}}'; "
	    "read -r REPLY; "
	    "printf '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":%s}\\n' "
	    "\"$REPLY\"");
	assert_int_equal(w_conformance_client_call(
			     &client, "tools/call", "{}", &result, &err),
	    WRIT_OK);
	assert_int_equal(client.forms, 1);
	assert_string_equal(
	    yyjson_get_str(yyjson_obj_get(result, "id")), "f-1");
	assert_string_equal(yyjson_get_str(yyjson_obj_get(
				yyjson_obj_get(result, "result"), "action")),
	    "decline");
	w_conformance_client_done(&client);
}

static void
any_other_request_is_unknown(void **state)
{
	struct w_conformance_client client;
	yyjson_val *result = NULL;
	writ_error err;

	(void)state;
	start(&client,
	    "read -r REPLY; "
	    "echo '{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"roots/list\"}'; "
	    "read -r REPLY; "
	    "printf '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":%s}\\n' "
	    "\"$REPLY\"");
	assert_int_equal(
	    w_conformance_client_call(&client, "ping", "{}", &result, &err),
	    WRIT_OK);
	assert_int_equal(client.forms, 0);
	assert_int_equal(yyjson_get_int(yyjson_obj_get(result, "id")), 7);
	assert_int_equal(yyjson_get_int(yyjson_obj_get(
			     yyjson_obj_get(result, "error"), "code")),
	    -32601);
	w_conformance_client_done(&client);
}

static void
an_error_fails_with_what_it_says(void **state)
{
	struct w_conformance_client client;
	yyjson_val *result = NULL;
	writ_error err;

	(void)state;
	start(&client,
	    "read -r REPLY; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":"
	    "{\"code\":-32602,\"message\":\"no such tool\"}}'");
	assert_int_equal(w_conformance_client_call(
			     &client, "tools/call", "{}", &result, &err),
	    WRIT_E_INVALID);
	assert_string_equal(err.message, "-32602: no such tool");
	w_conformance_client_done(&client);
}

static void
what_is_no_json_is_told(void **state)
{
	struct w_conformance_client client;
	yyjson_val *result = NULL;
	writ_error err;

	(void)state;
	start(&client, "read -r REPLY; echo 'hello, world'");
	assert_int_not_equal(
	    w_conformance_client_call(&client, "ping", "{}", &result, &err),
	    WRIT_OK);
	w_conformance_client_done(&client);
}

static void
a_server_that_has_ended_is_told_with_its_last_line(void **state)
{
	struct w_conformance_client client;
	yyjson_val *result = NULL;
	writ_error err;
	W_AUTO_BUF struct w_buf log;

	(void)state;
	w_buf_init(&log, 1024);
	start(&client, "echo first >&2; echo last >&2; read -r REPLY; exit 3");
	assert_int_equal(
	    w_conformance_client_call(&client, "ping", "{}", &result, &err),
	    WRIT_E_SYSTEM);
	w_conformance_client_add_log(&client, &log);
	assert_string_equal(log.data, "last");
	assert_int_equal(w_conformance_client_stop(&client, 5000), 3);
	w_conformance_client_done(&client);
}

static void
one_that_closes_its_input_ends_nobody(void **state)
{
	struct w_conformance_client client;
	writ_error err;
	writ_status status = WRIT_OK;

	(void)state;
	start(&client, "exec <&-; sleep 10");
	for (int i = 0; i < 1000 && status == WRIT_OK; i++) {
		const struct timespec moment = {.tv_nsec = 1000000};

		status = w_conformance_client_notify(&client, "x", "{}", &err);
		(void)nanosleep(&moment, NULL);
	}
	assert_int_equal(status, WRIT_E_SYSTEM);
	w_conformance_client_done(&client);
}

static void
no_answer_comes_to_an_end(void **state)
{
	struct w_conformance_client client;
	yyjson_val *answer = NULL;
	writ_error err;

	(void)state;
	start(&client, "sleep 10");
	assert_int_equal(
	    w_conformance_client_send(&client, "ping", "{}", &err), WRIT_OK);
	assert_int_equal(w_conformance_client_wait(
			     &client, client.last_id, 50, &answer, &err),
	    WRIT_E_TIMEOUT);
	w_conformance_client_done(&client);
}

static void
one_that_does_not_end_with_its_input_is_killed(void **state)
{
	struct w_conformance_client client;
	pid_t pid;

	(void)state;
	start(&client, "exec sleep 10");
	pid = client.pid;
	assert_int_equal(w_conformance_client_stop(&client, 50), -1);
	assert_int_equal(kill(pid, 0), -1);
	w_conformance_client_done(&client);
}

static void
what_cannot_be_started_is_told(void **state)
{
	static char path[] = "/nonexistent/writ";
	char *const argv[] = {path, NULL};
	struct w_conformance_client client;
	writ_error err;

	(void)state;
	assert_int_equal(
	    w_conformance_client_start(&client, argv, &err), WRIT_E_SYSTEM);
	assert_non_null(strstr(err.message, path));
	w_conformance_client_done(&client);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_answer_is_found_among_other_messages),
	    cmocka_unit_test(a_form_is_declined_and_counted),
	    cmocka_unit_test(any_other_request_is_unknown),
	    cmocka_unit_test(an_error_fails_with_what_it_says),
	    cmocka_unit_test(what_is_no_json_is_told),
	    cmocka_unit_test(
		a_server_that_has_ended_is_told_with_its_last_line),
	    cmocka_unit_test(one_that_closes_its_input_ends_nobody),
	    cmocka_unit_test(no_answer_comes_to_an_end),
	    cmocka_unit_test(one_that_does_not_end_with_its_input_is_killed),
	    cmocka_unit_test(what_cannot_be_started_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
