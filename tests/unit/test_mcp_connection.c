/* SPDX-License-Identifier: Apache-2.0 */
/* Responses to messages of a client: handshakes, versions, ids, faults. */
#include <stdio.h>

#include "mcp_pair.h"

#define ALONE(method, rest)                                  \
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" method \
	"\",\"params\":{" rest "}}"

struct saying {
	const char *text;
	const char *answer; /* its beginning; "": none */
};

static void
check(struct talk *talk, const struct saying *sayings, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *said = say(talk, sayings[i].text);

		if (sayings[i].answer[0] == '\0')
			assert_string_equal(said, "");
		else
			assert_begins(said, sayings[i].answer);

		/* And the next message works. */
		assert_string_equal(
		    say(talk, "{\"jsonrpc\":\"2.0\",\"id\":\"next\","
			      "\"method\":\"ping\"}"),
		    RESULT_OF("\"next\""));
	}
}

#define CHECK(talk, sayings) \
	check(talk, sayings, sizeof(sayings) / sizeof((sayings)[0]))

static void
each_version_is_answered_with_itself(void **state)
{
	(void)state;
	static const char *const versions[] = {
	    "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};

	for (size_t i = 0; i < 4; i++) {
		struct talk talk;
		char wanted[64];

		talk_open(&talk);
		greet(&talk, versions[i]);
		(void)snprintf(wanted, sizeof(wanted),
		    "\"protocolVersion\":\"%s\"", versions[i]);
		assert_has(talk.said.data, wanted);
		assert_true(talk.connection.has_handshake);
		assert_int_equal(talk.connection.version, i);
		assert_string_equal(talk.connection.client.name, "test");

		/* Forms exist since the third version. */
		assert_int_equal(
		    talk.connection.client.has_elicitation, i >= 2);
		talk_close(&talk);
	}
}

static void
an_unknown_version_gets_the_newest_with_a_handshake(void **state)
{
	(void)state;
	static const char *const versions[] = {
	    "", "2024-11-04", "2026-07-28", "9999-99-99"};

	for (size_t i = 0; i < 4; i++) {
		struct talk talk;

		talk_open(&talk);
		greet(&talk, versions[i]);
		assert_has(
		    talk.said.data, "\"protocolVersion\":\"2025-11-25\"");
		talk_close(&talk);
	}
}

static void
a_second_handshake_holds_from_then_on(void **state)
{
	(void)state;
	struct talk talk;

	talk_open(&talk);
	greet(&talk, "2025-11-25");
	greet(&talk, "2025-03-26");
	assert_int_equal(talk.connection.version, W_MCP_2025_03_26);
	talk_close(&talk);
}

static void
only_ping_is_answered_before_the_handshake(void **state)
{
	(void)state;
	static const struct saying sayings[] = {
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
		RESULT_OF("1")},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"test/nothing\"}",
		ERROR_OF("1", -32600)},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"no/such\"}",
		ERROR_OF("1", -32600)},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"logging/setLevel\","
	     "\"params\":{\"level\":\"info\"}}",
		ERROR_OF("1", -32600)},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\"}",
		ERROR_OF("1", -32602)},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}",
		ERROR_OF("1", -32602)},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\","
	     "\"params\":{\"protocolVersion\":5}}",
		ERROR_OF("1", -32602)},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\","
	     "\"params\":{\"protocolVersion\":\"2025-11-25\","
	     "\"capabilities\":[]}}",
		ERROR_OF("1", -32602)},
	    {"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]",
		ERROR_WITHOUT_ID(-32600)},
	};
	struct talk talk;

	talk_open(&talk);
	CHECK(&talk, sayings);
	assert_false(talk.connection.has_handshake);
	talk_close(&talk);
}

