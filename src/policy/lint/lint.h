/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_LINT_H
#define W_POLICY_LINT_H

#include "policy/policy.h"

/* Summary of a rule's programs: a cheap pre-filter for w_lint_covers(). */
struct w_lint_brief {
	uint64_t names; /* one bit per name, by hash */
	bool is_any;    /* it may match other programs too */
};

/* State of one lint run. */
struct w_lint {
	const struct w_policy *policy;
	struct w_lint_brief *briefs; /* one per rule of the policy */
	const struct w_lint_source *source;
	struct w_policy_faults *faults;
	bool is_out_of_memory;
	bool is_suggestible; /* the last warning was stored */
};

/* Adds a warning, except for rules of an included preset. */
void w_lint_warn(struct w_lint *lint, const struct w_policy_location *location,
    const char *fmt, ...) __attribute__((format(printf, 3, 4), cold));
/* Adds a suggestion to the last warning. */
void w_lint_suggest(struct w_lint *lint, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), cold));

/* "FILE:LINE:COLUMN", truncated if too long. */
struct w_lint_place {
	char text[160];
};
struct w_lint_place w_lint_place(const struct w_policy_location *location);

/* ---- lint_cover.c ---- */

/* Effects of the items that the rule can match; 0: it matches none. */
unsigned w_lint_effects(const struct w_rule *rule);
/* Whether the rule matches whatever the other matches. Unsure means no. */
bool w_lint_covers(const struct w_rule *rule, const struct w_rule *other);
struct w_lint_brief w_lint_brief(const struct w_rule *rule);
/* Whether every name that matches others also matches globs. */
bool w_lint_globs_cover(w_globs globs, w_globs others);

/* ---- lint_dead.c, lint_broad.c, lint_names.c, lint_hosts.c: each checks one
 * rule. agent: whose rule it is; NULL: everybody's ---- */
void w_lint_dead(struct w_lint *lint, const struct w_rule *rule,
    const struct w_policy_agent *agent);
void w_lint_broad(struct w_lint *lint, const struct w_rule *rule);
void w_lint_names(struct w_lint *lint, const struct w_rule *rule);
void w_lint_hosts(struct w_lint *lint, const struct w_rule *rule);

#endif /* W_POLICY_LINT_H */
