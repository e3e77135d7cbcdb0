/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a request: kept, answered once, cancelled; batches; progress; our
 * own requests. */
#include <stdio.h>

#include "mcp_pair.h"

#define HOLD(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"test/hold\"}"
#define PING(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"ping\"}"
#define CANCEL(id)                                                     \
	"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"," \
	"\"params\":{\"requestId\":" id "}}"

static void
a_kept_request_is_answered_later(void **state)
{
	(void)state;
	struct talk talk;

	talk_open(&talk);
	greet(&talk, "2025-11-25");
	assert_string_equal(say(&talk, HOLD("1")), "");
	assert_string_equal(say(&talk, PING("2")), RESULT_OF("2"));
	forget(&talk);
	w_rpc_request_reply(held[0], "\"a\":1", 5);
	assert_string_equal(talk.said.data,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":1}}\n");
	assert_null(talk.connection.rpc_requests);
	assert_int_equal(talk.connection.by_id.count, 0);
	assert_int_equal(cancelled_count, 0);
	talk_close(&talk);
}

static void
an_id_under_way_is_not_taken_twice(void **state)
{
	(void)state;
	struct talk talk;

	talk_open(&talk);
	greet(&talk, "2025-11-25");
	(void)say(&talk, HOLD("1"));
	assert_begins(say(&talk, PING("1")), ERROR_OF("1", -32600));
	assert_begins(say(&talk, HOLD("1")), ERROR_OF("1", -32600));

	/* A string is a different id from the number it looks like. */
	assert_string_equal(say(&talk, PING("\"1\"")), RESULT_OF("\"1\""));
	w_rpc_request_reply(held[0], "", 0);
	assert_string_equal(say(&talk, PING("1")), RESULT_OF("1"));
	talk_close(&talk);
}

static void
a_request_taken_back_is_not_answered(void **state)
{
	(void)state;
	struct talk talk;

	talk_open(&talk);
	greet(&talk, "2025-11-25");
	(void)say(&talk, HOLD("1"));
	(void)say(&talk, HOLD("\"x\""));
	assert_string_equal(say(&talk, CANCEL("\"1\"")), "");
	assert_int_equal(cancelled_count, 0);
	assert_string_equal(say(&talk, CANCEL("1")), "");
	assert_int_equal(cancelled_count, 1);
	assert_string_equal(say(&talk, CANCEL("1")), "");
	assert_int_equal(cancelled_count, 1);
	assert_ptr_equal(talk.connection.rpc_requests, held[1]);
	talk_close(&talk);
	assert_int_equal(cancelled_count, 2);
}

static void
a_connection_that_goes_takes_all_with_it(void **state)
{
	(void)state;
	struct talk talk;
	char text[128];

	talk_open(&talk);
	greet(&talk, "2025-11-25");
	for (int i = 0; i < 10000; i++) {
		(void)snprintf(text, sizeof(text),
		    "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"test/hold\"}",
		    i);
		(void)say(&talk, text);
	}
	assert_int_equal(held_count, 10000);
	assert_int_equal(talk.connection.by_id.count, 10000);
	for (int i = 0; i < 10000; i += 2) {
		(void)snprintf(text, sizeof(text),
		    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
		    "cancelled\",\"params\":{\"requestId\":%d}}",
		    i);
		(void)say(&talk, text);
	}
	assert_int_equal(cancelled_count, 5000);
	forget(&talk);
	w_connection_close(&talk.connection);
	assert_int_equal(cancelled_count, 10000);
	assert_string_equal(talk.said.data, "");
	talk_close(&talk);
}

static void
errors_of_the_library_keep_their_words(void **state)
{
	(void)state;
	struct talk talk;
	writ_error err = {.status = WRIT_E_INVALID,
	    .message = "cut \xe2\x82",
	    .suggestion = "do it"};

	talk_open(&talk);
	greet(&talk, "2025-11-25");
	(void)say(&talk, HOLD("1"));
	(void)say(&talk, HOLD("2"));
	forget(&talk);
	w_rpc_request_fail_with(held[0], &err);
	assert_string_equal(talk.said.data,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,"
	    "\"message\":\"cut ??\",\"data\":{\"code\":\"invalid\","
	    "\"suggestion\":\"do it\"}}}\n");
	err.status = WRIT_E_SYSTEM;
	forget(&talk);
	w_rpc_request_fail_with(held[1], &err);
	assert_begins(talk.said.data, ERROR_OF("2", -32603));
	talk_close(&talk);
}

