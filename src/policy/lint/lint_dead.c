/* SPDX-License-Identifier: Apache-2.0 */

/* Warns about rules that can never match, and rules that another rule makes
 * useless. */

#include <string.h>

#include "base/basename.h"
#include "base/match.h"
#include "policy/evaluate/decision.h"
#include "policy/glob.h"
#include "policy/lint/lint.h"

#define AGENTS_MAX 64

static bool
lint_dead_is_literal(const char *glob)
{
	return w_glob_is_literal(glob, strlen(glob));
}

/* Whether a program could match one of the globs. A name with wildcards could
 * match any. */
static bool
could_be(w_globs globs, const char *name)
{
	const char *base = w_basename(name);

	for (; *globs != NULL; globs++) {
		const char *glob = w_basename(*globs);

		if (!lint_dead_is_literal(name) ||
		    w_glob_text(glob, strlen(glob), base, strlen(base), true))
			return true;
	}
	return false;
}

/* Whether any program of the rule could; *out_name is one of them. */
static bool
could_be_any(w_globs globs, const struct w_rule *rule, const char **out_name)
{
	if (rule->programs == NULL && rule->shape_count == 0)
		return true;
	for (size_t i = 0; i < rule->shape_count; i++) {
		*out_name = rule->shapes[i].words[0];
		if (could_be(globs, *out_name))
			return true;
	}
	for (size_t i = 0; rule->programs != NULL && rule->programs[i] != NULL;
	     i++) {
		*out_name = rule->programs[i];
		if (could_be(globs, *out_name))
			return true;
	}
	return false;
}

static bool
warn_effects(struct w_lint *lint, const struct w_rule *rule)
{
	if (w_lint_effects(rule) != 0)
		return false;
	if (rule->hosts != NULL) {
		w_lint_warn(lint, &rule->location,
		    "this rule can never match: nothing has such %s and a host",
		    rule->effects != 0 ? "an effect" : "a path");
		w_lint_suggest(
		    lint, "'host' is about the effects net and publish");
		return true;
	}
	w_lint_warn(lint, &rule->location,
	    "this rule can never match: nothing has such an effect and such a "
	    "path");
	w_lint_suggest(lint,
	    "read, write, delete and exec as keys stand for the effect: leave "
	    "'effect' out");
	return true;
}

/* `program` together with a shape of another program. */
static bool
warn_shape(struct w_lint *lint, const struct w_rule *rule)
{
	const struct w_rule shapes = {
	    .shapes = rule->shapes, .shape_count = rule->shape_count};
	const char *name = "";

	if (rule->programs == NULL || rule->shape_count == 0 ||
	    could_be_any(rule->programs, &shapes, &name))
		return false;
	w_lint_warn(lint, &rule->location,
	    "this rule can never match: '%.64s' is not one of its programs",
	    name);
	return true;
}

/* Whether a module glob could belong to the program: "cli.git.*" belongs to
 * git. Both may have other names, so a common prefix is enough. */
static bool
could_be_of(const char *module, const char *program)
{
	const char *base = w_basename(program);

	if (strncmp(module, "cli.", 4) != 0 || !lint_dead_is_literal(program))
		return true;
	module += 4;
	const size_t len = strcspn(module, ".");
	if (len == 0 || !w_glob_is_literal(module, len))
		return true;
	const size_t base_len = strlen(base);
	return strncmp(module, base, len < base_len ? len : base_len) == 0;
}

static bool
warn_module(struct w_lint *lint, const struct w_rule *rule)
{
	if (rule->modules == NULL || rule->programs == NULL)
		return false;
	for (size_t i = 0; rule->modules[i] != NULL; i++) {
		for (size_t j = 0; rule->programs[j] != NULL; j++) {
			if (could_be_of(rule->modules[i], rule->programs[j]))
				return false;
		}
	}
	w_lint_warn(lint, &rule->location,
	    "this rule can never match: '%.64s' is not a module of "
	    "'%.64s'",
	    rule->modules[0], rule->programs[0]);
	w_lint_suggest(lint, "one of 'module' and 'program' is enough");
	return true;
}

