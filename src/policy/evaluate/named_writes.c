/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The files that a policy allows to be written by name; see named_writes.h.
 *
 * The result outlives the policy and the facts, so it is a list of words: for
 * each glob what the rule says of it, the directory that it is relative to
 * ("": none), and the rest.
 */

#include "policy/evaluate/named_writes.h"

#include <string.h>

#include "base/auto.h"
#include "policy/evaluate/evaluation.h"
#include "policy/glob.h"

#define ALLOWED "allow"
#define REFUSED "refuse"

enum {
	WORDS_EACH = 3,
	PATH_OF_WRITE = 1 /* in struct w_rule: by the bit W_EFFECT_WRITE */
};

struct write_naming {
	struct w_evaluation evaluation;
	bool (*is_wanted)(const char *glob);
	struct w_words *named;
	uint64_t outranked; /* files whose asks an allow outranks */
	bool has_failed;
};

static void
put(struct write_naming *naming, const char *what, const char *dir,
    const char *glob)
{
	if (!w_words_add(naming->named, what, strlen(what)) ||
	    !w_words_add(naming->named, dir, strlen(dir)) ||
	    !w_words_add(naming->named, glob, strlen(glob)))
		naming->has_failed = true;
}

static void
put_glob(struct write_naming *naming, const char *what, const char *glob)
{
	const struct w_evaluation *evaluation = &naming->evaluation;
	const char *const *root = evaluation->tier->roots;
	const char *home = evaluation->facts->home;

	if (strncmp(glob, "~/", 2) == 0) {
		if (home != NULL)
			put(naming, what, home, glob + 2);
		return;
	}
	if (strncmp(glob, "./", 2) != 0) {
		put(naming, what, "", glob);
		return;
	}
	for (; root != NULL && *root != NULL; root++)
		put(naming, what, *root, glob + 2);
}

/* ---- rules ---- */

static bool
matches_a_command(struct w_evaluation *evaluation, const struct w_rule *rule)
{
	const size_t count = evaluation->facts->count;

	for (size_t i = 0; i < count; i++) {
		if (w_evaluation_add_items(evaluation, i) &&
		    w_rule_matches_command(evaluation, rule))
			return true;
	}
	return false;
}

static void
name_allowed(struct write_naming *naming, const struct w_rule *rule)
{
	w_globs globs = rule->paths[PATH_OF_WRITE];
	bool has_any = false;

	for (w_globs glob = globs; *glob != NULL && !has_any; glob++)
		has_any = naming->is_wanted(*glob);
	if (!has_any || naming->evaluation.tier->tier == W_TIER_PROJECT ||
	    !matches_a_command(&naming->evaluation, rule))
		return;
	naming->outranked |= rule->outranks;
	for (; *globs != NULL; globs++) {
		if (naming->is_wanted(*globs))
			put_glob(naming, ALLOWED, *globs);
	}
}

/* Whether it would match this run is not asked: what is refused to one command
 * is told of all. */
static void
name_refused(struct write_naming *naming, const struct w_rule *rule)
{
	w_globs globs = rule->paths[PATH_OF_WRITE];

	if (rule->verdict == W_ASK && (rule->document & naming->outranked) != 0)
		return;
	for (; *globs != NULL; globs++)
		put_glob(naming, REFUSED, *globs);
}

static void
look_at_rules(struct write_naming *naming, const struct w_rule *const *rules,
    size_t count, bool are_allows)
{
	for (size_t i = 0; i < count; i++) {
		const struct w_rule *rule = rules[i];

		if (rule->kind != W_RULE_PLAIN ||
		    rule->paths[PATH_OF_WRITE] == NULL ||
		    (rule->verdict == W_ALLOW) != are_allows)
			continue;
		if (are_allows)
			name_allowed(naming, rule);
		else
			name_refused(naming, rule);
	}
}

static size_t
count_rules(const struct w_rule *const *rules)
{
	size_t count = 0;

	while (rules != NULL && rules[count] != NULL)
		count++;
	return count;
}

/* All tiers: a project's rules may refuse. */
static void
look_at_tiers(struct write_naming *naming, bool are_allows)
{
	struct w_evaluation *evaluation = &naming->evaluation;
	const struct w_policy_set *set = evaluation->policy_set;

	for (size_t i = 0; i < set->count; i++) {
		const struct w_policy *policy = set->tiers[i].policy;

		evaluation->tier = &set->tiers[i];
		evaluation->agent = evaluation->facts->agent;
		if (evaluation->agent == NULL)
			evaluation->agent = w_policy_default_agent(policy);
		evaluation->agent_section =
		    w_policy_agent_find(policy, evaluation->agent);
		look_at_rules(naming,
		    (const struct w_rule *const *)policy->rules,
		    policy->rule_count, are_allows);
		if (evaluation->agent_section == NULL)
			continue;
		const struct w_rule *const *own =
		    evaluation->agent_section->rules;
		look_at_rules(naming, own, count_rules(own), are_allows);
	}
}

writ_status
w_policy_named_writes(const struct w_policy_set *policy_set,
    const struct w_policy_facts *facts, bool (*is_wanted)(const char *glob),
    struct w_words *out_named, writ_error *err)
{
	W_AUTO_WORDS struct w_words named = {.items = NULL};
	struct w_arena arena = {.chunks = NULL};
	struct write_naming naming = {
	    .evaluation = {.facts = facts,
		.policy_set = policy_set,
		.arena = &arena},
	    .is_wanted = is_wanted,
	    .named = &named,
	};
	look_at_tiers(&naming, true);
	if (named.count > 0)
		look_at_tiers(&naming, false);
	w_evaluation_done(&naming.evaluation);
	w_arena_done(&arena);
	if (naming.has_failed)
		return w_fail_nomem(err, "policy");
	*out_named = named;
	named = (struct w_words){.items = NULL};
	return WRIT_OK;
}

/* ---- afterwards ---- */

static bool
has_path(const char *const *words, const char *path)
{
	const char *rest = path;

	return (words[1][0] == '\0' || w_path_is_in(path, words[1], &rest)) &&
	       w_glob_path(words[2], rest);
}

bool
w_policy_is_named_write(const struct w_words *named, const char *path)
{
	bool is_allowed = false;

	for (size_t i = 0; i + WORDS_EACH <= named->count; i += WORDS_EACH) {
		const char *const *words =
		    (const char *const *)named->items + i;

		if (!has_path(words, path))
			continue;
		if (strcmp(words[0], ALLOWED) != 0)
			return false;
		is_allowed = true;
	}
	return is_allowed;
}
