/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The decision: every command against every tier; the strictest answer wins.
 *
 * 1. The stronger verdict wins, wherever the rule stands: deny, ask, allow. One
 *    exception: an allow outranks the asks of the files that its own file
 *    includes.
 * 2. An item that no rule matches gets the default. A default never allows what
 *    is unknown.
 * 3. A grant turns ask into allow. It never overrides deny.
 * 4. Of several reasons the strongest is reported; of equally strong ones the
 *    one that explains most, then that of the first tier, then the first in its
 *    file.
 */

#include "policy/evaluate/decision.h"

#include <string.h>

#include "command/analysis/address.h"
#include "policy/evaluate/evaluation.h"

#define STAGE "policy"

/* Enough for nearly all commands, so that no memory is allocated. */
#define FEW_ITEMS 24

/* For a policy without a default. Policies that were read always have one. */
static const struct w_rule no_default = {.kind = W_RULE_DEFAULT,
    .verdict = W_ASK,
    .order = SIZE_MAX,
    .text = "default: ask",
    .is_shell = -1};

/* The state of one decision. */
struct judging {
	struct w_evaluation evaluation; /* first member: callbacks cast back */
	struct w_decision *decision;
	struct w_reasons reasons;
	/* What find_over() searches. */
	const struct w_evaluation_item *asked;
	const struct w_rule *ask;
	const struct w_rule *over;
};

/* Whether the network that it uses need not lead to another machine. */
static bool
stays_here(const struct w_analysis *analysis, size_t place)
{
	const struct w_touch *touch;

	if (place >= analysis->touch_count)
		return false;
	touch = &analysis->touches[place];
	return touch->effect == W_EFFECT_NET &&
	       (touch->is_possible ||
		   (touch->kind == W_TOUCH_HOST && touch->target != NULL &&
		       w_address_is_loopback(touch->target, touch->len)));
}

/* That code runs says more about an allow than that a file is read, and that a
 * command touches nothing says nothing. Of what needs approval, another machine
 * says more than this one. */
static unsigned
concern_of(const struct w_evaluation *evaluation,
    const struct w_evaluation_item *item, const struct w_rule *rule)
{
	const struct w_analysis *analysis = evaluation->command->analysis;

	if (rule->verdict != W_ALLOW)
		return stays_here(analysis, item->touch) ? 0 : 1;
	return item->effect == W_EFFECT_READ &&
		       item->touch == analysis->touch_count
		   ? 0
		   : item->effect;
}

static void
add_reason(struct judging *judging, const struct w_evaluation_item *item,
    const struct w_rule *rule, bool is_granted,
    const struct w_rule *outranked_by)
{
	struct w_evaluation *evaluation = &judging->evaluation;
	const struct w_ranked_reason ranked = {
	    .reason = {.verdict = rule->verdict,
		.tier = evaluation->tier->tier,
		.rule = rule,
		.command = evaluation->command_index,
		.touch = item->touch,
		.effect = item->effect,
		.more = item->more,
		.outranked_by = outranked_by},
	    .tier = (size_t)(evaluation->tier - evaluation->policy_set->tiers),
	    .is_granted = is_granted,
	    .is_over = rule == item->over,
	    .concern = concern_of(evaluation, item, rule)};

	if (!w_reasons_add(&judging->reasons, &ranked))
		evaluation->has_failed = true;
}

/* ---- one command, one tier ---- */

/* The grant that allows an item; NULL: none. */
static const struct w_grant *
grant_of(struct w_evaluation *evaluation, const struct w_evaluation_item *item)
{
	for (size_t i = 0; i < evaluation->policy_set->grant_count; i++) {
		const struct w_grant *grant =
		    &evaluation->policy_set->grants[i];

		if (grant->rule == NULL ||
		    (grant->rule->kind == W_RULE_PLAIN &&
			grant->rule->verdict == W_ALLOW &&
			w_rule_matches_item(evaluation, grant->rule, item) &&
			w_rule_matches_command(evaluation, grant->rule)))
			return grant;
	}
	return NULL;
}

/* Whether an allow in an including file makes this ask void for the item. */
static bool
is_outranked(const struct w_evaluation_item *item, const struct w_rule *rule)
{
	return rule->verdict == W_ASK &&
	       (rule->document & item->outranked) != 0;
}