static void
what_is_no_message_is_told_so_once(void **state)
{
	(void)state;
	static const struct saying sayings[] = {
	    {"", ERROR_WITHOUT_ID(-32700)},
	    {"{", ERROR_WITHOUT_ID(-32700)},
	    {"\xff\xfe", ERROR_WITHOUT_ID(-32700)},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"",
		ERROR_WITHOUT_ID(-32700)},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xc3\"}",
		ERROR_WITHOUT_ID(-32700)},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} x",
		ERROR_WITHOUT_ID(-32700)},
	    {"5", ERROR_WITHOUT_ID(-32600)},
	    {"null", ERROR_WITHOUT_ID(-32600)},
	    {"\"ping\"", ERROR_WITHOUT_ID(-32600)},
	    {"[]", ERROR_WITHOUT_ID(-32600)},
	    {"{}", ERROR_WITHOUT_ID(-32600)},
	    {"{\"id\":3}", ERROR_OF("3", -32600)},
	    {"{\"jsonrpc\":\"1.0\",\"id\":3,\"method\":\"ping\"}",
		ERROR_OF("3", -32600)},
	    {"{\"jsonrpc\":2.0,\"id\":3,\"method\":\"ping\"}",
		ERROR_OF("3", -32600)},
	    {"{\"id\":3,\"method\":\"ping\"}", ERROR_OF("3", -32600)},
	    {"{\"jsonrpc\":\"2.0\",\"id\":3}", ERROR_OF("3", -32600)},
	    {"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":5}",
		ERROR_OF("3", -32600)},
	    {"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\\u0000\"}",
		ERROR_OF("3", -32600)},
	    {"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\",\"params\":[]}",
		ERROR_OF("3", -32602)},
	    {"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\",\"params\":"
	     "null}",
		ERROR_OF("3", -32602)},
	    {"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\",\"params\":{\"_"
	     "meta\":7}}",
		ERROR_OF("3", -32602)},
	    {"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"no/such\"}",
		ERROR_OF("3", -32601)},
	    {"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"\"}",
		ERROR_OF("3", -32601)},
	    /* JSON that writ does not accept: the id is still reported. */
	    {"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\",\"method\":"
	     "\"x\"}",
		ERROR_OF("3", -32600)},
	};
	struct talk talk;

	talk_open(&talk);
	greet(&talk, "2025-11-25");
	CHECK(&talk, sayings);
	talk_close(&talk);
}

static void
what_is_too_deep_is_told_by_its_id(void **state)
{
	(void)state;
	struct talk talk;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 1024 * 1024);
	w_buf_add_str(&buf, "{\"jsonrpc\":\"2.0\",\"id\":\"deep\",\"method\":"
			    "\"ping\",\"params\":{\"a\":");
	for (size_t i = 0; i < 100000; i++)
		w_buf_add_char(&buf, '[');
	for (size_t i = 0; i < 100000; i++)
		w_buf_add_char(&buf, ']');
	w_buf_add_str(&buf, "}}");
	talk_open(&talk);
	assert_begins(say(&talk, buf.data), ERROR_OF("\"deep\"", -32600));
	talk_close(&talk);
}

static void
ids_are_strings_and_integers(void **state)
{
	(void)state;
	static const struct saying sayings[] = {
	    {"{\"jsonrpc\":\"2.0\",\"id\":-1,\"method\":\"ping\"}",
		RESULT_OF("-1")},
	    {"{\"jsonrpc\":\"2.0\",\"id\":9223372036854775807,\"method\":"
	     "\"ping\"}",
		RESULT_OF("9223372036854775807")},
	    {"{\"jsonrpc\":\"2.0\",\"id\":18446744073709551615,\"method\":"
	     "\"ping\"}",
		RESULT_OF("18446744073709551615")},
	    {"{\"jsonrpc\":\"2.0\",\"id\":-9223372036854775808,\"method\":"
	     "\"ping\"}",
		RESULT_OF("-9223372036854775808")},
	    {"{\"jsonrpc\":\"2.0\",\"id\":\"\",\"method\":\"ping\"}",
		RESULT_OF("\"\"")},
	    {"{\"jsonrpc\":\"2.0\",\"id\":\"a\\u0000\\n\\\"\",\"method\":"
	     "\"ping\"}",
		RESULT_OF("\"a\\u0000\\n\\\"\"")},
	    {"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
		ERROR_WITHOUT_ID(-32600)},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}",
		ERROR_WITHOUT_ID(-32600)},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1e3,\"method\":\"ping\"}",
		ERROR_WITHOUT_ID(-32600)},
	    {"{\"jsonrpc\":\"2.0\",\"id\":99999999999999999999,\"method\":"
	     "\"ping\"}",
		ERROR_WITHOUT_ID(-32600)},
	    {"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}",
		ERROR_WITHOUT_ID(-32600)},
	    {"{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"ping\"}",
		ERROR_WITHOUT_ID(-32600)},
	    {"{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"ping\"}",
		ERROR_WITHOUT_ID(-32600)},
	};
	struct talk talk;

	talk_open(&talk);
	CHECK(&talk, sayings);
	talk_close(&talk);
}

