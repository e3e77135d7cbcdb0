/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The exec tool of the story: command, args and cwd, beneath a base directory,
 * with a list of commands that are refused.
 *
 *     cc story.c $(pkg-config --cflags --libs writ) && ./a.out
 */

#include <stdio.h>
#include <string.h>

#include <writ/writ.h>

static const char policy[] = "version: 1\n"
			     "include: [denylist]\n"
			     "limits: { timeout: 30s }\n";

static const char *const calls[] = {
    "{\"command\": \"echo\", \"args\": [\"hello; it is literal\"]}",
    "{\"command\": \"sudo\", \"args\": [\"whoami\"]}",
    "{\"command\": \"pwd\", \"args\": [], \"cwd\": \"../../../etc\"}",
};

int
main(void)
{
	writ_engine_options engine_options = WRIT_ENGINE_OPTIONS_INIT;
	writ_tool_options options = WRIT_TOOL_OPTIONS_INIT;
	writ_engine *engine = NULL;
	writ_tool *tool = NULL;
	writ_error err;

	engine_options.policy = policy;
	engine_options.policy_len = strlen(policy);
	options.shape = "story";
	if (writ_engine_new(&engine_options, &engine, &err) != WRIT_OK ||
	    writ_tool_new(engine, &options, &tool, &err) != WRIT_OK) {
		(void)fprintf(stderr, "story: %s\n", err.message);
		return writ_status_exit(err.status);
	}
	(void)printf("%s %s\n", writ_tool_name(tool), writ_tool_schema(tool));
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		writ_tool_answer answer = {.is_error = false};

		if (writ_tool_call(tool, calls[i], strlen(calls[i]), &answer,
			&err) == WRIT_OK)
			(void)printf("%s%s\n", answer.is_error ? "error: " : "",
			    answer.text);
		writ_tool_answer_done(&answer);
	}
	writ_tool_free(tool);
	writ_engine_free(engine);
	return 0;
}
