/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Whether somebody meant a path outside the roots to be written: a person who
 * agreed, or a rule that names the place. A rule that allows everything, or a
 * program, says nothing about where.
 */

#include <string.h>

#include "engine/decide/constraints.h"
#include "os/resolve.h"
#include "policy/glob.h"

static bool
matches(const char *glob, const char *path, const char *home)
{
	if (path == NULL)
		return false;
	if (glob[0] == '/')
		return w_glob_path(glob, path);
	return strncmp(glob, "~/", 2) == 0 && home != NULL &&
	       w_resolve_is_in(path, home) &&
	       w_glob_path(glob + 2, path + strlen(home));
}

static bool
names_place(w_globs globs, const struct w_policy_path *path, const char *home)
{
	for (; globs != NULL && *globs != NULL; globs++) {
		if (matches(*globs, path->spelled, home) &&
		    matches(*globs, path->resolved, home))
			return true;
	}
	return false;
}

static bool
has_any(w_globs globs, const char *text)
{
	for (; text != NULL && *globs != NULL; globs++) {
		if (w_glob_text(
			*globs, strlen(*globs), text, strlen(text), false))
			return true;
	}
	return false;
}

/* Whether the rule is about this command. Rules with other conditions than
 * programs and modules are ignored. Modules match by the id of the
 * description or, for the outermost command, by the module that was called. */
static bool
constraints_outside_is_about(const struct w_rule *rule,
    const struct w_policy_facts *facts, const struct w_policy_command *command)
{
	const char *const *names = command->program.names;
	const bool is_called =
	    command == facts->commands && facts->is_module_trusted;
	bool is_named = rule->programs == NULL;

	for (; !is_named && names != NULL && *names != NULL; names++)
		is_named = has_any(rule->programs, *names);
	return is_named &&
	       (rule->modules == NULL ||
		   has_any(rule->modules, command->analysis->id) ||
		   has_any(rule->modules, is_called ? facts->module : NULL)) &&
	       rule->called_as == NULL && rule->called == NULL &&
	       rule->input_count == 0 && rule->shape_count == 0 &&
	       rule->is_shell < 0 && rule->shell_text == NULL &&
	       rule->time == NULL && rule->until == 0 &&
	       rule->project == NULL && rule->effects == 0 &&
	       rule->hosts == NULL && rule->variables == NULL &&
	       rule->walls_min == 0 && rule->walls_below == 0 &&
	       rule->networks == 0;
}

static bool
rules_name(const struct w_rule *const *rules,
    const struct w_policy_facts *facts, const struct w_policy_command *command,
    const struct w_policy_path *path)
{
	/* Indexes in the order of W_MATCH_PATHS. */
	enum {
		WRITE = 1,
		DELETE = 2
	};

	for (; rules != NULL && *rules != NULL; rules++) {
		const struct w_rule *rule = *rules;

		if (rule->kind == W_RULE_PLAIN && rule->verdict == W_ALLOW &&
		    constraints_outside_is_about(rule, facts, command) &&
		    (names_place(rule->paths[WRITE], path, facts->home) ||
			names_place(rule->paths[DELETE], path, facts->home)))
			return true;
	}
	return false;
}

bool
w_constraints_may_write(const struct w_constraints_walls *walls,
    const struct w_policy_command *command, const struct w_policy_path *path)
{
	const struct w_constraints *constraints = walls->constraints;
	const struct w_policy_facts *facts = walls->facts;

	if (walls->is_agreed)
		return true;
	for (size_t i = 0; i < constraints->count; i++) {
		const struct w_policy_agent *agent = constraints->agents[i];

		/* A project policy can only tighten. */
		if (constraints->tiers[i].tier == W_TIER_PROJECT)
			continue;
		if (rules_name(constraints->tiers[i].policy->rules, facts,
			command, path) ||
		    (agent != NULL &&
			rules_name(agent->rules, facts, command, path)))
			return true;
	}
	return false;
}