static void
results_without_a_handshake_say_what_they_are(void **state)
{
	(void)state;
	struct talk talk;

	talk_open(&talk);
	for (size_t i = 0; i < 3; i++) {
		char text[512];

		(void)snprintf(text, sizeof(text),
		    "{\"jsonrpc\":\"2.0\",\"id\":%zu,\"method\":\"test/hold\","
		    "\"params\":{" META_OF("2026-07-28") "}}}",
		    i);
		(void)say(&talk, text);
	}
	forget(&talk);
	w_rpc_request_reply(held[0], "\"a\":1", 5);
	assert_has(talk.said.data,
	    "\"result\":{\"a\":1,\"resultType\":\"complete\",\"_meta\":{"
	    "\"io.modelcontextprotocol/serverInfo\":{\"name\":\"writ\"");
	forget(&talk);
	w_rpc_request_reply_cacheable(held[1], "", 0, 5000);
	assert_has(talk.said.data,
	    "\"result\":{\"ttlMs\":5000,\"cacheScope\":\"private\","
	    "\"resultType\":\"complete\",\"_meta\":{");
	forget(&talk);
	w_rpc_request_reply_input_required(held[2], "\"a\":1", 5);
	assert_has(talk.said.data,
	    "\"result\":{\"a\":1,\"resultType\":\"input_required\",");
	talk_close(&talk);
}

static void
a_batch_is_answered_by_one_array(void **state)
{
	(void)state;
	struct talk talk;

	talk_open(&talk);
	greet(&talk, "2025-03-26");
	assert_string_equal(
	    say(&talk,
		"[" PING("1") ",{\"jsonrpc\":\"2.0\",\"method\":\"x\"},5," PING(
		    "2") "]"),
	    "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}},"
	    "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":"
	    "\"a message has to be an object\"}},"
	    "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}]\n");

	/* It waits for its last answer, not for cancelled ones. */
	assert_string_equal(
	    say(&talk, "[" HOLD("3") "," PING("4") "," HOLD("5") "]"), "");
	assert_string_equal(say(&talk, CANCEL("3")), "");
	w_rpc_request_reply(held[1], "", 0);
	assert_string_equal(talk.said.data,
	    "[{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{}},"
	    "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{}}]\n");
	talk_close(&talk);
}

static void
a_batch_without_answers_is_not_answered(void **state)
{
	(void)state;
	struct talk talk;

	talk_open(&talk);
	greet(&talk, "2025-03-26");
	assert_string_equal(
	    say(&talk, "[{\"jsonrpc\":\"2.0\",\"method\":\"x\"}]"), "");
	assert_string_equal(say(&talk, "[" HOLD("3") "]"), "");
	assert_string_equal(say(&talk, CANCEL("3")), "");
	assert_int_equal(cancelled_count, 1);
	talk_close(&talk);
}

static void
what_is_too_large_for_an_array_comes_alone(void **state)
{
	(void)state;
	enum {
		LARGE = 5 * 1024 * 1024
	};
	struct talk talk;
	char *members = malloc(LARGE + 1);

	assert_non_null(members);
	memset(members, ' ', LARGE);
	members[LARGE] = '\0';
	memcpy(members, "\"a\":1", 5);
	talk_open(&talk);
	greet(&talk, "2025-03-26");
	(void)say(&talk, "[" HOLD("1") "," HOLD("2") "," PING("3") "]");
	assert_string_equal(talk.said.data, "");
	w_rpc_request_reply(held[0], members, LARGE);
	assert_string_equal(talk.said.data, "");
	w_rpc_request_reply(held[1], members, LARGE);
	assert_begins(talk.said.data, "{\"jsonrpc\":\"2.0\",\"id\":2,");
	assert_has(talk.said.data, "}\n[{\"jsonrpc\":\"2.0\",\"id\":3,"
				   "\"result\":{}},{\"jsonrpc\":\"2.0\","
				   "\"id\":1,");
	talk_close(&talk);
	free(members);
}

