/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a model wrote for a tool that runs commands. Whatever the bytes are,
 * there is an answer in UTF-8, and a request that keeps the agent and the
 * caller of the tool; the policy denies everything, so nothing runs.
 *
 * The first byte chooses the shape, the rest is the input.
 */

#include <yyjson.h>

#include <writ/tool.h>

#include "check.h"

static const char policy[] = "version: 1\ndefault: deny\nsandbox: none\n"
			     "agents: {fuzzed: {}}\n";
static const char *const shapes[] = {"argv", "story", "oxios"};

#define SHAPES (sizeof(shapes) / sizeof(shapes[0]))

static writ_tool *
make(const char *shape)
{
	static writ_engine *engine;
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	writ_tool_options of_tool = WRIT_TOOL_OPTIONS_INIT;
	writ_tool *tool = NULL;

	options.policy = policy;
	options.policy_len = sizeof(policy) - 1;
	options.no_audit = true;
	of_tool.shape = shape;
	of_tool.base = "/tmp";
	of_tool.agent = "fuzzed";
	if (engine == NULL)
		CHECK(writ_engine_new(&options, &engine, NULL) == WRIT_OK);
	CHECK(writ_tool_new(engine, &of_tool, &tool, NULL) == WRIT_OK);
	return tool;
}

static void
check_answer(const writ_tool_answer *answer)
{
	CHECK(answer->is_error && answer->status != WRIT_OK);
	CHECK(strlen(answer->text) == answer->text_len);
	CHECK(w_utf8_valid(answer->text, answer->text_len));
	yyjson_doc *doc = yyjson_read(answer->json, answer->json_len, 0);
	CHECK(yyjson_is_obj(yyjson_obj_get(yyjson_doc_get_root(doc), "error")));
	yyjson_doc_free(doc);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static writ_tool *tools[SHAPES];
	writ_tool_answer answer = {.is_error = false};
	writ_tool_run *run = NULL;
	writ_error err = {.status = WRIT_OK};

	if (size == 0 || size > 65536)
		return 0;
	writ_tool **tool = &tools[data[0] % SHAPES];
	if (*tool == NULL)
		*tool = make(shapes[data[0] % SHAPES]);
	const char *input = (const char *)data + 1;
	writ_status status =
	    writ_tool_check(*tool, input, size - 1, &run, &err);
	CHECK(status == WRIT_OK || status == WRIT_E_INVALID);
	CHECK((status == WRIT_OK) == (run != NULL));
	if (run != NULL) {
		const writ_request *request = writ_tool_run_request(run);

		CHECK(request->caller == WRIT_CALLER_UNTRUSTED);
		CHECK(strcmp(request->agent, "fuzzed") == 0);
		CHECK(request->sandbox == NULL && request->write == NULL &&
		      request->approval == NULL && request->cwd != NULL);
		CHECK((request->argv != NULL) != (request->shell != NULL));
	} else {
		CHECK(err.message[0] != '\0');
	}
	writ_tool_run_free(run);
	CHECK(writ_tool_call(*tool, input, size - 1, &answer, NULL) == WRIT_OK);
	check_answer(&answer);
	writ_tool_answer_done(&answer);
	return 0;
}
