/* SPDX-License-Identifier: Apache-2.0 */

/* Rules that stand for keys of a policy: the fence of programs, what an agent
 * may use, who is known at all, where commands run, which words they have, and
 * texts for a shell. */

#include <string.h>

#include "policy/glob.h"
#include "policy/judge_state.h"

/* The text itself: which shell runs it is the policy's own business, and
 * whether any does is said by `shell`. */
static bool
is_text(const struct w_trial *trial)
{
	return trial->command->meaning->shell != NULL;
}

static bool
is_listed(const struct w_trial *trial, w_globs programs)
{
	for (; programs != NULL && *programs != NULL; programs++) {
		if (w_program_fits(trial, *programs, false))
			return true;
	}
	return false;
}

/* ---- agents ---- */

static bool
is_id(const char *tool, const char *id)
{
	return id != NULL &&
	       w_glob_text(tool, strlen(tool), id, strlen(id), false);
}

static bool
is_tool(const struct w_trial *trial, const char *tool)
{
	if (w_program_fits(trial, tool, false))
		return true;
	return !trial->command->program.is_own &&
	       (is_id(tool, trial->command->meaning->id) ||
		   is_id(tool, w_trial_module(trial, false)));
}

static bool
may_use(const struct w_trial *trial, w_globs tools)
{
	bool is_in_text = is_text(trial) || trial->command->is_shell;

	for (; tools != NULL && *tools != NULL; tools++) {
		if (is_in_text
			? w_glob_text(*tools, strlen(*tools), "bash", 4, false)
			: is_tool(trial, *tools))
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
is_known(const struct w_trial *trial)
{
	if (trial->c->agent == NULL)
		return true;
	for (size_t i = 0; i < trial->bench->count; i++) {
		if (is_known_to(trial->bench->seats[i].policy, trial->agent))
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
is_outside(const struct w_trial *trial)
{
	const char *const *root = trial->seat->roots;
	const char *rest;

	/* Nothing runs in what is not there, and that is what is told. */
	if (trial->c->cwd == NULL)
		return false;
	for (; root != NULL && *root != NULL; root++) {
		if (w_path_is_in(trial->c->cwd, *root, &rest))
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
has_bad_word(const struct w_trial *trial)
{
	const struct w_meaning *meaning = trial->command->meaning;

	for (size_t i = 1; meaning->shell == NULL && i < meaning->argc; i++) {
		if (is_bad_word(
			trial->seat->policy->arguments, meaning->argv[i]))
			return true;
	}
	return false;
}

/* What the shell does by itself is no program; all that it may do is look. */
static bool
is_looking(const struct w_trial *trial)
{
	return trial->command->is_builtin &&
	       (trial->effects & ~(unsigned)W_EFFECT_READ) == 0;
}

bool
w_special_fits(struct w_trial *trial, const struct w_rule *rule)
{
	bool is_builtin = trial->command->is_builtin;

	switch (rule->kind) {
	case W_RULE_PROGRAMS:
		return !is_builtin && !is_text(trial) &&
		       !is_listed(trial, rule->programs);
	case W_RULE_LISTED:
		return is_looking(trial) || is_listed(trial, rule->programs);
	case W_RULE_TOOLS:
		return !is_builtin && !may_use(trial, rule->programs);
	case W_RULE_AGENTS:
		return !is_known(trial);
	case W_RULE_ROOTS:
		/* Without a message they only say where runs may write. */
		return rule->message != NULL && is_outside(trial);
	case W_RULE_ARGUMENTS:
		return has_bad_word(trial);
	case W_RULE_SHELL:
		return trial->is_shell;
	case W_RULE_PLAIN:
	case W_RULE_DEFAULT:
	case W_RULE_UNKNOWN:
		break;
	}
	return false;
}
