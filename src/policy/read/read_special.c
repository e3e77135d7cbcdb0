/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the keys that become rules of their own: default, programs, arguments
 * and shell. Each has a short form and a map. */

#include <string.h>

#include "policy/read/policy_reader.h"

/* Values of these maps. */
struct special_reader {
	int mode; /* -1: not set */
	w_globs only;
	bool is_allowing;
	const char *program;
	const char *message;
	yyjson_val *message_val;
	const char *because;
};

static void
read_special_read_message(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val)
{
	struct special_reader *special = target;

	(void)key;
	special->message = w_read_message(reader, val);
	special->message_val = val;
}

static void
read_special_read_because(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val)
{
	struct special_reader *special = target;

	(void)key;
	special->because = w_read_line(reader, val, "because");
}

/* A message for a mode that denies nothing would never be shown. */
static void
check_message(struct w_policy_reader *reader,
    const struct special_reader *special, const char *what, bool can_refuse)
{
	if (special->message_val != NULL && !can_refuse)
		(void)w_read_refuse(reader, special->message_val,
		    "%s refuses nothing by itself, so nobody reads its message",
		    what);
}

static struct w_rule *
read_special_explain(const struct special_reader *special, struct w_rule *rule)
{
	if (rule != NULL && special->message != NULL)
		rule->message = special->message;
	if (rule != NULL && special->because != NULL)
		rule->because = special->because;
	return rule;
}

/* ---- default ---- */

static const char *const verdict_words[] = {
    [W_ALLOW] = "allow", [W_ASK] = "ask", [W_DENY] = "deny", NULL};

static void
read_decision(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct special_reader *special = target;

	(void)key;
	special->mode = w_read_choice(reader, val, "default", verdict_words);
}

static const struct w_read_key default_keys[] = {
    {"decision", read_decision},
    {"message", read_special_read_message},
    {"because", read_special_read_because},
    {NULL, NULL},
};

void
w_read_default(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct special_reader special = {.mode = -1};

	(void)target;
	if (yyjson_is_obj(val)) {
		(void)w_read_map(
		    reader, val, "default", default_keys, &special);
		if (yyjson_obj_get(val, "decision") == NULL)
			(void)w_read_refuse(
			    reader, val, "default has no decision");
	} else {
		read_decision(reader, &special, key, val);
	}
	if (special.mode < 0)
		return;
	const enum w_verdict verdict = (enum w_verdict)special.mode;
	(void)read_special_explain(&special,
	    w_read_special(reader, W_RULE_DEFAULT, verdict, key, val));
	(void)read_special_explain(
	    &special, w_read_special(reader, W_RULE_UNKNOWN, W_ASK, key, val));
	if (verdict != W_ALLOW)
		reader->special[W_RULE_UNKNOWN] = NULL;
}

/* ---- programs ---- */

static void
read_only(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct special_reader *special = target;

	(void)key;
	special->only =
	    w_read_list(reader, val, "programs", w_read_check_program, true);
}

static void
read_allowing(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct special_reader *special = target;

	(void)key;
	(void)w_read_truth(reader, val, "allow", &special->is_allowing);
}

static const struct w_read_key programs_keys[] = {
    {"only", read_only},
    {"allow", read_allowing},
    {"message", read_special_read_message},
    {"because", read_special_read_because},
    {NULL, NULL},
};

void
w_read_programs(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct special_reader special = {.is_allowing = true};

	(void)target;
	if (!yyjson_is_obj(val)) {
		read_only(reader, &special, key, val);
	} else {
		(void)w_read_map(
		    reader, val, "programs", programs_keys, &special);
		if (yyjson_obj_get(val, "only") == NULL)
			(void)w_read_refuse(
			    reader, val, "programs has no list 'only'");
	}
	struct w_rule *rule = read_special_explain(&special,
	    w_read_special(reader, W_RULE_PROGRAMS, W_DENY, key, val));
	if (rule != NULL)
		rule->programs = special.only;
	rule = read_special_explain(
	    &special, w_read_special(reader, W_RULE_LISTED, W_ALLOW, key, val));
	if (rule != NULL)
		rule->programs = special.only;
	if (!special.is_allowing)
		reader->special[W_RULE_LISTED] = NULL;
	reader->policy->programs = special.only;
	reader->policy->has_allowlist = true;
}

