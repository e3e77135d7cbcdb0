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

#include <stdlib.h>
#include <string.h>

#include "policy/judge_state.h"

#define STAGE "policy"

/* Commands do not touch more as a rule: no memory is asked for then. */
#define FEW_ITEMS 24

/* More are not told; the strongest always is. */
#define REASONS_MAX 1000

/* What counts for a policy without a default, which no read one is. */
static const struct w_rule no_default = {.kind = W_RULE_DEFAULT,
    .verdict = W_ASK,
    .order = SIZE_MAX,
    .text = "default: ask",
    .is_shell = -1};

/* A reason with its place among the others. */
struct told {
	struct w_reason reason;
	size_t seat;
	bool is_granted;
};

/* The state of one decision. */
struct session {
	struct w_trial trial; /* first: it is what rules are held against */
	struct w_decision *decision;
	struct told best; /* rule NULL: none yet */
	bool is_full;     /* all reasons are wanted */
	struct told *list;
	size_t count;
	size_t cap;
};

/* ---- reasons ---- */

static int
strength(const struct told *told)
{
	if (told->is_granted)
		return W_ASK;
	return told->reason.verdict == W_ALLOW ? W_ALLOW
					       : (int)told->reason.verdict + 1;
}

static int
compare(size_t one, size_t other)
{
	return one < other ? -1 : one > other;
}

/* The one that is named first comes first. */
static int
by_weight(const void *left, const void *right)
{
	const struct told *one = left;
	const struct told *other = right;
	int order = strength(other) - strength(one);

	if (order == 0)
		order = compare(one->seat, other->seat);
	if (order == 0)
		order =
		    compare(one->reason.rule->order, other->reason.rule->order);
	if (order == 0)
		order = compare(one->reason.command, other->reason.command);
	return order != 0 ? order
			  : compare(one->reason.touch, other->reason.touch);
}

static bool
make_room(struct session *session)
{
	if (session->count < session->cap)
		return true;
	size_t cap = session->cap == 0 ? 16 : session->cap * 2;
	struct told *list = reallocarray(session->list, cap, sizeof(*list));
	if (list == NULL)
		return false;
	session->list = list;
	session->cap = cap;
	return true;
}

/* They come command by command, and tier by tier. */
static bool
is_listed(const struct session *session, const struct told *told)
{
	for (size_t i = session->count; i > 0; i--) {
		const struct told *known = &session->list[i - 1];

		if (known->reason.command != told->reason.command ||
		    known->seat != told->seat)
			return false;
		if (known->reason.rule == told->reason.rule &&
		    known->is_granted == told->is_granted)
			return true;
	}
	return false;
}

static void
tell(struct session *session, const struct w_item *item,
    const struct w_rule *rule, bool is_granted)
{
	struct w_trial *trial = &session->trial;
	const struct told told = {.reason = {.verdict = rule->verdict,
				      .tier = trial->seat->tier,
				      .rule = rule,
				      .command = trial->place,
				      .touch = item->touch,
				      .effect = item->effect},
	    .seat = (size_t)(trial->seat - trial->bench->seats),
	    .is_granted = is_granted};

	if (session->best.reason.rule == NULL ||
	    by_weight(&told, &session->best) < 0)
		session->best = told;
	if (!session->is_full || session->count == REASONS_MAX ||
	    is_listed(session, &told))
		return;
	if (make_room(session))
		session->list[session->count++] = told;
	else
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
	if (session->is_full)
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
	session->best.reason = (struct w_reason){
	    .verdict = W_ASK, .tier = W_TIER_SYSTEM, .rule = &no_default};
}

/* The strongest first, whatever the list could not hold. */
static void
order_reasons(struct session *session)
{
	if (session->count == 0)
		return;
	qsort(session->list, session->count, sizeof(*session->list), by_weight);
	if (by_weight(&session->best, &session->list[0]) < 0)
		session->list[0] = session->best;
}

static bool
keep_reasons(struct session *session)
{
	struct w_decision *decision = session->decision;
	const struct told *from =
	    session->count > 0 ? session->list : &session->best;
	size_t count = session->count > 0 ? session->count : 1;

	decision->reasons =
	    w_arena_alloc(&decision->arena, count, sizeof(*decision->reasons));
	if (decision->reasons == NULL)
		return false;
	decision->reason_count = count;
	for (size_t i = 0; i < count; i++) {
		struct w_reason *reason = &decision->reasons[i];

		*reason = from[i].reason;
		reason->what =
		    w_reason_what(&decision->arena, session->trial.c, reason);
		if (reason->what == NULL)
			return false;
	}
	return true;
}

/* Of the first tier that says who it is when nobody does. */
static const char *
agent_told(const struct w_bench *bench, const struct w_case *c)
{
	if (c->agent != NULL)
		return c->agent;
	for (size_t i = 0; i < bench->count; i++) {
		const char *agent = agent_of(c, bench->seats[i].policy);

		if (strcmp(agent, "local") != 0)
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
	if (session->best.reason.rule == NULL)
		tell_nothing(session);
	if (decision->verdict != W_ALLOW)
		decision->grant = NULL;
	decision->agent = agent_told(trial->bench, c);
	order_reasons(session);
	if (trial->has_failed || !keep_reasons(session))
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
	    .is_full = is_full};
	bool is_done = judge_all(&session);

	free(session.list);
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
