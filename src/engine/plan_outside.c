/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Whether somebody meant that a path outside of the roots be written: a person
 * who agreed, or a rule that names the place. That everything is allowed, or a
 * program, says nothing about where.
 */

#include <string.h>

#include "engine/plan.h"
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
names_place(w_globs globs, const struct w_case_path *path, const char *home)
{
	for (; globs != NULL && *globs != NULL; globs++) {
		if (matches(*globs, path->spelled, home) &&
		    matches(*globs, path->resolved, home))
			return true;
	}
	return false;
}

static bool
rules_name(const struct w_rule *const *rules, const struct w_case_path *path,
    const char *home)
{
	/* By the bits of W_MATCH_PATHS. */
	enum {
		WRITE = 1,
		DELETE = 2
	};

	for (; rules != NULL && *rules != NULL; rules++) {
		const struct w_rule *rule = *rules;

		if (rule->kind == W_RULE_PLAIN && rule->verdict == W_ALLOW &&
		    (names_place(rule->paths[WRITE], path, home) ||
			names_place(rule->paths[DELETE], path, home)))
			return true;
	}
	return false;
}

bool
w_plan_is_meant(
    const struct w_plan_walls *walls, const struct w_case_path *path)
{
	const struct w_plan *plan = walls->plan;
	const char *home = walls->c->home;

	if (walls->is_agreed)
		return true;
	for (size_t i = 0; i < plan->count; i++) {
		const struct w_policy_agent *agent = plan->agents[i];

		/* A project only tightens. */
		if (plan->seats[i].tier == W_TIER_PROJECT)
			continue;
		if (rules_name(plan->seats[i].policy->rules, path, home) ||
		    (agent != NULL && rules_name(agent->rules, path, home)))
			return true;
	}
	return false;
}
