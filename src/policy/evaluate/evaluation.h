/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_EVALUATION_H
#define W_POLICY_EVALUATION_H

#include "policy/evaluate/decision.h"

/*
 * Shared by the files that evaluate policies.
 *
 * Commands are evaluated one after the other, each against every tier. A
 * command is a list of items. Each rule that might match is tested against all
 * items, and every item remembers the first matching rule of each verdict. The
 * strongest one decides.
 */

/* One effect of a command. */
struct w_evaluation_item {
	unsigned effect; /* one bit; 0: the command itself, which needs no
			    permission */
	size_t touch;    /* index in the analysis; touch_count: the command
			    itself */
	const struct w_policy_path *path; /* NULL: none */
	const char *more;                 /* as in w_reason; NULL: none */
	bool is_given; /* granted by a trusted caller: only deny rules apply */
	bool is_implied; /* covered by another item: needs no permission */
	const struct w_rule *by[3]; /* first matching rule, by verdict */
	uint64_t outranked; /* files whose asks a matching allow outranks */
	const struct w_rule *dropped; /* the first ask that is outranked; NULL:
					 none is */
	const struct w_rule *over;    /* the first allow that does so */
};

/* A command evaluated against one tier. */
struct w_evaluation {
	const struct w_policy_facts *facts;
	const struct w_policy_set *policy_set;
	struct w_arena *arena;
	bool has_failed; /* no memory */

	const struct w_policy_tier *tier;
	const char *agent;
	const struct w_policy_agent
	    *agent_section; /* in this tier; NULL: none */

	size_t command_index;
	const struct w_policy_command *command;
	struct w_evaluation_item *items;
	size_t count;
	size_t cap;
	unsigned effects; /* of all items */
	bool is_shell; /* is a shell command, contains one or is part of one */
	size_t words;  /* length of `prefix` */
	struct w_analysis *prefix; /* analysis of the first `words` words alone;
				      NULL: not made yet */
};

/* A reason with its sort keys. */
struct w_ranked_reason {
	struct w_reason reason;
	size_t tier; /* index in the policy set */
	bool is_granted;
	bool is_over;     /* an allow that outranks an ask */
	unsigned concern; /* the higher, the more it explains */
};

struct w_reasons {
	bool wants_all;              /* collect all reasons */
	struct w_ranked_reason best; /* rule NULL: none yet */
	struct w_ranked_reason *list;
	size_t count;
	size_t cap;
};

/* ---- reasons.c ---- */

/* false: no memory. */
bool w_reasons_add(
    struct w_reasons *reasons, const struct w_ranked_reason *ranked);

/* Copies the reasons into the decision, sorted. false: no memory. */
bool w_reasons_save(struct w_reasons *reasons,
    const struct w_policy_facts *facts, struct w_decision *decision);
void w_reasons_done(struct w_reasons *reasons);

/* ---- evaluation_items.c ---- */

/* Builds the items of a command. false: no memory. */
bool w_evaluation_add_items(
    struct w_evaluation *evaluation, size_t command_index);
void w_evaluation_done(struct w_evaluation *evaluation);

/* ---- match_rule.c ---- */

/* Whether the rule's conditions on the command hold, for any item. */
bool w_rule_matches_command(
    struct w_evaluation *evaluation, const struct w_rule *rule);

/* Whether its other conditions hold for this item. */
bool w_rule_matches_item(const struct w_evaluation *evaluation,
    const struct w_rule *rule, const struct w_evaluation_item *item);

/* Whether the rule denies or asks. Such rules match as broadly as possible,
 * allow rules as narrowly as possible. */
bool w_rule_is_broad(const struct w_rule *rule);

bool w_globs_match(w_globs globs, const char *text, size_t len, bool is_folded);

/* Whether a glob of the key `program` matches the command's program. */
bool w_evaluation_has_program(
    const struct w_evaluation *evaluation, const char *glob, bool is_broad);

/* The module id by which the command was called; NULL: none, or not trusted.
 * Only the outermost command has one. is_broad: as in w_rule_is_broad(). */
const char *w_evaluation_module(
    const struct w_evaluation *evaluation, bool is_broad);

/* ---- match_path.c ---- */

/* Whether a path matches one of the globs. whole: W_EFFECT_WRITE or
 * W_EFFECT_DELETE if it is a directory changed with all its contents, else 0.
 */
bool w_path_globs_match(const struct w_evaluation *evaluation, w_globs globs,
    const char *path, unsigned whole);

/* Whether a path is the directory or lies in it; both without "..". *out_rest
 * is the rest of the path. */
bool w_path_is_in(
    const char *path, const char *directory, const char **out_rest);

/* ---- match_shape.c ---- */
bool w_rule_matches_shapes(
    struct w_evaluation *evaluation, const struct w_rule *rule);

/* ---- match_arguments.c ---- */
bool w_rule_matches_arguments(
    const struct w_evaluation *evaluation, const struct w_rule *rule);

/* ---- match_special.c ---- */

/* Whether a rule that comes from a key other than `rules` matches. */
bool w_rule_matches_special(
    struct w_evaluation *evaluation, const struct w_rule *rule);

/* ---- rule_index.c ---- */

/* Calls visit for every rule of the tier that might match. */
void w_evaluation_each_rule(struct w_evaluation *evaluation,
    void (*visit)(struct w_evaluation *, const struct w_rule *));

/* The default for an item with that effect. NULL: the policy has none. */
const struct w_rule *w_policy_default(
    const struct w_policy *policy, unsigned effect);

/* ---- decision_message.c ---- */

/* Describes what a reason is about. NULL: no memory. */
const char *w_reason_describe(struct w_arena *arena,
    const struct w_policy_facts *facts, const struct w_reason *reason);

/* The decision's message. NULL: no memory. */
const char *w_decision_message(const struct w_policy_facts *facts,
    const struct w_policy_set *policy_set, struct w_decision *decision);

/* ---- masked_line.c ---- */

/* Appends an argument, or the whole shell command, with secrets as "***". */
void w_masked_add_word(
    struct w_buf *buf, const struct w_analysis *analysis, size_t word);

/* Appends a command line with secrets masked, truncated to max bytes. */
void w_masked_add_line(
    struct w_buf *buf, const struct w_analysis *analysis, size_t max);

#endif /* W_POLICY_EVALUATION_H */