static void
an_id_has_a_bound(void **state)
{
	(void)state;
	struct talk talk;

	talk_open(&talk);
	for (int len = W_RPC_ID_MAX; len <= W_RPC_ID_MAX + 1; len++) {
		char text[2 * W_RPC_ID_MAX];

		(void)snprintf(text, sizeof(text),
		    "{\"jsonrpc\":\"2.0\",\"id\":\"%0*d\",\"method\":\"ping\"}",
		    len, 7);
		assert_begins(say(&talk, text),
		    len == W_RPC_ID_MAX ? "{\"jsonrpc\":\"2.0\",\"id\":\"000"
					: ERROR_WITHOUT_ID(-32600));
	}
	talk_close(&talk);
}

static void
notifications_and_responses_are_never_answered(void **state)
{
	(void)state;
	static const struct saying sayings[] = {
	    {"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
		""},
	    {"{\"jsonrpc\":\"2.0\",\"method\":\"no/such\"}", ""},
	    {"{\"jsonrpc\":\"2.0\",\"method\":\"ping\"}", ""},
	    {"{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"params\":5}", ""},
	    {"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}",
		""},
	    {"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
	     "cancelled\",\"params\":{}}",
		""},
	    {"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
	     "cancelled\",\"params\":{\"requestId\":null}}",
		""},
	    {"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
	     "cancelled\",\"params\":{\"requestId\":77}}",
		""},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", ""},
	    {"{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"error\":{\"code\":1,"
	     "\"message\":\"\"}}",
		""},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"error\":{}}", ""},
	    {"{\"jsonrpc\":\"2.0\",\"error\":{}}", ""},
	    {"{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{}}", ""},
	    {"{\"id\":1,\"result\":{}}", ""},
	};
	struct talk talk;

	talk_open(&talk);
	greet(&talk, "2025-06-18");
	CHECK(&talk, sayings);
	talk_close(&talk);
}

