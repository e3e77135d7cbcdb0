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
	const char *because;
};

#define MEMBER(member) offsetof(struct special_reader, member)
#define MESSAGE                                                      \
	{                                                            \
		"message", W_READ_MESSAGE, .offset = MEMBER(message) \
	}
#define BECAUSE                                                   \
	{                                                         \
		"because", W_READ_LINE, .offset = MEMBER(because) \
	}

/* A message for a mode that denies nothing would never be shown. */
static void
check_message(struct w_policy_reader *reader, yyjson_val *key, yyjson_val *val,
    bool can_refuse)
{
	yyjson_val *message = yyjson_obj_get(val, "message");

	if (message != NULL && !can_refuse)
		(void)w_read_refuse(reader, message,
		    "%s refuses nothing by itself, so nobody reads its message",
		    w_read_word(key));
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

static const struct w_read_key default_keys[] = {
    {"decision", W_READ_CHOICE, MEMBER(mode), "default",
	.words = w_read_verdict_words},
    MESSAGE,
    BECAUSE,
    {.name = NULL},
};

void
w_read_default(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct special_reader special = {.mode = -1};

	(void)target;
	w_read_short(reader, key, val, default_keys, &special);
	if (yyjson_is_obj(val) && yyjson_obj_get(val, "decision") == NULL)
		(void)w_read_refuse(reader, val, "default has no decision");
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

static const struct w_read_key programs_keys[] = {
    {"only", W_READ_ANY_LIST, MEMBER(only), "programs",
	.check = w_read_check_program},
    {"allow", W_READ_TRUTH, .offset = MEMBER(is_allowing)},
    MESSAGE,
    BECAUSE,
    {.name = NULL},
};

void
w_read_programs(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct special_reader special = {.is_allowing = true};

	(void)target;
	w_read_short(reader, key, val, programs_keys, &special);
	if (yyjson_is_obj(val) && yyjson_obj_get(val, "only") == NULL)
		(void)w_read_refuse(reader, val, "programs has no list 'only'");
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

static const struct w_read_key arguments_keys[] = {
    {"mode", W_READ_CHOICE, MEMBER(mode), "arguments",
	.words = arguments_words},
    MESSAGE,
    {.name = NULL},
};

void
w_read_arguments(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct special_reader special = {.mode = W_ARGUMENTS_LITERAL};

	(void)target;
	w_read_short(reader, key, val, arguments_keys, &special);
	check_message(reader, key, val, special.mode != W_ARGUMENTS_LITERAL);
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

#define MODE                                                  \
	{                                                     \
		"mode", W_READ_CHOICE, MEMBER(mode), "shell", \
		    .words = shell_words                      \
	}

static const struct w_read_key shell_keys[] = {
    MODE,
    {"program", W_READ_WORD, MEMBER(program), "the shell's program",
	.words = shell_programs},
    MESSAGE,
    {.name = NULL},
};

/* The shell's program cannot depend on the agent. */
static const struct w_read_key agent_shell_keys[] = {
    MODE,
    MESSAGE,
    {.name = NULL},
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
	if (special->program != NULL) {
		reader->policy->shell_program = special->program;
		reader->policy->names_shell = true;
	}
}

void
w_read_shell(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct special_reader special = {.mode = W_SHELL_JUDGE};

	(void)target;
	w_read_short(reader, key, val,
	    reader->is_agent ? agent_shell_keys : shell_keys, &special);
	check_message(reader, key, val,
	    special.mode == W_SHELL_ASK || special.mode == W_SHELL_DENY);
	if (special.mode >= 0)
		read_special_add_shell(reader, &special, key, val);
}
