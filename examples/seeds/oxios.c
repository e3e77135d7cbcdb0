/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The exec tool with two modes: shell texts, or a listed program with its
 * arguments; and an agent with fewer tools.
 *
 *     cc oxios.c $(pkg-config --cflags --libs writ) && ./a.out
 */

#include <stdio.h>
#include <string.h>

#include <writ/writ.h>

static const char policy[] =
    "version: 1\n"
    "include: [allowlist]\n"
    "programs: [echo, ls]\n"
    "shell: allow\n"
    "limits: { timeout: 120s, max_timeout: 600s }\n"
    "agents:\n"
    "  helper:\n"
    "    tools: [ls]\n"
    "    message: \"agent '{agent}' is not allowed to execute '{command}'\"\n";

static const char *const calls[] = {
    "{\"mode\": \"shell\", \"command\": \"echo foo | tr f b\"}",
    "{\"mode\": \"structured\", \"binary\": \"echo\", \"args\": [\"hi\"]}",
    "{\"mode\": \"structured\", \"binary\": \"rm\", \"args\": [\"-rf\"]}",
};

static int
try_all(writ_engine *engine, const char *agent)
{
	writ_tool_options options = WRIT_TOOL_OPTIONS_INIT;
	writ_tool *tool = NULL;
	writ_error err;

	options.agent = agent;
	if (writ_tool_new(engine, &options, &tool, &err) != WRIT_OK)
		return writ_status_exit(err.status);
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		writ_tool_answer answer = {.is_error = false};

		if (writ_tool_call(tool, calls[i], strlen(calls[i]), &answer,
			&err) == WRIT_OK)
			(void)printf("%s%s\n", answer.is_error ? "error: " : "",
			    answer.text);
		writ_tool_answer_done(&answer);
	}
	writ_tool_free(tool);
	return 0;
}

int
main(void)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	writ_engine *engine = NULL;
	writ_error err;

	options.policy = policy;
	options.policy_len = strlen(policy);
	if (writ_engine_new(&options, &engine, &err) != WRIT_OK)
		return writ_status_exit(err.status);
	int code = try_all(engine, NULL);
	if (code == 0)
		code = try_all(engine, "helper");
	writ_engine_free(engine);
	return code;
}
