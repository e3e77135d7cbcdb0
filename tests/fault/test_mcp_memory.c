/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A conversation in which each allocation fails in turn. Whatever is missing,
 * all that is said is JSON, a request is answered at most once, and the next
 * conversation works.
 */

#include <errno.h>
#include <stdio.h>

#include "../unit/mcp_pair.h"
#include "inject.h"

static size_t answers[8];

static void
note_answers(const struct talk *talk)
{
	const char *line = talk->said.data;

	memset(answers, 0, sizeof(answers));
	while (*line != '\0') {
		const size_t len = strcspn(line, "\n");
		yyjson_doc *doc = yyjson_read(line, len, 0);
		yyjson_val *id = yyjson_obj_get(yyjson_doc_get_root(doc), "id");

		if (doc == NULL)
			fail_msg("no JSON: %s", line);
		if (yyjson_is_uint(id) && yyjson_get_uint(id) < 8)
			answers[yyjson_get_uint(id)]++;
		yyjson_doc_free(doc);
		line += len + 1;
	}
}

static void
take(struct talk *talk, const char *text)
{
	w_connection_receive(&talk->connection, text, strlen(text));
}

static void
converse(struct talk *talk)
{
	take(talk, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\","
		   "\"params\":{\"protocolVersion\":\"2025-03-26\"}}");
	take(talk, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"test/hold\","
		   "\"params\":{\"_meta\":{\"progressToken\":1}}}");
	take(talk, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"no/such\"}");
	take(talk, "[{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"},"
		   "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\"}]");
	take(talk, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"test/nothing\","
		   "\"params\":{" META_OF("2026-07-28") "}}}");
	take(talk, "{\"jsonrpc\":\"2.0\",\"id\":6,\"id\":6}");
	take(talk, "{");
	for (size_t i = 0; i < held_count; i++) {
		w_rpc_request_progress(held[i], "on its way");
		w_rpc_request_reply(held[i], "\"a\":1", 5);
	}
	take(talk,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
	    "\"params\":{\"requestId\":1}}");
}

static void
each_allocation_may_fail(void **state)
{
	(void)state;
	bool was_refused = true;

	for (unsigned first = 1; was_refused; first++) {
		struct talk talk;

		talk_open(&talk);

		/* The fixture's own memory does not fail. */
		w_buf_add_str(&talk.said, "{}\n");
		char *room = realloc(talk.said.data, 64 * 1024);
		assert_non_null(room);
		talk.said.data = room;
		talk.said.cap = 64 * 1024;
		inject_arm("allocation", first, 1, ENOMEM);
		converse(&talk);
		was_refused = inject_disarm();
		note_answers(&talk);
		for (size_t i = 0; i < 8; i++)
			assert_true(answers[i] <= 1);
		assert_null(talk.connection.rpc_requests);
		assert_int_equal(talk.connection.by_id.count, 0);
		assert_has(say(&talk, "{\"jsonrpc\":\"2.0\",\"id\":7,"
				      "\"method\":\"ping\"}"),
		    RESULT_OF("7"));
		talk_close(&talk);
		assert_true(first < 10000);
	}
}

static void
a_server_that_cannot_be_made_says_why(void **state)
{
	(void)state;
	static const struct w_mcp_options options = {.no_audit = true};
	bool was_refused = true;

	for (unsigned first = 1; was_refused; first++) {
		struct w_mcp *server = NULL;
		writ_error err = {.status = WRIT_OK};

		inject_arm("allocation", first, 1, ENOMEM);
		writ_status status = w_mcp_new(&options, &server, &err);
		was_refused = inject_disarm();
		if (status != WRIT_OK) {
			assert_null(server);
			assert_int_equal(err.status, status);
			assert_true(err.message[0] != '\0');
		}
		w_mcp_free(server);
		assert_true(first < 1000);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_allocation_may_fail),
	    cmocka_unit_test(a_server_that_cannot_be_made_says_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