static void
what_a_batch_cannot_have_is_refused(void **state)
{
	(void)state;
	struct talk talk;
	W_AUTO_BUF struct w_buf many;

	w_buf_init(&many, 1024 * 1024);
	w_buf_add_str(&many, "[" PING("0"));
	for (int i = 1; i <= W_RPC_BATCH_MAX; i++)
		w_buf_add_str(&many, "," PING("0"));
	w_buf_add_char(&many, ']');
	talk_open(&talk);
	greet(&talk, "2025-03-26");
	assert_begins(say(&talk, "[]"), ERROR_WITHOUT_ID(-32600));
	assert_begins(say(&talk, many.data), ERROR_WITHOUT_ID(-32600));
	assert_begins(
	    say(&talk,
		"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\","
		"\"params\":{\"protocolVersion\":\"2025-11-25\"}}]"),
	    "[" ERROR_OF("1", -32600));
	assert_int_equal(talk.connection.version, W_MCP_2025_03_26);
	assert_begins(
	    say(&talk,
		"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"test/nothing\","
		"\"params\":{" META_OF("2026-07-28") "}}}]"),
	    "[" ERROR_OF("1", -32600));
	assert_begins(
	    say(&talk, "[[" PING("1") "]]"), "[" ERROR_WITHOUT_ID(-32600));
	talk_close(&talk);
}

static void
other_versions_have_no_batches(void **state)
{
	(void)state;
	static const char *const versions[] = {
	    "2024-11-05", "2025-06-18", "2025-11-25"};

	for (size_t i = 0; i < 3; i++) {
		struct talk talk;

		talk_open(&talk);
		greet(&talk, versions[i]);
		assert_begins(
		    say(&talk, "[" PING("1") "]"), ERROR_WITHOUT_ID(-32600));
		talk_close(&talk);
	}
}

static void
progress_is_told_to_who_wants_it_and_reads(void **state)
{
	(void)state;
	struct talk talk;

	talk_open(&talk);
	greet(&talk, "2025-11-25");
	(void)say(&talk, HOLD("1"));
	(void)say(&talk,
	    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"test/hold\","
	    "\"params\":{\"_meta\":{\"progressToken\":\"t\"}}}");
	forget(&talk);
	w_rpc_request_progress(held[0], "not wanted");
	talk.waiting = 1;
	w_rpc_request_progress(held[1], "not read");
	assert_string_equal(talk.said.data, "");

	talk.waiting = 0;
	w_rpc_request_progress(held[1], "one\ntwo");
	w_rpc_request_progress(held[1], "too soon");
	assert_string_equal(talk.said.data,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\","
	    "\"params\":{\"progressToken\":\"t\",\"progress\":1,"
	    "\"message\":\"one\"}}\n");

	/* As if time had passed. */
	held[1]->progress_ns -= 200 * UINT64_C(1000000);
	forget(&talk);
	w_rpc_request_progress(held[1], NULL);
	assert_has(talk.said.data, "\"progress\":2}}");
	talk_close(&talk);
}

