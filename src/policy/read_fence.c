/* SPDX-License-Identifier: Apache-2.0 */

/* Reading the keys that stand for rules of their own: default, programs,
 * arguments and shell. Each has a short form and a map. */

#include <string.h>

#include "policy/reading.h"

/* What their maps have. */
struct fence_reading {
	int mode; /* -1: not said */
	w_globs only;
	bool is_allowing;
	const char *program;
	const char *message;
	yyjson_val *message_val;
	const char *because;
};

static void
read_message(
    struct w_reading *reading, void *target, yyjson_val *key, yyjson_val *val)
{
	struct fence_reading *fence = target;

	(void)key;
	fence->message = w_read_message(reading, val);
	fence->message_val = val;
}

static void
read_because(
    struct w_reading *reading, void *target, yyjson_val *key, yyjson_val *val)
{
	struct fence_reading *fence = target;

	(void)key;
	fence->because = w_read_line(reading, val, "because");
}

/* A message for a mode in which nothing is refused would never be read. */
static void
check_message(struct w_reading *reading, const struct fence_reading *fence,
    const char *what, bool can_refuse)
{
	if (fence->message_val != NULL && !can_refuse)
		(void)w_read_refuse(reading, fence->message_val,
		    "%s refuses nothing by itself, so nobody reads its message",
		    what);
}

static struct w_rule *
explain(const struct fence_reading *fence, struct w_rule *rule)
{
	if (rule != NULL && fence->message != NULL)
		rule->message = fence->message;
	if (rule != NULL && fence->because != NULL)
		rule->because = fence->because;
	return rule;
}

/* ---- default ---- */

static const char *const verdict_words[] = {
    [W_ALLOW] = "allow", [W_ASK] = "ask", [W_DENY] = "deny", NULL};

static void
read_decision(
    struct w_reading *reading, void *target, yyjson_val *key, yyjson_val *val)
{
	struct fence_reading *fence = target;

	(void)key;
	fence->mode = w_read_choice(reading, val, "default", verdict_words);
}

static const struct w_read_key default_keys[] = {
    {"decision", read_decision},
    {"message", read_message},
    {"because", read_because},
    {NULL, NULL},
};

void
w_read_default(
    struct w_reading *reading, void *target, yyjson_val *key, yyjson_val *val)
{
	struct fence_reading fence = {.mode = -1};

	(void)target;
	if (yyjson_is_obj(val)) {
		(void)w_read_map(reading, val, "default", default_keys, &fence);
		if (yyjson_obj_get(val, "decision") == NULL)
			(void)w_read_refuse(
			    reading, val, "default has no decision");
	} else {
		read_decision(reading, &fence, key, val);
	}
	if (fence.mode < 0)
		return;
	const enum w_verdict verdict = (enum w_verdict)fence.mode;
	(void)explain(
	    &fence, w_read_special(reading, W_RULE_DEFAULT, verdict, key, val));
	(void)explain(
	    &fence, w_read_special(reading, W_RULE_UNKNOWN, W_ASK, key, val));
	if (verdict != W_ALLOW)
		reading->special[W_RULE_UNKNOWN] = NULL;
}

/* ---- programs ---- */

static void
read_only(
    struct w_reading *reading, void *target, yyjson_val *key, yyjson_val *val)
{
	struct fence_reading *fence = target;

	(void)key;
	fence->only =
	    w_read_list(reading, val, "programs", w_read_check_program, true);
}

static void
read_allowing(
    struct w_reading *reading, void *target, yyjson_val *key, yyjson_val *val)
{
	struct fence_reading *fence = target;

	(void)key;
	(void)w_read_truth(reading, val, "allow", &fence->is_allowing);
}

static const struct w_read_key programs_keys[] = {
    {"only", read_only},
    {"allow", read_allowing},
    {"message", read_message},
    {"because", read_because},
    {NULL, NULL},
};

void
w_read_programs(
    struct w_reading *reading, void *target, yyjson_val *key, yyjson_val *val)
{
	struct fence_reading fence = {.is_allowing = true};

	(void)target;
	if (!yyjson_is_obj(val)) {
		read_only(reading, &fence, key, val);
	} else {
		(void)w_read_map(
		    reading, val, "programs", programs_keys, &fence);
		if (yyjson_obj_get(val, "only") == NULL)
			(void)w_read_refuse(
			    reading, val, "programs has no list 'only'");
	}
	struct w_rule *rule = explain(
	    &fence, w_read_special(reading, W_RULE_PROGRAMS, W_DENY, key, val));
	if (rule != NULL)
		rule->programs = fence.only;
	rule = explain(
	    &fence, w_read_special(reading, W_RULE_LISTED, W_ALLOW, key, val));
	if (rule != NULL)
		rule->programs = fence.only;
	if (!fence.is_allowing)
		reading->special[W_RULE_LISTED] = NULL;
	reading->policy->programs = fence.only;
	reading->policy->has_fence = true;
}

