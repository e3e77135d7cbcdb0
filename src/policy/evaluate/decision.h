/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_DECISION_H
#define W_POLICY_DECISION_H

#include "policy/policy.h"
#include "policy/policy_facts.h"

/*
 * Decides what a set of policies says about a request, and why. No I/O.
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

/* One policy and its resolved roots. */
struct w_policy_tier {
	enum w_tier tier;
	const struct w_policy *policy;
	const char *const
	    *roots; /* for the current agent: absolute, resolved, NULL-ended */
};

/* A remembered approval that applies to this request: the engine has checked
 * session, agent and expiry. */
struct w_grant {
	const char *id;
	const struct w_rule *rule; /* an allow rule; NULL: the whole request,
				      matched by its hash */
};

struct w_policy_set {
	const struct w_policy_tier *tiers;
	size_t count;
	const struct w_grant *grants;
	size_t grant_count;
};

/* One rule that matched, or the default. */
struct w_reason {
	enum w_verdict verdict;
	enum w_tier tier;
	const struct w_rule *rule; /* never NULL: a default is a rule too */
	size_t command;            /* index in the facts' commands */
	size_t touch;     /* index in its analysis; touch_count: the command
			     itself */
	unsigned effect;  /* one bit; 0: the command itself */
	const char *more; /* W_EFFECT_MORE: what is asked for;
			     W_EFFECT_APPROVAL: the module; else NULL */
	const char *what; /* what matched, as text: "writes '/etc/passwd'" */
	const struct w_rule *outranked_by; /* of an ask: the allow of an
					      including file; NULL: none */
};

struct w_decision {
	struct w_arena arena;
	enum w_verdict verdict;
	struct w_reason *reasons;    /* strongest first, then by tier and file
					order; what a grant allows is listed as
					the ask it was */
	size_t reason_count;         /* at least one */
	const struct w_grant *grant; /* turned ask into allow; NULL: none */
	const char *message; /* for the user: the rule's message, filled in, or
				a generated one */
	const char *agent;   /* the agent that was decided for */
	unsigned effects;    /* of all commands, may include W_EFFECT_UNKNOWN */
	bool is_trial; /* a rule that matched says that its changes wait */
	bool is_understood;
	const char *nearest_allowed; /* w_decision_find_nearest(); NULL */
};

/* Keeps only the strongest reason. Fails only when memory runs out. Free
 * *out_decision with w_decision_done(). */
writ_status w_policy_evaluate(const struct w_policy_set *policy_set,
    const struct w_policy_facts *facts, struct w_decision *out_decision,
    writ_error *err);

/* Collects all reasons, for explanations. */
writ_status w_policy_evaluate_fully(const struct w_policy_set *policy_set,
    const struct w_policy_facts *facts, struct w_decision *out_decision,
    writ_error *err);
void w_decision_done(struct w_decision *decision);

/* Searches for the nearest command that would be allowed: the same one without
 * the arguments at fault. Sets nearest_allowed, or leaves it NULL. Paths known
 * for the command are known for the shortened one too. */
writ_status w_decision_find_nearest(const struct w_policy_set *policy_set,
    const struct w_policy_facts *facts, struct w_decision *decision,
    writ_error *err);

/* The agent's section in a policy: an exact name first, then the first glob
 * that matches. NULL: none. */
const struct w_policy_agent *w_policy_agent_find(
    const struct w_policy *policy, const char *name);

/* The agent of a request that names none. */
#define W_POLICY_DEFAULT_AGENT "local"
const char *w_policy_default_agent(const struct w_policy *policy);

const char *w_verdict_word(enum w_verdict verdict); /* "allow" */
const char *w_tier_word(enum w_tier tier);

/* ---- decision_json.c ---- */

/* Appends the members of the decision object that the policy knows, without
 * braces: "decision", "message", "rule" (its location), "rules"
 * [{"tier","file","line","column","decision","rule","because","message",
 * "matched","outranked_by","command"}],
 * "agent", "understood", "reason", "module", "called", "effects", "paths",
 * "hosts", "programs", "commands", "nearest_allowed", "grant". docs/policy.md
 * describes them. */
void w_decision_add_json(struct w_buf *buf, const struct w_decision *decision,
    const struct w_policy_facts *facts);

/* ---- generalise.c ---- */

/* Appends the rule that a "shape" approval of this request would create, in
 * policy syntax on one line: "allow: git push origin ...". Generalised only
 * over arguments whose types are described, never a bare program. */
void w_policy_generalise(struct w_buf *buf, const struct w_policy_facts *facts);
/* Where the question is which hosts are reached: a rule that allows these.
 * Appends nothing if that is not known. */
void w_policy_generalise_hosts(
    struct w_buf *buf, const struct w_policy_facts *facts);
/* For a text for a shell, where the rule above does not help: exactly that
 * text. Appends nothing for an argv. */
void w_policy_generalise_text(
    struct w_buf *buf, const struct w_policy_facts *facts);

#endif /* W_POLICY_DECISION_H */
