/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_EVALUATION_H
#define W_POLICY_EVALUATION_H

#include "policy/evaluate/decision.h"

/*
 * What the files of judging share.
 *
 * Commands are judged one after the other, each by every tier. A command is a
 * list of items; each rule that might matter is held against it, and every
 * item remembers the first rule of each strength that matched. What remains is
 * to look which is the strongest.
 */

/* One thing that a command does. */
struct w_evaluation_item {
	unsigned effect; /* one bit; 0: the command itself, and nothing that has
			    to be allowed */
	size_t touch;    /* of the meaning; touch_count: the command itself */
	const struct w_policy_path *path; /* NULL: it has none */
	const char *more;                 /* as of a reason; NULL */
	bool is_given;   /* a trusted caller's word: only a denial applies */
	bool is_implied; /* another item says it: need not be allowed */
	const struct w_rule *by[3]; /* the first rule that matched, by verdict
				     */
};

/* A command that is judged, by one tier. */
struct w_evaluation {
	const struct w_policy_facts *facts;
	const struct w_policy_set *policy_set;
	struct w_arena *arena;
	bool has_failed; /* no memory */

	const struct w_policy_tier *tier;
	const char *agent;
	const struct w_policy_agent *found; /* of this tier; NULL */

	size_t place;
	const struct w_policy_command *command;
	struct w_evaluation_item *items;
	size_t count;
	size_t cap;
	unsigned effects; /* of the items */
	bool is_shell;    /* it is a text for a shell, has one, or is in one */
	size_t words;     /* of a shape that was looked at last */
	struct w_analysis *prefix; /* and what these mean by themselves */
};

/* A reason, and what counts when several are compared. */
struct w_ranked_reason {
	struct w_reason reason;
	size_t tier; /* place among the tiers */
	bool is_granted;
};

struct w_reasons {
	bool is_full;                /* all are wanted */
	struct w_ranked_reason best; /* rule NULL: none yet */
	struct w_ranked_reason *list;
	size_t count;
	size_t cap;
};

/* ---- reasons.c ---- */

/* false: no memory. */
bool w_reasons_add(
    struct w_reasons *reasons, const struct w_ranked_reason *ranked);

/* Copies what is to be told into the decision. false: no memory. */
bool w_reasons_save(struct w_reasons *reasons,
    const struct w_policy_facts *facts, struct w_decision *decision);
void w_reasons_done(struct w_reasons *reasons);

/* ---- evaluation_items.c ---- */

/* Makes the items of a command. false: no memory. */
bool w_evaluation_add_items(struct w_evaluation *evaluation, size_t place);
void w_evaluation_done(struct w_evaluation *evaluation);

/* ---- match_rule.c ---- */

/* Whether what the rule asks of the command holds, whatever the item. */
bool w_rule_matches_command(
    struct w_evaluation *evaluation, const struct w_rule *rule);

/* Whether the rest does, for this item. */
bool w_rule_matches_item(const struct w_evaluation *evaluation,
    const struct w_rule *rule, const struct w_evaluation_item *item);

/* Whether the rule denies or asks: it is taken as broadly as can be then, and
 * as narrowly when it allows. */
bool w_rule_is_broad(const struct w_rule *rule);

bool w_globs_match(w_globs globs, const char *text, size_t len, bool is_folded);

/* Whether a glob of `program` is about the command's. */
bool w_evaluation_has_program(
    const struct w_evaluation *evaluation, const char *glob, bool is_broad);

/* The id by which the command was called; NULL: by none that matters. It is
 * that of the outermost command; those inside have only their own. is_broad:
 * as in w_rule_is_broad(). */
const char *w_evaluation_module(
    const struct w_evaluation *evaluation, bool is_broad);

/* ---- match_path.c ---- */

/* Whether a path is one of those that the globs mean. whole: it is a directory
 * that is written to or deleted, with what is in it: which of both; or 0. */
bool w_path_globs_match(const struct w_evaluation *evaluation, w_globs globs,
    const char *path, unsigned whole);

/* Whether a path is a directory or in it; both without "..". The rest of it
 * begins at *out_rest. */
bool w_path_is_in(
    const char *path, const char *directory, const char **out_rest);

/* ---- match_shape.c ---- */
bool w_rule_matches_shapes(
    struct w_evaluation *evaluation, const struct w_rule *rule);

/* ---- match_arguments.c ---- */
bool w_rule_matches_arguments(
    const struct w_evaluation *evaluation, const struct w_rule *rule);

/* ---- match_special.c ---- */

/* Whether a rule that stands for a key of the policy holds for the command. */
bool w_rule_matches_special(
    struct w_evaluation *evaluation, const struct w_rule *rule);

/* ---- rule_index.c ---- */

/* Holds all rules of the seat that might matter against the items. */
void w_evaluation_each_rule(struct w_evaluation *evaluation,
    void (*look)(struct w_evaluation *, const struct w_rule *));

/* What counts for an item of that effect when no rule does; NULL: the policy
 * has no default. */
const struct w_rule *w_policy_default(
    const struct w_policy *policy, unsigned effect);

/* ---- decision_message.c ---- */

/* What one reason is about. NULL: no memory. */
const char *w_reason_describe(struct w_arena *arena,
    const struct w_policy_facts *facts, const struct w_reason *reason);

/* What to tell about the decision. NULL: no memory. */
const char *w_decision_message(const struct w_policy_facts *facts,
    const struct w_policy_set *policy_set, struct w_decision *decision);

/* ---- masked_line.c ---- */

/* Appends a word of a meaning, or its text for a shell, each stretch of secret
 * bytes in it as "***". */
void w_masked_add_word(
    struct w_buf *buf, const struct w_analysis *analysis, size_t word);

/* Appends a command line that can be shown, secrets hidden, cut off at so many
 * bytes. */
void w_masked_add_line(
    struct w_buf *buf, const struct w_analysis *analysis, size_t max);

#endif /* W_POLICY_EVALUATION_H */