static void
keep_first(const struct w_rule **kept, const struct w_rule *rule)
{
	if (*kept == NULL || rule->order < (*kept)->order)
		*kept = rule;
}

static void
record_match(struct w_evaluation *evaluation, struct w_evaluation_item *item,
    const struct w_rule *rule)
{
	struct judging *judging = (struct judging *)evaluation;

	judging->decision->is_trial |= rule->is_trial;
	keep_first(&item->by[rule->verdict], rule);
	/* A list of programs is no rule that somebody wrote for a command. */
	if (rule->verdict == W_ALLOW && rule->kind == W_RULE_PLAIN)
		item->outranked |= rule->outranks;
}

static bool
is_variable(
    const struct w_evaluation *evaluation, const struct w_evaluation_item *item)
{
	const struct w_analysis *analysis = evaluation->command->analysis;

	return item->touch < analysis->touch_count &&
	       analysis->touches[item->touch].kind == W_TOUCH_VARIABLE;
}

typedef void visit_match(struct w_evaluation *evaluation,
    struct w_evaluation_item *item, const struct w_rule *rule);

/* Visits all items that a rule matches. */
static void
test_rule_for(struct w_evaluation *evaluation, const struct w_rule *rule,
    visit_match *visit)
{
	const bool is_special = rule->kind != W_RULE_PLAIN;
	bool is_tested = is_special; /* the rule matches the command */

	if (is_special && !w_rule_matches_special(evaluation, rule))
		return;
	for (size_t i = 0; i < evaluation->count; i++) {
		struct w_evaluation_item *item = &evaluation->items[i];

		if (!is_special && !w_rule_matches_item(evaluation, rule, item))
			continue;
		/* An allowlist of programs neither widens the sandbox nor gives
		 * the approval that a module asks for, nor lets a variable make
		 * a program on it something else. */
		if (is_special && rule->verdict == W_ALLOW &&
		    ((item->effect & (W_EFFECT_MORE | W_EFFECT_APPROVAL)) !=
			    0 ||
			(is_variable(evaluation, item) &&
			    !evaluation->facts->are_variables_allowed)))
			continue;
		if (!is_tested && !w_rule_matches_command(evaluation, rule))
			return;
		is_tested = true;
		visit(evaluation, item, rule);
	}
}

static void
test_rule(struct w_evaluation *evaluation, const struct w_rule *rule)
{
	test_rule_for(evaluation, rule, record_match);
}

/* ---- an allow outranks the asks of what its file includes ---- */

static bool
outranks(const struct w_rule *rule, const struct w_rule *ask)
{
	return rule->verdict == W_ALLOW && rule->kind == W_RULE_PLAIN &&
	       (rule->outranks & ask->document) != 0;
}

/* The asks that are left, and the first allow that was needed. */
static void
record_left(struct w_evaluation *evaluation, struct w_evaluation_item *item,
    const struct w_rule *rule)
{
	(void)evaluation;
	if (item->dropped == NULL)
		return;
	if (rule->verdict == W_ASK && !is_outranked(item, rule))
		keep_first(&item->by[W_ASK], rule);
	if (outranks(rule, item->dropped))
		keep_first(&item->over, rule);
}

static void
test_left(struct w_evaluation *evaluation, const struct w_rule *rule)
{
	test_rule_for(evaluation, rule, record_left);
}

/* Most items have no such ask, so this is a second search of few commands. */
static void
drop_outranked(struct w_evaluation *evaluation)
{
	bool has_any = false;

	for (size_t i = 0; i < evaluation->count; i++) {
		struct w_evaluation_item *item = &evaluation->items[i];
		const struct w_rule *ask = item->by[W_ASK];

		if (ask == NULL || !is_outranked(item, ask))
			continue;
		item->dropped = ask;
		item->by[W_ASK] = NULL;
		has_any = true;
	}
	if (has_any)
		w_evaluation_each_rule(evaluation, test_left);
}

/* ---- all reasons ---- */

static void
match_over(struct w_evaluation *evaluation, struct w_evaluation_item *item,
    const struct w_rule *rule)
{
	struct judging *judging = (struct judging *)evaluation;

	if (item == judging->asked && outranks(rule, judging->ask))
		keep_first(&judging->over, rule);
}

