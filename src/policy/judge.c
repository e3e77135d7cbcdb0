/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The decision: every command by every tier, the strictest answer of all.
 *
 * 1. A rule of greater strength wins, wherever it stands: deny, ask, allow.
 * 2. An item that no rule allows gets the default, and what is unknown is never
 *    allowed by a default.
 * 3. A grant turns what would be asked about into allowed; never a denial.
 * 4. Of several reasons the strongest is named; of these the one of the first
 *    tier, and then the one that stands first in its file.
 */

#include "policy/judge.h"

#include <string.h>

#include "policy/judge_state.h"

#define STAGE "policy"

/* Commands do not touch more as a rule: no memory is asked for then. */
#define FEW_ITEMS 24

/* What counts for a policy without a default, which no read one is. */
static const struct w_rule no_default = {.kind = W_RULE_DEFAULT,
    .verdict = W_ASK,
    .order = SIZE_MAX,
    .text = "default: ask",
    .is_shell = -1};

/* The state of one decision. */
struct session {
	struct w_trial trial; /* first: it is what rules are held against */
	struct w_decision *decision;
	struct w_reasons reasons;
};

static void
tell(struct session *session, const struct w_item *item,
    const struct w_rule *rule, bool is_granted)
{
	struct w_trial *trial = &session->trial;
	const struct w_told told = {.reason = {.verdict = rule->verdict,
					.tier = trial->seat->tier,
					.rule = rule,
					.command = trial->place,
					.touch = item->touch,
					.effect = item->effect,
					.more = item->more},
	    .seat = (size_t)(trial->seat - trial->bench->seats),
	    .is_granted = is_granted};

	if (!w_reasons_add(&session->reasons, &told))
		trial->has_failed = true;
}

/* ---- one command, one tier ---- */

/* The grant under which an item is allowed; NULL: none. */
static const struct w_grant *
grant_of(struct w_trial *trial, const struct w_item *item)
{
	for (size_t i = 0; i < trial->bench->grant_count; i++) {
		const struct w_grant *grant = &trial->bench->grants[i];

		if (grant->rule == NULL ||
		    (grant->rule->kind == W_RULE_PLAIN &&
			grant->rule->verdict == W_ALLOW &&
			w_rule_fits_item(trial, grant->rule, item) &&
			w_rule_fits_command(trial, grant->rule)))
			return grant;
	}
	return NULL;
}

static void
note(struct w_trial *trial, struct w_item *item, const struct w_rule *rule)
{
	struct session *session = (struct session *)trial;
	const struct w_rule **by = &item->by[rule->verdict];

	if (*by == NULL || rule->order < (*by)->order)
		*by = rule;
	if (session->reasons.is_full)
		tell(session, item, rule,
		    rule->verdict == W_ASK && grant_of(trial, item) != NULL);
}

/* Holds one rule against all items. */
static void
look(struct w_trial *trial, const struct w_rule *rule)
{
	bool is_special = rule->kind != W_RULE_PLAIN;
	bool fits = is_special && w_special_fits(trial, rule);

	if (is_special && !fits)
		return;
	for (size_t i = 0; i < trial->count; i++) {
		struct w_item *item = &trial->items[i];

		if (!is_special && !w_rule_fits_item(trial, rule, item))
			continue;
		/* A list of programs says nothing about the walls, nor about
		 * what a module wants. */
		if (is_special && rule->verdict == W_ALLOW &&
		    (item->effect & (W_EFFECT_MORE | W_EFFECT_APPROVAL)) != 0)
			continue;
		if (!fits && !w_rule_fits_command(trial, rule))
			return;
		fits = true;
		note(trial, item, rule);
	}
}

/* What is done to files that nobody can name is a part of the code that does
 * it, and allowed with it. */
static const struct w_rule *
rule_of_code(const struct w_trial *trial, const struct w_item *item)
{
	const unsigned of_files =
	    W_EFFECT_READ | W_EFFECT_WRITE | W_EFFECT_DELETE | W_EFFECT_EXEC;

	if (item->path != NULL || (item->effect & of_files) == 0 ||
	    (trial->effects & W_EFFECT_CODE) == 0)
		return NULL;
	for (size_t i = 0; i < trial->count; i++) {
		if (trial->items[i].effect == W_EFFECT_CODE &&
		    trial->items[i].by[W_ALLOW] != NULL)
			return trial->items[i].by[W_ALLOW];
	}
	return NULL;
}

/* The rule that an item is left with; NULL: it needs none. */
static const struct w_rule *
rule_of(const struct w_trial *trial, const struct w_item *item)
{
	if (item->is_given)
		return item->by[W_DENY];
	for (int verdict = W_DENY; verdict >= W_ALLOW; verdict--) {
		if (item->by[verdict] != NULL)
			return item->by[verdict];
	}
	if (item->is_implied)
		return NULL;
	const struct w_rule *rule = rule_of_code(trial, item);
	if (rule == NULL)
		rule = w_policy_default(trial->seat->policy, item->effect);
	return rule != NULL ? rule : &no_default;
}