/* ---- arguments ---- */

static const char *const arguments_words[] = {
    [W_ARGUMENTS_LITERAL] = "literal",
    [W_ARGUMENTS_STRICT_MODULES] = "strict-modules",
    [W_ARGUMENTS_STRICT_EXEC] = "strict-exec",
    NULL,
};

static void
read_arguments_mode(
    struct w_reading *reading, void *target, yyjson_val *key, yyjson_val *val)
{
	struct fence_reading *fence = target;

	(void)key;
	fence->mode = w_read_choice(reading, val, "arguments", arguments_words);
}

static const struct w_read_key arguments_keys[] = {
    {"mode", read_arguments_mode},
    {"message", read_message},
    {NULL, NULL},
};

void
w_read_arguments(
    struct w_reading *reading, void *target, yyjson_val *key, yyjson_val *val)
{
	struct fence_reading fence = {.mode = W_ARGUMENTS_LITERAL};

	(void)target;
	if (yyjson_is_obj(val))
		(void)w_read_map(
		    reading, val, "arguments", arguments_keys, &fence);
	else
		read_arguments_mode(reading, &fence, key, val);
	check_message(
	    reading, &fence, "arguments", fence.mode != W_ARGUMENTS_LITERAL);
	if (fence.mode < 0)
		return;
	reading->policy->arguments = (enum w_policy_arguments)fence.mode;
	(void)explain(&fence,
	    w_read_special(reading, W_RULE_ARGUMENTS, W_DENY, key, val));
	if (fence.mode == W_ARGUMENTS_LITERAL)
		reading->special[W_RULE_ARGUMENTS] = NULL;
}

/* ---- shell ---- */

static const char *const shell_words[] = {
    [W_SHELL_JUDGE] = "judge",
    [W_SHELL_ALLOW] = "allow",
    [W_SHELL_ASK] = "ask",
    [W_SHELL_DENY] = "deny",
    NULL,
};

static const char *const shell_programs[] = {"sh", "bash", NULL};

static void
read_shell_mode(
    struct w_reading *reading, void *target, yyjson_val *key, yyjson_val *val)
{
	struct fence_reading *fence = target;

	(void)key;
	fence->mode = w_read_choice(reading, val, "shell", shell_words);
}

static void
read_shell_program(
    struct w_reading *reading, void *target, yyjson_val *key, yyjson_val *val)
{
	struct fence_reading *fence = target;
	const int program =
	    w_read_choice(reading, val, "the shell's program", shell_programs);

	(void)key;
	if (program >= 0)
		fence->program = shell_programs[program];
}

static const struct w_read_key shell_keys[] = {
    {"mode", read_shell_mode},
    {"program", read_shell_program},
    {"message", read_message},
    {NULL, NULL},
};

/* Which shell it is cannot differ from agent to agent. */
static const struct w_read_key agent_shell_keys[] = {
    {"mode", read_shell_mode},
    {"message", read_message},
    {NULL, NULL},
};

static void
add_shell(struct w_reading *reading, const struct fence_reading *fence,
    yyjson_val *key, yyjson_val *val)
{
	static const enum w_verdict verdicts[] = {
	    [W_SHELL_JUDGE] = W_ALLOW,
	    [W_SHELL_ALLOW] = W_ALLOW,
	    [W_SHELL_ASK] = W_ASK,
	    [W_SHELL_DENY] = W_DENY,
	};

	if (!reading->is_agent || fence->mode != W_SHELL_JUDGE)
		(void)explain(fence, w_read_special(reading, W_RULE_SHELL,
					 verdicts[fence->mode], key, val));
	if (reading->is_agent)
		return;
	if (fence->mode == W_SHELL_JUDGE)
		reading->special[W_RULE_SHELL] = NULL;
	reading->policy->shell = (enum w_policy_shell)fence->mode;
	if (fence->program != NULL)
		reading->policy->shell_program = fence->program;
}

void
w_read_shell(
    struct w_reading *reading, void *target, yyjson_val *key, yyjson_val *val)
{
	struct fence_reading fence = {.mode = W_SHELL_JUDGE};

	(void)target;
	if (yyjson_is_obj(val))
		(void)w_read_map(reading, val, "shell",
		    reading->is_agent ? agent_shell_keys : shell_keys, &fence);
	else
		read_shell_mode(reading, &fence, key, val);
	check_message(reading, &fence, "shell",
	    fence.mode == W_SHELL_ASK || fence.mode == W_SHELL_DENY);
	if (fence.mode >= 0)
		add_shell(reading, &fence, key, val);
}
