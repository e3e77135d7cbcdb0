/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The tool that runs commands for an agent, called in process: from the JSON
 * that a model wrote to the text that it reads. Everything is in the time: the
 * input checked, the policy asked, the run, its record, and the answer.
 */

#include <stdio.h>
#include <string.h>

#include "plan.h"
#include "shots.h"

enum {
	TOOLS = 4
};

static const char input[] = "{\"command\": \"/bin/true\", \"args\": []}";

/* One tool for each policy and profile of a seat, made by the first sample. */
struct made_tool {
	const char *preset;
	const char *sandbox;
	writ_tool *tool;
};

static writ_tool *
make_tool(const struct seat *seat, const char *preset, const char *sandbox)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	writ_tool_options of_tool = WRIT_TOOL_OPTIONS_INIT;
	writ_config *config = NULL;
	writ_engine *engine = NULL;
	writ_tool *tool = NULL;
	writ_error err = {0};
	char policy[128];

	(void)snprintf(policy, sizeof(policy),
	    "version: 1\ninclude: [%s]\nsandbox: %s\n", preset, sandbox);
	options.policy = policy;
	options.policy_len = strlen(policy);
	options.base = seat->stage[0] == '\0' ? NULL : seat->stage;
	options.no_audit = seat->state[0] == '\0';
	of_tool.shape = "story";
	of_tool.base = options.base;
	writ_status status = writ_config_new(&config, &err);
	if (status == WRIT_OK && !options.no_audit)
		status =
		    writ_config_set(config, "state_dir", seat->state, &err);
	options.config = config;
	if (status == WRIT_OK)
		status = writ_engine_new(&options, &engine, &err);
	if (status == WRIT_OK)
		status = writ_tool_new(engine, &of_tool, &tool, &err);
	if (status != WRIT_OK)
		(void)fprintf(stderr, "bench: %s\n", err.message);
	writ_config_free(config);
	return tool;
}

static writ_tool *
tool_of(const struct seat *seat, const char *preset, const char *sandbox)
{
	static struct made_tool made[TOOLS];

	for (size_t i = 0; i < TOOLS; i++) {
		if (made[i].sandbox == NULL) {
			made[i].preset = preset;
			made[i].sandbox = sandbox;
			made[i].tool = make_tool(seat, preset, sandbox);
		}
		if (strcmp(made[i].preset, preset) == 0 &&
		    strcmp(made[i].sandbox, sandbox) == 0)
			return made[i].tool;
	}
	return NULL;
}

struct sample
shot_tool(const struct seat *seat, const struct variant *variant)
{
	writ_tool *tool = tool_of(seat, variant->argv[0], variant->sandbox);
	writ_tool_answer answer = {.is_error = false};
	struct sample sample = {0};

	if (tool == NULL)
		return sample;
	const uint64_t start = bench_now_ns();
	if (writ_tool_call(tool, input, sizeof(input) - 1, &answer, NULL) ==
		WRIT_OK &&
	    !answer.is_error)
		sample.ns = bench_now_ns() - start;
	else if (answer.text != NULL)
		(void)fprintf(stderr, "bench: %s\n", answer.text);
	writ_tool_answer_done(&answer);
	return sample;
}

/* clang-format off */
#define TOOL(name, seat, preset, profile) \
	{name, seat, shot_tool, WRIT_HOLD_AUTO, WORDS(preset), profile}
#define FLOOR(name, seat) {name, seat, shot_floor, 0, TRUE_ARGV, NULL}

const struct variant tool_variants[] = {
	FLOOR("tool.floor", SEAT_ROOT),
	FLOOR("tool.floor.again", SEAT_ROOT),
	TOOL("tool.none", SEAT_ROOT, "denylist", "none"),
	TOOL("tool.workspace", SEAT_ROOT, "denylist", "workspace"),
	TOOL("tool.open", SEAT_ROOT, "open", "none"),
	TOOL("tool.open.workspace", SEAT_ROOT, "open", "workspace"),
	FLOOR("tool.user.floor", SEAT_USER),
	TOOL("tool.user.none", SEAT_USER, "denylist", "none"),
	TOOL("tool.user.workspace", SEAT_USER, "denylist", "workspace"),
	{.name = NULL},
};

const struct row tool_rows[] = {
	{"writ_tool_call, no sandbox, root", ROW_MIN,
	 "tool.floor", "tool.none", 1.10, 0},
	{"writ_tool_call, workspace, root", ROW_MIN,
	 "tool.floor", "tool.workspace", 1.45, 0},
	{"writ_tool_call, policy open, no sandbox, root", ROW_MIN,
	 "tool.floor", "tool.open", 0, 0},
	{"writ_tool_call, policy open, workspace, root", ROW_MIN,
	 "tool.floor", "tool.open.workspace", 0, 0},
	{"writ_tool_call, no sandbox, user", ROW_MIN,
	 "tool.user.floor", "tool.user.none", 0, 0},
	{"writ_tool_call, workspace, user", ROW_MIN,
	 "tool.user.floor", "tool.user.workspace", 0, 0},
	{"the same by medians, no sandbox, root", ROW_RATIO,
	 "tool.floor", "tool.none", 0, 0},
	{"the same by medians, workspace, root", ROW_RATIO,
	 "tool.floor", "tool.workspace", 0, 0},
	{"same against same, root", ROW_SAME,
	 "tool.floor", "tool.floor.again", 0, 0},
	{.text = NULL},
};
/* clang-format on */
