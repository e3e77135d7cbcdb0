/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_LINT_H
#define W_POLICY_LINT_H

#include "policy/policy.h"

/* The programs of a rule in brief, so that most that cannot cover another need
 * no closer look. */
struct w_lint_brief {
	uint64_t names; /* a bit for each, by a hash */
	bool is_any;    /* others than those that it names may match as well */
};

/* A policy while it is looked over. */
struct w_lint {
	const struct w_policy *policy;
	struct w_lint_brief *briefs; /* of the policy's rules */
	const struct w_lint_source *source;
	struct w_policy_faults *faults;
	bool is_out_of_memory;
	bool is_suggestible; /* the last finding was added */
};

/* Says what is odd about a rule, unless it is one that is built in and only
 * included here. */
void w_lint_warn(struct w_lint *lint, const struct w_policy_location *location,
    const char *fmt, ...) __attribute__((format(printf, 3, 4), cold));
/* Adds what to do about it. */
void w_lint_suggest(struct w_lint *lint, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), cold));

/* "FILE:LINE:COLUMN", cut where it is too long. */
struct w_lint_place {
	char text[160];
};
struct w_lint_place w_lint_place(const struct w_policy_location *location);

/* ---- lint_cover.c ---- */

/* The effects that an item may have which matches this; 0: none can. */
unsigned w_lint_effects(const struct w_rule *rule);
/* Whether it matches whatever the other does. What cannot be told is no. */
bool w_lint_covers(const struct w_rule *rule, const struct w_rule *other);
struct w_lint_brief w_lint_brief(const struct w_rule *rule);
/* Whether every name that matches the second matches one of the first. */
bool w_lint_globs_cover(w_globs globs, w_globs others);

/* ---- lint_dead.c, lint_broad.c, lint_names.c: each looks at one rule. agent:
 * who it is for; NULL: everybody ---- */
void w_lint_dead(struct w_lint *lint, const struct w_rule *rule,
    const struct w_policy_agent *agent);
void w_lint_broad(struct w_lint *lint, const struct w_rule *rule);
void w_lint_names(struct w_lint *lint, const struct w_rule *rule);

#endif /* W_POLICY_LINT_H */