static void
the_log_is_told_from_the_level_that_was_asked_for(void **state)
{
	(void)state;
	struct talk talk;

	talk_open(&talk);
	greet(&talk, "2025-11-25");
	(void)say(&talk, HOLD("1"));
	assert_string_equal(
	    say(&talk,
		"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"logging/setLevel\","
		"\"params\":{\"level\":\"warning\"}}"),
	    RESULT_OF("5"));
	assert_begins(
	    say(&talk,
		"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"logging/setLevel\","
		"\"params\":{\"level\":\"loud\"}}"),
	    ERROR_OF("5", -32602));
	(void)say(&talk, HOLD("2"));
	forget(&talk);
	w_rpc_request_log(held[0], W_MCP_LEVEL_EMERGENCY, "never asked for");
	w_rpc_request_log(held[1], W_MCP_LEVEL_INFO, "too mild");
	assert_string_equal(talk.said.data, "");
	w_rpc_request_log(held[1], W_MCP_LEVEL_WARNING, "it is %s", "late");
	assert_string_equal(talk.said.data,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\","
	    "\"params\":{\"level\":\"warning\",\"logger\":\"writ\","
	    "\"data\":\"it is late\"}}\n");
	talk_close(&talk);
}

struct heard {
	int count;
	char result[64];
	bool is_error;
	bool is_gone;
};

static void
hear_answer(void *ctx, yyjson_val *result, yyjson_val *error)
{
	struct heard *heard = ctx;
	const char *text = yyjson_get_str(yyjson_obj_get(result, "text"));

	heard->count++;
	heard->is_error = error != NULL;
	heard->is_gone = result == NULL && error == NULL;
	if (text != NULL)
		(void)snprintf(
		    heard->result, sizeof(heard->result), "%s", text);
}

static void
answers_find_the_question(void **state)
{
	(void)state;
	struct talk talk;
	struct heard heard[4] = {0};

	talk_open(&talk);
	assert_null(w_connection_ask(
	    &talk.connection, "x", "", hear_answer, &heard[0]));
	greet(&talk, "2025-11-25");
	forget(&talk);
	assert_non_null(w_connection_ask(
	    &talk.connection, "x", "\"a\":1", hear_answer, &heard[0]));
	assert_string_equal(talk.said.data,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":{"
	    "\"a\":1}}\n");
	assert_non_null(w_connection_ask(
	    &talk.connection, "x", "", hear_answer, &heard[1]));
	struct w_outgoing_request *third =
	    w_connection_ask(&talk.connection, "x", "", hear_answer, &heard[2]);
	assert_non_null(w_connection_ask(
	    &talk.connection, "x", "", hear_answer, &heard[3]));

	assert_string_equal(
	    say(&talk,
		"{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"text\":\"yes\"}}"),
	    "");
	assert_string_equal(heard[1].result, "yes");
	(void)say(
	    &talk, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1}}");
	assert_true(heard[0].is_error);

	/* Only once, and unknown numbers are ignored. */
	(void)say(&talk, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
	(void)say(&talk, "{\"jsonrpc\":\"2.0\",\"id\":\"3\",\"result\":{}}");
	assert_int_equal(heard[0].count, 1);

	forget(&talk);
	w_outgoing_request_cancel(third);
	assert_has(talk.said.data, "\"method\":\"notifications/cancelled\","
				   "\"params\":{\"requestId\":3,");
	(void)say(&talk, "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}");
	assert_int_equal(heard[2].count, 0);
	w_connection_close(&talk.connection);
	assert_int_equal(heard[3].count, 1);
	assert_true(heard[3].is_gone);
	talk_close(&talk);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_kept_request_is_answered_later),
	    cmocka_unit_test(an_id_under_way_is_not_taken_twice),
	    cmocka_unit_test(a_request_taken_back_is_not_answered),
	    cmocka_unit_test(a_connection_that_goes_takes_all_with_it),
	    cmocka_unit_test(errors_of_the_library_keep_their_words),
	    cmocka_unit_test(results_without_a_handshake_say_what_they_are),
	    cmocka_unit_test(a_batch_is_answered_by_one_array),
	    cmocka_unit_test(a_batch_without_answers_is_not_answered),
	    cmocka_unit_test(what_is_too_large_for_an_array_comes_alone),
	    cmocka_unit_test(what_a_batch_cannot_have_is_refused),
	    cmocka_unit_test(other_versions_have_no_batches),
	    cmocka_unit_test(progress_is_told_to_who_wants_it_and_reads),
	    cmocka_unit_test(the_log_is_told_from_the_level_that_was_asked_for),
	    cmocka_unit_test(answers_find_the_question),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