static void
a_request_that_says_its_version_stands_alone(void **state)
{
	(void)state;
	static const struct saying sayings[] = {
	    {ALONE("test/nothing", META_OF("2026-07-28") "}"),
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":"
		"\"complete\",\"_meta\":{"
		"\"io.modelcontextprotocol/serverInfo\":{\"name\":\"writ\""},
	    {ALONE("server/discover", META_OF("2026-07-28") "}"),
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{"
		"\"supportedVersions\":[\"2026-07-28\"],"},
	    /* The version is checked before the method. */
	    {ALONE("ping", META_OF("2026-07-28") "}"), ERROR_OF("1", -32601)},
	    {ALONE("initialize", META_OF("2026-07-28") "}"),
		ERROR_OF("1", -32601)},
	    {ALONE("no/such", META_OF("2026-07-28") "}"),
		ERROR_OF("1", -32601)},
	    {ALONE("ping", META_OF("2026-07-29") "}"), ERROR_OF("1", -32022)},
	    {ALONE("no/such", META_OF("2025-11-25") "}"),
		ERROR_OF("1", -32022)},
	    {ALONE("ping", "\"_meta\":{\"io.modelcontextprotocol/"
			   "protocolVersion\":\"2026-07-28\"}"),
		ERROR_OF("1", -32602)},
	    {ALONE("ping", "\"_meta\":{\"io.modelcontextprotocol/"
			   "clientCapabilities\":{}}"),
		ERROR_OF("1", -32602)},
	    {ALONE("ping",
		 "\"_meta\":{\"io.modelcontextprotocol/clientInfo\":{}}"),
		ERROR_OF("1", -32602)},
	    {ALONE("ping", "\"_meta\":{\"io.modelcontextprotocol/"
			   "protocolVersion\":5,\"io.modelcontextprotocol/"
			   "clientCapabilities\":{}}"),
		ERROR_OF("1", -32602)},
	    {ALONE("ping", "\"_meta\":{\"io.modelcontextprotocol/"
			   "protocolVersion\":\"2026-07-28\",\"io."
			   "modelcontextprotocol/clientCapabilities\":[]}"),
		ERROR_OF("1", -32602)},
	    {ALONE("ping", META_OF("2026-07-28") ",\"io.modelcontextprotocol/"
						 "clientInfo\":5}"),
		ERROR_OF("1", -32602)},
	    {ALONE("ping", META_OF("2026-07-28") ",\"io.modelcontextprotocol/"
						 "logLevel\":\"loud\"}"),
		ERROR_OF("1", -32602)},
	    {ALONE("test/nothing",
		 META_OF("2026-07-28") ",\"progressToken\":{}}"),
		ERROR_OF("1", -32602)},
	};
	struct talk talk;

	talk_open(&talk);
	CHECK(&talk, sayings);

	/* Also next to a handshake, which stays as it was. */
	greet(&talk, "2025-06-18");
	CHECK(&talk, sayings);
	assert_int_equal(talk.connection.version, W_MCP_2025_06_18);
	talk_close(&talk);
}

static void
an_unspoken_version_is_told_which_there_are(void **state)
{
	(void)state;
	struct talk talk;

	talk_open(&talk);
	assert_has(say(&talk, ALONE("ping", META_OF("2030-01-01") "}")),
	    "\"data\":{\"supported\":[\"2026-07-28\"],\"requested\":"
	    "\"2030-01-01\"}");
	talk_close(&talk);
}

static void
what_a_client_says_of_itself_is_bounded(void **state)
{
	(void)state;
	struct talk talk;
	char text[1024];

	talk_open(&talk);
	(void)snprintf(text, sizeof(text),
	    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\","
	    "\"params\":{\"protocolVersion\":\"2025-11-25\",\"clientInfo\":{"
	    "\"name\":\"%062d\xe2\x82\xac\xe2\x82\xac\",\"version\":7}}}",
	    0);
	assert_has(say(&talk, text), "\"result\"");
	assert_int_equal(strlen(talk.connection.client.name), 62);
	assert_string_equal(talk.connection.client.version, "");
	assert_false(talk.connection.client.has_elicitation);
	talk_close(&talk);
}

static void
forms_at_an_address_alone_are_no_forms(void **state)
{
	(void)state;
	static const struct {
		const char *capability;
		bool has_forms;
	} cases[] = {
	    {"{}", true},
	    {"{\"form\":{}}", true},
	    {"{\"form\":{},\"url\":{}}", true},
	    {"{\"url\":{}}", false},
	    {"null", false},
	    {"true", false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct talk talk;
		char text[512];

		talk_open(&talk);
		(void)snprintf(text, sizeof(text),
		    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\","
		    "\"params\":{\"protocolVersion\":\"2025-11-25\","
		    "\"capabilities\":{\"elicitation\":%s}}}",
		    cases[i].capability);
		assert_has(say(&talk, text), "\"result\"");
		assert_int_equal(
		    talk.connection.client.has_elicitation, cases[i].has_forms);
		talk_close(&talk);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_version_is_answered_with_itself),
	    cmocka_unit_test(
		an_unknown_version_gets_the_newest_with_a_handshake),
	    cmocka_unit_test(a_second_handshake_holds_from_then_on),
	    cmocka_unit_test(only_ping_is_answered_before_the_handshake),
	    cmocka_unit_test(what_is_no_message_is_told_so_once),
	    cmocka_unit_test(what_is_too_deep_is_told_by_its_id),
	    cmocka_unit_test(ids_are_strings_and_integers),
	    cmocka_unit_test(an_id_has_a_bound),
	    cmocka_unit_test(notifications_and_responses_are_never_answered),
	    cmocka_unit_test(a_request_that_says_its_version_stands_alone),
	    cmocka_unit_test(an_unspoken_version_is_told_which_there_are),
	    cmocka_unit_test(what_a_client_says_of_itself_is_bounded),
	    cmocka_unit_test(forms_at_an_address_alone_are_no_forms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