static void
test_over(struct w_evaluation *evaluation, const struct w_rule *rule)
{
	test_rule_for(evaluation, rule, match_over);
}

/* The allow that outranks an ask for this item. */
static const struct w_rule *
find_over(struct judging *judging, const struct w_evaluation_item *item,
    const struct w_rule *ask)
{
	judging->asked = item;
	judging->ask = ask;
	judging->over = NULL;
	w_evaluation_each_rule(&judging->evaluation, test_over);
	return judging->over;
}

static void
report_match(struct w_evaluation *evaluation, struct w_evaluation_item *item,
    const struct w_rule *rule)
{
	struct judging *judging = (struct judging *)evaluation;
	const bool is_void = is_outranked(item, rule);

	/* As it is decided: rule_of(). */
	if (item->is_given && rule->verdict == W_ASK)
		return;
	add_reason(judging, item, rule,
	    rule->verdict == W_ASK && !is_void &&
		grant_of(evaluation, item) != NULL,
	    is_void ? find_over(judging, item, rule) : NULL);
}

static void
report_rule(struct w_evaluation *evaluation, const struct w_rule *rule)
{
	test_rule_for(evaluation, rule, report_match);
}

/* ---- one item ---- */

/* Access to files that cannot be named is part of the code that does it, and
 * allowed with that code. */
static const struct w_rule *
rule_of_code(
    const struct w_evaluation *evaluation, const struct w_evaluation_item *item)
{
	const unsigned of_files =
	    W_EFFECT_READ | W_EFFECT_WRITE | W_EFFECT_DELETE | W_EFFECT_EXEC;

	if (item->path != NULL || (item->effect & of_files) == 0 ||
	    (evaluation->effects & W_EFFECT_CODE) == 0)
		return NULL;
	for (size_t i = 0; i < evaluation->count; i++) {
		if (evaluation->items[i].effect == W_EFFECT_CODE &&
		    evaluation->items[i].by[W_ALLOW] != NULL)
			return evaluation->items[i].by[W_ALLOW];
	}
	return NULL;
}

/* The rule that decides an item; NULL: it needs none. */
static const struct w_rule *
rule_of(
    const struct w_evaluation *evaluation, const struct w_evaluation_item *item)
{
	if (item->is_given)
		return item->by[W_DENY];
	for (int verdict = W_DENY; verdict > W_ALLOW; verdict--) {
		if (item->by[verdict] != NULL)
			return item->by[verdict];
	}
	if (item->over != NULL)
		return item->over;
	if (item->by[W_ALLOW] != NULL)
		return item->by[W_ALLOW];
	if (item->is_implied)
		return NULL;
	const struct w_rule *rule = rule_of_code(evaluation, item);
	if (rule == NULL)
		rule = w_policy_default(evaluation->tier->policy, item->effect);
	return rule != NULL ? rule : &no_default;
}

static void
decide_item(struct judging *judging, const struct w_evaluation_item *item)
{
	struct w_evaluation *evaluation = &judging->evaluation;
	struct w_decision *decision = judging->decision;
	const struct w_rule *rule = rule_of(evaluation, item);
	const struct w_grant *grant = NULL;

	if (rule == NULL)
		return;
	if (rule->verdict == W_ASK)
		grant = grant_of(evaluation, item);
	if (grant == NULL && rule->verdict > decision->verdict)
		decision->verdict = rule->verdict;
	if (decision->grant == NULL)
		decision->grant = grant;
	add_reason(judging, item, rule, grant != NULL, NULL);
}

static void
evaluate_tier(struct judging *judging, const struct w_policy_tier *tier)
{
	struct w_evaluation *evaluation = &judging->evaluation;

	evaluation->tier = tier;
	evaluation->agent = evaluation->facts->agent;
	if (evaluation->agent == NULL)
		evaluation->agent = w_policy_default_agent(tier->policy);
	evaluation->agent_section =
	    w_policy_agent_find(tier->policy, evaluation->agent);
	for (size_t i = 0; i < evaluation->count; i++) {
		struct w_evaluation_item *item = &evaluation->items[i];

		memset(item->by, 0, sizeof(item->by));
		item->outranked = 0;
		item->dropped = NULL;
		item->over = NULL;
	}
	w_evaluation_each_rule(evaluation, test_rule);
	drop_outranked(evaluation);
	if (judging->reasons.wants_all)
		w_evaluation_each_rule(evaluation, report_rule);
	for (size_t i = 0; i < evaluation->count; i++)
		decide_item(judging, &evaluation->items[i]);
}

