/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Requests about tools, prompts and completion in which each allocation fails
 * in turn. Each is answered at most once, with JSON, and works the next time.
 */

#include <errno.h>
#include <stdio.h>

#include "../unit/mcp_pair.h"
#include "../unit/temp.h"
#include "inject.h"

#define REQUEST(method, params)                                               \
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" method "\",\"params\":" \
	"{" params "}}"
#define CALL(name, arguments)                          \
	REQUEST("tools/call", "\"name\":\"" name "\"," \
			      "\"arguments\":{" arguments "}")

static struct temp home;

static int
set_up(void **state)
{
	static const char module[] =
	    "spec_version: \"1.0\"\nbindings:\n- module_id: my.echo\n"
	    "  target: exec:///bin/echo\n  description: Says it\n"
	    "  input_schema: {type: object, properties: {word: {type: string, "
	    "x-apexe-positional: 0}}, additionalProperties: false}\n";

	(void)state;
	temp_open(&home);
	temp_dir(&home, "config");
	temp_dir(&home, "config/modules");
	temp_file(&home, "config/modules/echo.binding.yaml", 0644, module);
	(void)setenv("WRIT_POLICY", "open", 1);
	(void)setenv("WRIT_CONFIG_DIR", temp_path(&home, "config"), 1);
	(void)setenv("WRIT_SYSTEM_DIR", temp_path(&home, "system"), 1);
	(void)setenv("WRIT_CACHE_DIR", temp_path(&home, "cache"), 1);
	(void)setenv("WRIT_STATE_DIR", temp_path(&home, "state"), 1);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	temp_close(&home);
	return 0;
}

static void
check_answers(const struct talk *talk)
{
	const char *line = talk->said.data;
	size_t count = 0;

	while (*line != '\0') {
		const size_t len = strcspn(line, "\n");
		yyjson_doc *doc = yyjson_read(line, len, 0);

		if (doc == NULL)
			fail_msg("no JSON: %s", line);
		count++;
		yyjson_doc_free(doc);
		line += len + 1;
	}
	assert_true(count <= 1);
}

/* false: nothing was left to refuse. */
static bool
try(const char *request, const char *wanted, unsigned first)
{
	enum {
		ROOM = 1 << 20
	};
	struct talk talk;

	talk_open(&talk);
	talk.server->methods = w_methods;
	greet(&talk, "2025-11-25");
	forget(&talk);

	/* The fixture's own memory does not fail. */
	w_buf_add_char(&talk.said, ' ');
	char *room = realloc(talk.said.data, ROOM);
	assert_non_null(room);
	talk.said.data = room;
	talk.said.cap = ROOM;
	talk.said.len = 0;
	talk.said.data[0] = '\0';
	inject_arm("allocation", first, 1, ENOMEM);
	w_connection_receive(&talk.connection, request, strlen(request));
	const bool was_refused = inject_disarm();
	check_answers(&talk);
	assert_null(talk.connection.rpc_requests);
	assert_has(say(&talk, request), wanted);
	talk_close(&talk);
	return was_refused;
}

/* There may be thousands, most of them the same for each of many modules: the
 * first ones are all refused, later ones at growing distances. */
static void
survive(const char *request, const char *wanted)
{
	unsigned first = 1;

	while (try(request, wanted, first)) {
		assert_true(first < 1000000);
		first += 1 + first / 100;
	}
	assert_true(first > 5);
}

static void
a_list_survives(void **state)
{
	(void)state;
	survive(REQUEST("tools/list", ""), "my_echo");
}

static void
arguments_that_are_wrong_survive(void **state)
{
	(void)state;
	survive(CALL("exec", "\"arg\":[\"x\"],\"env\":{\"A\":1}"),
	    "did you mean 'argv'?");
	survive(CALL("my_echo", "\"words\":\"x\""), "did you mean 'word'?");
	survive(CALL("exce", ""), "did you mean 'exec'?");
}

static void
modules_survive(void **state)
{
	(void)state;
	survive(CALL("module_search", "\"query\":\"says it\""), "my.echo");
	survive(CALL("module_describe", "\"id\":\"my.echo\""), "my_echo");
}

static void
decisions_survive(void **state)
{
	(void)state;
	survive(CALL("policy_check", "\"argv\":[\"true\"]"),
	    "allow: the policy allows it");
	survive(CALL("policy_check", "\"cmd\":[\"true\"],\"workdir\":\"/\""),
	    "allow: the policy allows it");
	survive(CALL("policy_check", "\"argv\":\"[\\\"true\\\"]\""),
	    "allow: the policy allows it");
}

static void
prompts_survive(void **state)
{
	(void)state;
	survive(REQUEST("prompts/list", ""), "explain_denial");
	survive(REQUEST("prompts/get", "\"name\":\"explain_denial\","
				       "\"arguments\":{\"command\":"
				       "\"true 'x'\"}"),
	    "\\\"decision\\\":\\\"allow\\\"");
	survive(REQUEST("completion/complete",
		    "\"ref\":{\"type\":\"ref/prompt\",\"name\":"
		    "\"use_module\"},\"argument\":{\"name\":\"id\","
		    "\"value\":\"my\"}"),
	    "my.echo");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_list_survives),
	    cmocka_unit_test(arguments_that_are_wrong_survive),
	    cmocka_unit_test(modules_survive),
	    cmocka_unit_test(decisions_survive),
	    cmocka_unit_test(prompts_survive),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