/* ---- arguments ---- */

static const char *const arguments_words[] = {
    [W_ARGUMENTS_LITERAL] = "literal",
    [W_ARGUMENTS_STRICT_MODULES] = "strict-modules",
    [W_ARGUMENTS_STRICT_EXEC] = "strict-exec",
    NULL,
};

static void
read_arguments_mode(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val)
{
	struct special_reader *special = target;

	(void)key;
	special->mode =
	    w_read_choice(reader, val, "arguments", arguments_words);
}

static const struct w_read_key arguments_keys[] = {
    {"mode", read_arguments_mode},
    {"message", read_special_read_message},
    {NULL, NULL},
};

void
w_read_arguments(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct special_reader special = {.mode = W_ARGUMENTS_LITERAL};

	(void)target;
	if (yyjson_is_obj(val))
		(void)w_read_map(
		    reader, val, "arguments", arguments_keys, &special);
	else
		read_arguments_mode(reader, &special, key, val);
	check_message(
	    reader, &special, "arguments", special.mode != W_ARGUMENTS_LITERAL);
	if (special.mode < 0)
		return;
	reader->policy->arguments = (enum w_policy_arguments)special.mode;
	(void)read_special_explain(&special,
	    w_read_special(reader, W_RULE_ARGUMENTS, W_DENY, key, val));
	if (special.mode == W_ARGUMENTS_LITERAL)
		reader->special[W_RULE_ARGUMENTS] = NULL;
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
read_shell_mode(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct special_reader *special = target;

	(void)key;
	special->mode = w_read_choice(reader, val, "shell", shell_words);
}

static void
read_shell_program(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val)
{
	struct special_reader *special = target;
	const int program =
	    w_read_choice(reader, val, "the shell's program", shell_programs);

	(void)key;
	if (program >= 0)
		special->program = shell_programs[program];
}

static const struct w_read_key shell_keys[] = {
    {"mode", read_shell_mode},
    {"program", read_shell_program},
    {"message", read_special_read_message},
    {NULL, NULL},
};

/* The shell's program cannot depend on the agent. */
static const struct w_read_key agent_shell_keys[] = {
    {"mode", read_shell_mode},
    {"message", read_special_read_message},
    {NULL, NULL},
};

static void
read_special_add_shell(struct w_policy_reader *reader,
    const struct special_reader *special, yyjson_val *key, yyjson_val *val)
{
	static const enum w_verdict verdicts[] = {
	    [W_SHELL_JUDGE] = W_ALLOW,
	    [W_SHELL_ALLOW] = W_ALLOW,
	    [W_SHELL_ASK] = W_ASK,
	    [W_SHELL_DENY] = W_DENY,
	};

	if (!reader->is_agent || special->mode != W_SHELL_JUDGE)
		(void)read_special_explain(
		    special, w_read_special(reader, W_RULE_SHELL,
				 verdicts[special->mode], key, val));
	if (reader->is_agent)
		return;
	if (special->mode == W_SHELL_JUDGE)
		reader->special[W_RULE_SHELL] = NULL;
	reader->policy->shell = (enum w_policy_shell)special->mode;
	if (special->program != NULL)
		reader->policy->shell_program = special->program;
}

void
w_read_shell(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct special_reader special = {.mode = W_SHELL_JUDGE};

	(void)target;
	if (yyjson_is_obj(val))
		(void)w_read_map(reader, val, "shell",
		    reader->is_agent ? agent_shell_keys : shell_keys, &special);
	else
		read_shell_mode(reader, &special, key, val);
	check_message(reader, &special, "shell",
	    special.mode == W_SHELL_ASK || special.mode == W_SHELL_DENY);
	if (special.mode >= 0)
		read_special_add_shell(reader, &special, key, val);
}
