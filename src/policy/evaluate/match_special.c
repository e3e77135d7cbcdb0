/* SPDX-License-Identifier: Apache-2.0 */

/* Rules that stand for keys of a policy: the fence of programs, what an agent
 * may use, who is known at all, where commands run, which words they have, and
 * texts for a shell. */

#include <string.h>

#include "policy/evaluate/evaluation.h"
#include "policy/glob.h"

/* The text itself: which shell runs it is the policy's own business, and
 * whether any does is said by `shell`. */
static bool
match_special_is_text(const struct w_evaluation *evaluation)
{
	return evaluation->command->analysis->shell != NULL;
}

static bool
match_special_is_listed(const struct w_evaluation *evaluation, w_globs programs)
{
	for (; programs != NULL && *programs != NULL; programs++) {
		if (w_evaluation_has_program(evaluation, *programs, false))
			return true;
	}
	return false;
}

/* ---- agents ---- */

static bool
match_special_is_id(const char *tool, const char *id)
{
	return id != NULL &&
	       w_glob_text(tool, strlen(tool), id, strlen(id), false);
}

static bool
is_tool(const struct w_evaluation *evaluation, const char *tool)
{
	if (w_evaluation_has_program(evaluation, tool, false))
		return true;
	return !evaluation->command->program.is_own &&
	       (match_special_is_id(tool, evaluation->command->analysis->id) ||
		   match_special_is_id(
		       tool, w_evaluation_module(evaluation, false)));
}

static bool
may_use(const struct w_evaluation *evaluation, w_globs tools)
{
	bool is_in_text =
	    match_special_is_text(evaluation) || evaluation->command->is_shell;

	for (; tools != NULL && *tools != NULL; tools++) {
		if (is_in_text
			? w_glob_text(*tools, strlen(*tools), "bash", 4, false)
			: is_tool(evaluation, *tools))
			return true;
	}
	return false;
}

static bool
is_known_to(const struct w_policy *policy, const char *agent)
{
	const char *standard =
	    policy->default_agent != NULL ? policy->default_agent : "local";

	return strcmp(standard, agent) == 0 ||
	       w_policy_agent_find(policy, agent) != NULL;
}

static bool
match_special_is_known(const struct w_evaluation *evaluation)
{
	if (evaluation->facts->agent == NULL)
		return true;
	for (size_t i = 0; i < evaluation->policy_set->count; i++) {
		if (is_known_to(evaluation->policy_set->tiers[i].policy,
			evaluation->agent))
			return true;
	}
	return false;
}

const struct w_policy_agent *
w_policy_agent_find(const struct w_policy *policy, const char *name)
{
	for (size_t i = 0; i < policy->agent_count; i++) {
		if (strcmp(policy->agents[i].name, name) == 0)
			return &policy->agents[i];
	}
	for (size_t i = 0; i < policy->agent_count; i++) {
		const char *glob = policy->agents[i].name;

		if (w_glob_text(glob, strlen(glob), name, strlen(name), false))
			return &policy->agents[i];
	}
	return NULL;
}

/* ---- words and places ---- */

static bool
is_outside(const struct w_evaluation *evaluation)
{
	const char *const *root = evaluation->tier->roots;
	const char *rest;

	/* Nothing runs in what is not there, and that is what is told. */
	if (evaluation->facts->cwd == NULL)
		return false;
	for (; root != NULL && *root != NULL; root++) {
		if (w_path_is_in(evaluation->facts->cwd, *root, &rest))
			return false;
	}
	return true;
}

static bool
is_bad_word(enum w_policy_arguments mode, const char *word)
{
	if (mode == W_ARGUMENTS_STRICT_EXEC)
		return strstr(word, "..") != NULL ||
		       strpbrk(word, "|&;$`<>(){}\n\r") != NULL;
	return mode == W_ARGUMENTS_STRICT_MODULES &&
	       strpbrk(word, ";|&$`\\'\"\n\r") != NULL;
}

static bool
has_bad_word(const struct w_evaluation *evaluation)
{
	const struct w_analysis *analysis = evaluation->command->analysis;

	for (size_t i = 1; analysis->shell == NULL && i < analysis->argc; i++) {
		if (is_bad_word(
			evaluation->tier->policy->arguments, analysis->argv[i]))
			return true;
	}
	return false;
}

/* What the shell does by itself is no program; all that it may do is look. */
static bool
is_looking(const struct w_evaluation *evaluation)
{
	return evaluation->command->is_builtin &&
	       (evaluation->effects & ~(unsigned)W_EFFECT_READ) == 0;
}

bool
w_rule_matches_special(
    struct w_evaluation *evaluation, const struct w_rule *rule)
{
	bool is_builtin = evaluation->command->is_builtin;

	switch (rule->kind) {
	case W_RULE_PROGRAMS:
		return !is_builtin && !match_special_is_text(evaluation) &&
		       !match_special_is_listed(evaluation, rule->programs);
	case W_RULE_LISTED:
		return is_looking(evaluation) ||
		       match_special_is_listed(evaluation, rule->programs);
	case W_RULE_TOOLS:
		return !is_builtin && !may_use(evaluation, rule->programs);
	case W_RULE_AGENTS:
		return !match_special_is_known(evaluation);
	case W_RULE_ROOTS:
		/* Without a message they only say where runs may write. */
		return rule->message != NULL && is_outside(evaluation);
	case W_RULE_ARGUMENTS:
		return has_bad_word(evaluation);
	case W_RULE_SHELL:
		return evaluation->is_shell;
	case W_RULE_PLAIN:
	case W_RULE_DEFAULT:
	case W_RULE_UNKNOWN:
		break;
	}
	return false;
}
