/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_DECISION_H
#define W_POLICY_DECISION_H

#include "policy/policy.h"
#include "policy/policy_facts.h"

/*
 * From a case and some policies to a decision, and why. Pure.
 */
#define W_TIER_MAP(X)         \
	X(SYSTEM, "system")   \
	X(USER, "user")       \
	X(PROJECT, "project") \
	X(OPTION, "option")

enum w_tier {
#define X(name, word) W_TIER_##name,
	W_TIER_MAP(X)
#undef X
	W_TIER_COUNT
};

/* One tier: a policy, and the roots of it that were looked up. */
struct w_policy_tier {
	enum w_tier tier;
	const struct w_policy *policy;
	const char *const *roots; /* absolute, resolved, NULL-ended; of the
				     agent at hand */
};

/* A remembered approval that counts for this case: session, agent and expiry
 * were looked at by the engine. */
struct w_grant {
	const char *id;
	const struct w_rule *rule; /* an allow rule; NULL: the whole request,
				      whose hash is the grant's */
};

struct w_policy_set {
	const struct w_policy_tier *tiers;
	size_t count;
	const struct w_grant *grants;
	size_t grant_count;
};

/* Why: one rule that matched, or the lack of one. */
struct w_reason {
	enum w_verdict verdict;
	enum w_tier tier;
	const struct w_rule *rule; /* never NULL: a default is a rule as well */
	size_t command;            /* place in the case's commands */
	size_t touch;              /* of its meaning; touch_count: the command
				      itself */
	unsigned effect;           /* one bit; 0: the command itself */
	const char *more; /* of the effect `more`: what is asked for; of
			     `approval`: the module; NULL */
	const char *what; /* what matched, for people: "writes '/etc/passwd'" */
};

struct w_decision {
	struct w_arena arena;
	enum w_verdict verdict;
	struct w_reason *reasons;    /* the strongest first, then by tier and
					in file order; what a grant turned into
					allow is told as the ask that it was */
	size_t reason_count;         /* at least one */
	const struct w_grant *grant; /* that turned ask into allow; NULL */
	const char *message; /* what to tell: the rule's with its names put in,
				or our own words */
	const char *agent;   /* the one that counted */
	unsigned effects;    /* of all commands, W_EFFECT_UNKNOWN among them */
	bool is_understood;
	const char *nearest_allowed; /* w_decision_find_nearest(); NULL */
};

/* The faster half: says the verdict and the first reason. Both fail only
 * without memory. *out_decision is to be freed by w_decision_done(). */
writ_status w_policy_evaluate(const struct w_policy_set *policy_set,
    const struct w_policy_facts *facts, struct w_decision *out_decision,
    writ_error *err);

/* All reasons instead of the first, for explanations. */
writ_status w_policy_evaluate_fully(const struct w_policy_set *policy_set,
    const struct w_policy_facts *facts, struct w_decision *out_decision,
    writ_error *err);
void w_decision_done(struct w_decision *decision);

/* Looks for the nearest form of the command that would be allowed: without the
 * words that are at fault. Sets nearest_allowed, or leaves it NULL. Paths that
 * the case knows are known for the shortened command as well. */
writ_status w_decision_find_nearest(const struct w_policy_set *policy_set,
    const struct w_policy_facts *facts, struct w_decision *decision,
    writ_error *err);

/* What the agent may, of one tier: the terms of the policy with those of the
 * agent, the stricter ones. (Sandboxes are compared by the caller.) */
const struct w_policy_agent *w_policy_agent_find(
    const struct w_policy *policy, const char *name);

const char *w_verdict_word(enum w_verdict verdict); /* "allow" */
const char *w_tier_word(enum w_tier tier);

/* ---- decision_json.c ---- */

/* Appends members of the decision object that judging knows, without braces:
 * "decision", "message", "rule" (its place), "rules" [{"tier","file","line",
 * "column","decision","rule","because","message","matched","command"}],
 * "agent", "understood", "reason", "module", "called", "effects", "paths",
 * "hosts", "programs", "commands", "nearest_allowed", "grant". docs/policy.md
 * has them.
 */
void w_decision_add_json(struct w_buf *buf, const struct w_decision *decision,
    const struct w_policy_facts *facts);

/* ---- generalise.c ---- */

/* Appends the rule that a "shape" approval of this case would become, in policy
 * syntax on one line: "allow: git push origin ...", generalised only over what
 * the description types, never a bare program. */
void w_policy_generalise(struct w_buf *buf, const struct w_policy_facts *facts);

#endif /* W_POLICY_DECISION_H */