static void
settle(struct session *session, const struct w_item *item)
{
	struct w_trial *trial = &session->trial;
	struct w_decision *decision = session->decision;
	const struct w_rule *rule = rule_of(trial, item);
	const struct w_grant *grant = NULL;

	if (rule == NULL)
		return;
	if (rule->verdict == W_ASK)
		grant = grant_of(trial, item);
	if (grant == NULL && rule->verdict > decision->verdict)
		decision->verdict = rule->verdict;
	if (decision->grant == NULL)
		decision->grant = grant;
	tell(session, item, rule, grant != NULL);
}

static const char *
agent_of(const struct w_case *c, const struct w_policy *policy)
{
	if (c->agent != NULL)
		return c->agent;
	return policy->default_agent != NULL ? policy->default_agent : "local";
}

static void
judge_by(struct session *session, const struct w_bench_seat *seat)
{
	struct w_trial *trial = &session->trial;

	trial->seat = seat;
	trial->agent = agent_of(trial->c, seat->policy);
	trial->found = w_policy_agent_find(seat->policy, trial->agent);
	for (size_t i = 0; i < trial->count; i++)
		memset(trial->items[i].by, 0, sizeof(trial->items[i].by));
	w_trial_look(trial, look);
	for (size_t i = 0; i < trial->count; i++)
		settle(session, &trial->items[i]);
}

static void
judge_command(struct session *session, size_t place)
{
	struct w_trial *trial = &session->trial;
	const struct w_bench *bench = trial->bench;

	if (!w_trial_take(trial, place)) {
		trial->has_failed = true;
		return;
	}
	session->decision->effects |= trial->effects;
	for (size_t i = 0; i < bench->count; i++)
		judge_by(session, &bench->seats[i]);
}

/* ---- the whole ---- */

/* Nobody has said anything: there is no policy, or no command. */
static void
tell_nothing(struct session *session)
{
	session->decision->verdict = W_ASK;
	session->reasons.best.reason = (struct w_reason){
	    .verdict = W_ASK, .tier = W_TIER_SYSTEM, .rule = &no_default};
}

/* Of the first tier that says who it is when nobody does. A project does not:
 * what was granted to somebody else would count then. */
static const char *
agent_told(const struct w_bench *bench, const struct w_case *c)
{
	if (c->agent != NULL)
		return c->agent;
	for (size_t i = 0; i < bench->count; i++) {
		const struct w_bench_seat *seat = &bench->seats[i];
		const char *agent = agent_of(c, seat->policy);

		if (seat->tier != W_TIER_PROJECT && strcmp(agent, "local") != 0)
			return agent;
	}
	return "local";
}

static bool
judge_all(struct session *session)
{
	struct w_decision *decision = session->decision;
	struct w_trial *trial = &session->trial;
	const struct w_case *c = trial->c;

	decision->is_understood = true;
	for (size_t i = 0; i < c->count; i++) {
		if (!c->commands[i].meaning->is_understood)
			decision->is_understood = false;
		judge_command(session, i);
	}
	w_trial_done(trial);
	if (session->reasons.best.reason.rule == NULL)
		tell_nothing(session);
	if (decision->verdict != W_ALLOW)
		decision->grant = NULL;
	decision->agent = agent_told(trial->bench, c);
	if (trial->has_failed ||
	    !w_reasons_keep(&session->reasons, c, decision))
		return false;
	decision->message = w_decision_message(c, trial->bench, decision);
	return decision->message != NULL;
}

static writ_status
judge(const struct w_bench *bench, const struct w_case *c, bool is_full,
    struct w_decision *out_decision, writ_error *err)
{
	struct w_decision decision = {.verdict = W_ALLOW};
	struct w_item few[FEW_ITEMS];
	struct session session = {.trial = {.c = c,
				      .bench = bench,
				      .arena = &decision.arena,
				      .items = few,
				      .cap = FEW_ITEMS},
	    .decision = &decision,
	    .reasons = {.is_full = is_full}};
	bool is_done = judge_all(&session);

	w_reasons_done(&session.reasons);
	if (!is_done) {
		w_decision_done(&decision);
		return w_fail_nomem(err, STAGE);
	}
	*out_decision = decision;
	return WRIT_OK;
}

writ_status
w_judge(const struct w_bench *bench, const struct w_case *c,
    struct w_decision *out_decision, writ_error *err)
{
	return judge(bench, c, false, out_decision, err);
}

writ_status
w_judge_fully(const struct w_bench *bench, const struct w_case *c,
    struct w_decision *out_decision, writ_error *err)
{
	return judge(bench, c, true, out_decision, err);
}

void
w_decision_done(struct w_decision *decision)
{
	w_arena_done(&decision->arena);
}
