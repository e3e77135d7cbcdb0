/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Finds allows that can never apply: of one exact command, where a deny or an
 * ask of the same policy, or of another tier, always wins. Rules alone do not
 * tell (`ask: { effect: net }` names no command), so the command is judged. And
 * rules that have ended, since the clock is here.
 */

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "engine/policies/inspection.h"

#define STAGE "policy"

/* Whether the rule is about these words, whatever else holds. */
static bool
is_shapes_only(const struct w_rule *rule)
{
	for (size_t i = 0; i < sizeof(rule->paths) / sizeof(rule->paths[0]);
	     i++) {
		if (rule->paths[i] != NULL)
			return false;
	}
	return rule->kind == W_RULE_PLAIN && rule->verdict == W_ALLOW &&
	       rule->shape_count > 0 && rule->agents == NULL &&
	       rule->programs == NULL && rule->called_as == NULL &&
	       rule->modules == NULL && rule->called == NULL &&
	       rule->input_count == 0 && rule->effects == 0 &&
	       rule->hosts == NULL && rule->variables == NULL &&
	       rule->is_shell < 0 && rule->walls_min == 0 &&
	       rule->walls_below == 0 && rule->networks == 0 &&
	       rule->time == NULL && rule->until == 0 && rule->project == NULL;
}

/* An open shape may allow other forms of the command. */
static bool
is_exact(const struct w_shape *shape)
{
	for (size_t i = 0; i < shape->count; i++) {
		if (strcmp(shape->words[i], "*") == 0)
			return false;
	}
	return !shape->is_open;
}

/* Whether a rule wins whenever the command runs. */
static bool
always_wins(const struct w_rule *rule)
{
	return rule->kind == W_RULE_PLAIN && rule->verdict != W_ALLOW &&
	       rule->agents == NULL && rule->time == NULL && rule->until == 0 &&
	       rule->project == NULL;
}

/* Whether lint has said already that the rule decides nothing. */
static bool
is_told(const struct w_policy_faults *faults, const struct w_rule *rule)
{
	for (size_t i = 0; i < faults->count; i++) {
		const struct w_policy_fault *fault = &faults->items[i];

		if (fault->location.line == rule->location.line &&
		    fault->location.column == rule->location.column &&
		    strcmp(fault->location.file, rule->location.file) == 0 &&
		    strstr(fault->message, "decides nothing") != NULL)
			return true;
	}
	return false;
}

static bool
warn_void(struct w_policy_faults *faults, const struct w_rule *rule,
    const struct w_shape *shape, const struct w_loaded_policy *other,
    const struct w_rule *winner)
{
	const bool is_deny = winner->verdict == W_DENY;
	const bool is_same =
	    strcmp(winner->location.file, rule->location.file) == 0;
	char message[480];
	char suggestion[240];

	(void)snprintf(message, sizeof(message),
	    "this allow never applies: '%.128s' is %s by %.160s:%u:%u (%.80s)",
	    shape->text, is_deny ? "denied" : "asked about",
	    winner->location.file, winner->location.line,
	    winner->location.column, winner->text);
	if (is_deny)
		(void)snprintf(suggestion, sizeof(suggestion),
		    "no allow outranks a deny: change that rule, or remove "
		    "this one");
	else if (is_same)
		(void)snprintf(suggestion, sizeof(suggestion),
		    "an allow outranks only the asks of included files: "
		    "change that rule, or remove this one");
	else
		(void)snprintf(suggestion, sizeof(suggestion),
		    "each tier is judged alone: this rule belongs in the "
		    "%s policy",
		    w_tier_word(other->tier));
	return w_policy_faults_add(
	    faults, &rule->location, true, message, suggestion);
}

/* One allow, and where warnings about it go. */
struct judged_allow {
	struct w_inspection *inspection;
	const struct w_loaded_policy *one; /* where it is written */
	const struct w_rule *rule;
	const char *agent; /* whose it is; NULL: everybody's */
	struct w_policy_faults *faults;
};

/* Judges a shape by one policy. *out_found: a warning was added. */
static writ_status
judge_shape(const struct judged_allow *allow, const struct w_shape *shape,
    const struct w_loaded_policy *by, bool *out_found, writ_error *err)
{
	const struct w_policy_expect expect = {.verdict = W_ALLOW,
	    .argv = shape->words,
	    .argc = shape->count,
	    .agent = allow->agent,
	    .text = shape->text};
	struct w_decision decision;
	writ_status status = w_decider_expect_one(
	    &allow->inspection->decider, by->policy, &expect, &decision, err);

	if (status != WRIT_OK)
		return status;
	const struct w_rule *winner = decision.reasons[0].rule;
	bool is_stored = true;
	*out_found = decision.verdict != W_ALLOW && always_wins(winner);
	if (*out_found)
		is_stored =
		    warn_void(allow->faults, allow->rule, shape, by, winner);
	w_decision_done(&decision);
	return is_stored ? WRIT_OK : w_fail_nomem(err, STAGE);
}

/* By its own policy first, then by the other tiers. */
static writ_status
judge_by_all(const struct judged_allow *allow, const struct w_shape *shape,
    writ_error *err)
{
	const struct w_policies *policies = &allow->inspection->policies;
	bool is_found = false;
	writ_status status =
	    judge_shape(allow, shape, allow->one, &is_found, err);

	for (size_t i = 0;
	     status == WRIT_OK && !is_found && i < policies->count; i++) {
		const struct w_loaded_policy *other = policies->loaded[i];

		/* A project tightens only what runs in it. */
		if (other != allow->one && other->policy != NULL &&
		    other->tier != W_TIER_PROJECT)
			status =
			    judge_shape(allow, shape, other, &is_found, err);
	}
	return status;
}

static writ_status
judge_allow(const struct judged_allow *allow, writ_error *err)
{
	const struct w_rule *rule = allow->rule;
	writ_status status = WRIT_OK;

	if (rule->until != 0 && rule->until <= time(NULL))
		return w_policy_faults_add(allow->faults, &rule->location, true,
			   "this rule has ended: 'until' has passed",
			   "remove it, and its line in 'expect'")
			   ? WRIT_OK
			   : w_fail_nomem(err, STAGE);
	if (!is_shapes_only(rule) || is_told(allow->faults, rule))
		return WRIT_OK;
	for (size_t i = 0; status == WRIT_OK && i < rule->shape_count; i++) {
		if (is_exact(&rule->shapes[i]))
			status = judge_by_all(allow, &rule->shapes[i], err);
	}
	return status;
}

writ_status
w_inspection_lint_allows(struct w_inspection *inspection,
    const struct w_loaded_policy *one, struct w_policy_faults *faults,
    writ_error *err)
{
	const struct w_policy *policy = one->policy;
	struct judged_allow allow = {
	    .inspection = inspection, .one = one, .faults = faults};
	writ_status status = WRIT_OK;

	for (size_t i = 0; status == WRIT_OK && i < policy->rule_count; i++) {
		allow.rule = policy->rules[i];
		status = judge_allow(&allow, err);
	}
	for (size_t i = 0; status == WRIT_OK && i < policy->agent_count; i++) {
		const struct w_policy_agent *agent = &policy->agents[i];

		/* A glob is nobody's name. */
		if (strpbrk(agent->name, "*?[") != NULL)
			continue;
		allow.agent = agent->name;
		for (size_t k = 0; status == WRIT_OK && agent->rules[k] != NULL;
		     k++) {
			allow.rule = agent->rules[k];
			status = judge_allow(&allow, err);
		}
	}
	return status;
}