static bool
warn_allowlist(struct w_lint *lint, const struct w_rule *rule)
{
	const struct w_policy *policy = lint->policy;
	const char *name = "";

	if (rule->verdict == W_DENY || !policy->has_allowlist ||
	    could_be_any(policy->programs, rule, &name))
		return false;
	w_lint_warn(lint, &rule->location,
	    "this rule decides nothing: 'programs' does not list '%.64s'",
	    name);
	w_lint_suggest(lint, "add it to 'programs'");
	return true;
}

/* A rule for an agent that does not exist. */
static bool
warn_agent(struct w_lint *lint, const struct w_rule *rule,
    const struct w_policy_agent *agent)
{
	const struct w_policy *policy = lint->policy;
	const char *names[AGENTS_MAX + 2] = {NULL};
	size_t count = 0;

	if (rule->agents == NULL || (agent == NULL && !policy->has_agents))
		return false;
	if (agent != NULL)
		names[count++] = agent->name;
	for (size_t i = 0; agent == NULL && i < policy->agent_count; i++) {
		if (count == AGENTS_MAX)
			return false;
		names[count++] = policy->agents[i].name;
	}
	if (agent == NULL)
		names[count++] = w_policy_default_agent(policy);
	for (size_t i = 0; rule->agents[i] != NULL; i++) {
		for (size_t j = 0; j < count; j++) {
			if (!lint_dead_is_literal(names[j]) ||
			    w_match_glob(rule->agents[i], names[j]))
				return false;
		}
	}
	w_lint_warn(lint, &rule->location,
	    "this rule can never match: there is no agent '%.64s'%s",
	    rule->agents[0], agent != NULL ? " here" : "");
	const char *nearest = w_match_nearest(rule->agents[0], names);
	if (nearest != NULL)
		w_lint_suggest(lint, "did you mean '%.64s'?", nearest);
	return true;
}

/* Whether a rule makes the other useless: it is stronger, or has the same
 * verdict and comes first. */
static bool
makes_needless(const struct w_rule *rule, const struct w_rule *other)
{
	if (rule == other || rule->kind != W_RULE_PLAIN ||
	    rule->verdict < other->verdict)
		return false;
	/* An allow outranks the asks of what its file includes. */
	if (rule->verdict == W_ASK && other->verdict == W_ALLOW &&
	    (other->outranks & rule->document) != 0)
		return false;
	if (rule->verdict == other->verdict && rule->order > other->order)
		return false;
	return w_lint_covers(rule, other);
}

static bool
warn_needless(struct w_lint *lint, const struct w_rule *rule,
    const struct w_rule *const *others, const struct w_lint_brief *briefs)
{
	const struct w_lint_brief own = w_lint_brief(rule);

	for (size_t i = 0; others[i] != NULL; i++) {
		const struct w_rule *other = others[i];

		if (briefs != NULL && !briefs[i].is_any &&
		    (own.names & ~briefs[i].names) != 0)
			continue;
		if (!makes_needless(other, rule))
			continue;
		const struct w_lint_place place =
		    w_lint_place(&other->location);
		if (other->verdict != rule->verdict)
			w_lint_warn(lint, &rule->location,
			    "this rule decides nothing: all that it matches is "
			    "%s by %s (%.80s)",
			    other->verdict == W_DENY ? "denied" : "asked about",
			    place.text, other->text);
		else
			w_lint_warn(lint, &rule->location,
			    "this rule decides nothing: %s already says it "
			    "(%.80s)",
			    place.text, other->text);
		return true;
	}
	return false;
}

void
w_lint_dead(struct w_lint *lint, const struct w_rule *rule,
    const struct w_policy_agent *agent)
{
	if (rule->kind != W_RULE_PLAIN)
		return;
	if (warn_effects(lint, rule) || warn_shape(lint, rule) ||
	    warn_module(lint, rule) || warn_agent(lint, rule, agent) ||
	    warn_allowlist(lint, rule) ||
	    warn_needless(lint, rule, lint->policy->rules, lint->briefs))
		return;
	if (agent != NULL)
		(void)warn_needless(lint, rule, agent->rules, NULL);
}
