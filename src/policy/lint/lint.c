/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Warns about parts of a valid policy that are probably not intended. A warning
 * must be right: after three wrong ones nobody reads the fourth. So a doubtful
 * case is not reported.
 */

#include "policy/lint/lint.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RAW_MAX 1024
#define PRESET  "preset:"

static bool
is_included_preset(
    const struct w_lint *lint, const struct w_policy_location *location)
{
	return strncmp(location->file, PRESET, strlen(PRESET)) == 0 &&
	       strcmp(location->file, lint->policy->file) != 0;
}

void
w_lint_warn(struct w_lint *lint, const struct w_policy_location *location,
    const char *fmt, ...)
{
	const size_t before = lint->faults->count;
	char raw[RAW_MAX];
	writ_error err;
	va_list args;

	lint->is_suggestible = false;
	if (is_included_preset(lint, location))
		return;
	va_start(args, fmt);
	(void)vsnprintf(raw, sizeof(raw), fmt, args);
	va_end(args);
	(void)w_fail(&err, WRIT_E_INVALID, "policy", 0, "%s", raw);
	if (!w_policy_faults_add(
		lint->faults, location, true, err.message, NULL))
		lint->is_out_of_memory = true;
	lint->is_suggestible = lint->faults->count > before;
}

void
w_lint_suggest(struct w_lint *lint, const char *fmt, ...)
{
	va_list args;

	if (!lint->is_suggestible)
		return;
	va_start(args, fmt);
	if (!w_policy_faults_suggest(lint->faults, fmt, args))
		lint->is_out_of_memory = true;
	va_end(args);
}

struct w_lint_place
w_lint_place(const struct w_policy_location *location)
{
	struct w_lint_place place;

	if (location->line > 0)
		(void)snprintf(place.text, sizeof(place.text), "%s:%u:%u",
		    location->file, location->line, location->column);
	else
		(void)snprintf(
		    place.text, sizeof(place.text), "%s", location->file);
	return place;
}

static void
lint_rule(struct w_lint *lint, const struct w_rule *rule,
    const struct w_policy_agent *agent)
{
	w_lint_names(lint, rule);
	w_lint_broad(lint, rule);
	w_lint_hosts(lint, rule);
	w_lint_dead(lint, rule, agent);
}

/* Without a line of `expect`, nobody notices when a deny rule stops matching.
 */
static void
lint_expect(struct w_lint *lint)
{
	const struct w_policy *policy = lint->policy;

	for (size_t i = 0; i < policy->expect_count; i++) {
		if (policy->expects[i].verdict == W_DENY)
			return;
	}
	for (size_t i = 0; i < policy->rule_count; i++) {
		const struct w_rule *rule = policy->rules[i];

		if (rule->kind != W_RULE_PLAIN || rule->verdict != W_DENY ||
		    is_included_preset(lint, &rule->location))
			continue;
		w_lint_warn(lint, &rule->location,
		    "no line of 'expect' says what this rule must deny");
		w_lint_suggest(lint, "expect: [ { deny: COMMAND } ] shows when "
				     "it no longer does");
		return;
	}
}

static bool
has_no_walls(const struct w_policy_terms *terms)
{
	return terms->sandbox != NULL &&
	       (strcmp(terms->sandbox, "none") == 0 ||
		   strcmp(terms->sandbox, "env") == 0);
}

/* Programs are seen by the filter of a sandbox. */
static void
lint_judge(struct w_lint *lint)
{
	const struct w_policy *policy = lint->policy;
	const struct w_policy_location here = {.file = policy->file};

	if (policy->terms.judge == NULL ||
	    strcmp(policy->terms.judge, "exec") != 0 ||
	    !has_no_walls(&policy->terms))
		return;
	w_lint_warn(lint, &here,
	    "judge: exec needs a sandbox, and the profile '%s' has none: every "
	    "run will fail",
	    policy->terms.sandbox);
	w_lint_suggest(lint, "take the profile readonly, workspace or strict");
}

/* Insertion sort: warnings come in rule order, those of agents last. */
static void
sort(struct w_policy_faults *faults, size_t first)
{
	struct w_policy_fault *items = faults->items;

	for (size_t i = first + 1; i < faults->count; i++) {
		const struct w_policy_fault fault = items[i];
		size_t at = i;

		while (at > first &&
		       strcmp(fault.location.file,
			   items[at - 1].location.file) == 0 &&
		       fault.location.line < items[at - 1].location.line) {
			items[at] = items[at - 1];
			at--;
		}
		items[at] = fault;
	}
}

writ_status
w_policy_lint(const struct w_policy *policy, const struct w_lint_source *source,
    struct w_policy_faults *faults, writ_error *err)
{
	static const struct w_lint_source nothing = {.ctx = NULL};
	const size_t first = faults->count;
	struct w_lint lint = {
	    .policy = policy,
	    .source = source != NULL ? source : &nothing,
	    .faults = faults,
	};

	lint.briefs = calloc(policy->rule_count, sizeof(*lint.briefs));
	if (lint.briefs == NULL)
		return w_fail_nomem(err, "policy");
	for (size_t i = 0; i < policy->rule_count; i++)
		lint.briefs[i] = w_lint_brief(policy->rules[i]);
	for (size_t i = 0; i < policy->rule_count; i++)
		lint_rule(&lint, policy->rules[i], NULL);
	for (size_t i = 0; i < policy->agent_count; i++) {
		const struct w_policy_agent *agent = &policy->agents[i];

		for (size_t j = 0; agent->rules[j] != NULL; j++)
			lint_rule(&lint, agent->rules[j], agent);
	}
	lint_expect(&lint);
	lint_judge(&lint);
	sort(faults, first);
	free(lint.briefs);
	return lint.is_out_of_memory ? w_fail_nomem(err, "policy") : WRIT_OK;
}