static void
evaluate_command(struct judging *judging, size_t command_index)
{
	struct w_evaluation *evaluation = &judging->evaluation;
	const struct w_policy_set *policy_set = evaluation->policy_set;

	if (!w_evaluation_add_items(evaluation, command_index)) {
		evaluation->has_failed = true;
		return;
	}
	judging->decision->effects |= evaluation->effects;
	for (size_t i = 0; i < policy_set->count; i++)
		evaluate_tier(judging, &policy_set->tiers[i]);
}

/* ---- all commands ---- */

/* The default agent of the first tier that sets one. A project's is ignored: it
 * could take over what was granted to another agent. */
static const char *
effective_agent(
    const struct w_policy_set *policy_set, const struct w_policy_facts *facts)
{
	if (facts->agent != NULL)
		return facts->agent;
	for (size_t i = 0; i < policy_set->count; i++) {
		const struct w_policy_tier *tier = &policy_set->tiers[i];

		if (tier->tier != W_TIER_PROJECT &&
		    tier->policy->default_agent != NULL)
			return tier->policy->default_agent;
	}
	return W_POLICY_DEFAULT_AGENT;
}

static bool
evaluate_all(struct judging *judging)
{
	struct w_decision *decision = judging->decision;
	struct w_evaluation *evaluation = &judging->evaluation;
	const struct w_policy_facts *facts = evaluation->facts;

	decision->is_understood = true;
	for (size_t i = 0; i < facts->count; i++) {
		if (!facts->commands[i].analysis->is_understood)
			decision->is_understood = false;
		evaluate_command(judging, i);
	}
	/* No policy, or no command. */
	if (judging->reasons.best.reason.rule == NULL) {
		decision->verdict = W_ASK;
		judging->reasons.best.reason =
		    (struct w_reason){.verdict = W_ASK,
			.tier = W_TIER_SYSTEM,
			.rule = &no_default};
	}
	if (decision->verdict != W_ALLOW)
		decision->grant = NULL;
	decision->agent = effective_agent(evaluation->policy_set, facts);
	if (evaluation->has_failed ||
	    !w_reasons_save(&judging->reasons, facts, decision))
		return false;
	decision->message =
	    w_decision_message(facts, evaluation->policy_set, decision);
	return decision->message != NULL;
}

static writ_status
evaluate(const struct w_policy_set *policy_set,
    const struct w_policy_facts *facts, bool wants_all,
    struct w_decision *out_decision, writ_error *err)
{
	struct w_decision decision = {.verdict = W_ALLOW};
	struct w_evaluation_item few[FEW_ITEMS];
	struct judging judging = {.evaluation = {.facts = facts,
				      .policy_set = policy_set,
				      .arena = &decision.arena,
				      .items = few,
				      .cap = FEW_ITEMS},
	    .decision = &decision,
	    .reasons = {.wants_all = wants_all}};
	bool is_done = evaluate_all(&judging);

	w_evaluation_done(&judging.evaluation);
	w_reasons_done(&judging.reasons);
	if (!is_done) {
		w_decision_done(&decision);
		return w_fail_nomem(err, STAGE);
	}
	*out_decision = decision;
	return WRIT_OK;
}

writ_status
w_policy_evaluate(const struct w_policy_set *policy_set,
    const struct w_policy_facts *facts, struct w_decision *out_decision,
    writ_error *err)
{
	return evaluate(policy_set, facts, false, out_decision, err);
}

writ_status
w_policy_evaluate_fully(const struct w_policy_set *policy_set,
    const struct w_policy_facts *facts, struct w_decision *out_decision,
    writ_error *err)
{
	return evaluate(policy_set, facts, true, out_decision, err);
}

void
w_decision_done(struct w_decision *decision)
{
	w_arena_done(&decision->arena);
}
