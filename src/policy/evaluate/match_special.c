/* SPDX-License-Identifier: Apache-2.0 */

/* Matches rules that come from other keys than `rules`: the allowlist of
 * programs, the tools of an agent, known agents, working directories,
 * characters in arguments, and shell commands. */

#include <string.h>

#include "policy/evaluate/evaluation.h"
#include "policy/glob.h"

/* Whether it is the shell command itself. Which shell runs it is the policy's
 * choice, and the key `shell` says whether it may. */
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
match_special_is_known(const struct w_evaluation *evaluation)
{
	if (evaluation->facts->agent == NULL)
		return true;
	for (size_t i = 0; i < evaluation->policy_set->count; i++) {
		const struct w_policy *policy =
		    evaluation->policy_set->tiers[i].policy;

		if (strcmp(w_policy_default_agent(policy), evaluation->agent) ==
			0 ||
		    w_policy_agent_find(policy, evaluation->agent) != NULL)
			return true;
	}
	return false;
}

const char *
w_policy_default_agent(const struct w_policy *policy)
{
	return policy->default_agent != NULL ? policy->default_agent
					     : W_POLICY_DEFAULT_AGENT;
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

/* ---- arguments and directories ---- */

static bool
is_outside(const struct w_evaluation *evaluation)
{
	const char *const *root = evaluation->tier->roots;
	const char *rest;

	/* Nothing runs in a missing directory; that error is reported
	 * elsewhere. */
	if (evaluation->facts->cwd == NULL)
		return false;
	for (; root != NULL && *root != NULL; root++) {
		if (w_path_is_in(evaluation->facts->cwd, *root, &rest))
			return false;
	}
	return true;
}

static bool
has_bad_word(const struct w_evaluation *evaluation)
{
	static const char *const forbidden[] = {
	    [W_ARGUMENTS_LITERAL] = "",
	    [W_ARGUMENTS_STRICT_MODULES] = ";|&$`\\'\"\n\r",
	    [W_ARGUMENTS_STRICT_EXEC] = "|&;$`<>(){}\n\r",
	};
	const struct w_analysis *analysis = evaluation->command->analysis;
	const enum w_policy_arguments mode =
	    evaluation->tier->policy->arguments;

	for (size_t i = 1; analysis->shell == NULL && i < analysis->argc; i++) {
		const char *word = analysis->argv[i];

		if (strpbrk(word, forbidden[mode]) != NULL)
			return true;
		if (mode == W_ARGUMENTS_STRICT_EXEC &&
		    strstr(word, "..") != NULL)
			return true;
	}
	return false;
}

/* Whether it is in a text for a shell that the policy lets run as it is
 * (shell: allow). The list and the check of arguments are for commands without
 * a shell. */
static bool
is_in_allowed_text(const struct w_evaluation *evaluation)
{
	return evaluation->facts->shell != NULL &&
	       evaluation->command->is_shell &&
	       evaluation->tier->policy->shell == W_SHELL_ALLOW;
}

bool
w_rule_matches_special(
    struct w_evaluation *evaluation, const struct w_rule *rule)
{
	bool is_builtin = evaluation->command->is_builtin;

	switch (rule->kind) {
	case W_RULE_PROGRAMS:
		return !is_builtin && !match_special_is_text(evaluation) &&
		       !is_in_allowed_text(evaluation) &&
		       !match_special_is_listed(evaluation, rule->programs);
	case W_RULE_LISTED:
		/* A builtin is no program: it may only read. */
		return (is_builtin && (evaluation->effects &
					  ~(unsigned)W_EFFECT_READ) == 0) ||
		       match_special_is_listed(evaluation, rule->programs);
	case W_RULE_TOOLS:
		return !is_builtin && !may_use(evaluation, rule->programs);
	case W_RULE_AGENTS:
		return !match_special_is_known(evaluation);
	case W_RULE_ROOTS:
		/* Without a message, roots only say where runs may write. */
		return rule->message != NULL && is_outside(evaluation);
	case W_RULE_ARGUMENTS:
		return !is_in_allowed_text(evaluation) &&
		       has_bad_word(evaluation);
	case W_RULE_SHELL:
		return evaluation->is_shell;
	case W_RULE_PLAIN:
	case W_RULE_DEFAULT:
	case W_RULE_UNKNOWN:
		break;
	}
	return false;
}
