/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Builds and searches the index of a policy's rules. Without an index every
 * rule is tested, with the same result.
 */

#include <stdlib.h>
#include <string.h>

#include "policy/evaluate/rule_index.h"

#include "base/grow.h"

#define STAGE "policy"

/* The first rules that are remembered as tested. A later one may be tested
 * twice, which changes nothing. */
#define SEEN_MAX 32768

/* ---- building ---- */

static void
file(void *ctx, enum w_rule_key kind, uint64_t hash)
{
	struct w_rule_index *index = ctx;

	if (!w_grow(&index->filed, index->filed_count, &index->filed_cap)) {
		index->has_failed = true;
		return;
	}
	index->kinds |= 1U << kind;
	index->filed[index->filed_count++] =
	    (struct w_rule_index_filed){hash, (uint32_t)index->now};
}

static void
rule_index_add_rule(
    struct w_rule_index *index, const struct w_rule *rule, size_t agent)
{
	if (rule->kind == W_RULE_DEFAULT) {
		index->standard = rule;
		return;
	}
	if (rule->kind == W_RULE_UNKNOWN) {
		index->unknown = rule;
		return;
	}
	index->now = index->count++;
	index->entries[index->now] = (struct w_rule_index_entry){.rule = rule,
	    .agent = agent,
	    .effects = rule->kind == W_RULE_PLAIN ? w_rule_effects(rule) : ~0U};
	w_rule_keys(rule, file, index);
}

static size_t
count_rules(const struct w_rule *const *rules)
{
	size_t count = 0;

	while (rules != NULL && rules[count] != NULL)
		count++;
	return count;
}

static bool
rule_index_add_rules(struct w_rule_index *index, const struct w_policy *policy)
{
	size_t count = policy->rule_count;

	for (size_t i = 0; i < policy->agent_count; i++)
		count += count_rules(policy->agents[i].rules);
	if (count >= UINT32_MAX)
		return false;
	index->entries = calloc(count + 1, sizeof(*index->entries));
	if (index->entries == NULL)
		return false;
	for (size_t i = 0; i < policy->rule_count; i++)
		rule_index_add_rule(
		    index, policy->rules[i], W_RULE_INDEX_EVERYBODY);
	for (size_t i = 0; i < policy->agent_count; i++) {
		size_t rules = count_rules(policy->agents[i].rules);

		for (size_t k = 0; k < rules; k++)
			rule_index_add_rule(
			    index, policy->agents[i].rules[k], i);
	}
	return !index->has_failed;
}

static int
by_hash(const void *left, const void *right)
{
	const struct w_rule_index_filed *one = left;
	const struct w_rule_index_filed *other = right;

	if (one->hash != other->hash)
		return one->hash < other->hash ? -1 : 1;
	return one->entry < other->entry ? -1 : one->entry > other->entry;
}

static struct w_rule_index_slot *
slot_of(const struct w_rule_index *index, uint64_t hash)
{
	size_t at = (size_t)(hash ^ (hash >> 32)) & index->slot_mask;

	while (index->slots[at].count > 0 && index->slots[at].hash != hash)
		at = (at + 1) & index->slot_mask;
	return &index->slots[at];
}

static bool
make_slots(struct w_rule_index *index)
{
	size_t size = 8;

	while (size < index->filed_count * 2)
		size *= 2;
	index->slots = calloc(size, sizeof(*index->slots));
	if (index->slots == NULL)
		return false;
	index->slot_mask = size - 1;
	if (index->filed_count > 0)
		qsort(index->filed, index->filed_count, sizeof(*index->filed),
		    by_hash);
	for (size_t i = 0; i < index->filed_count; i++) {
		struct w_rule_index_slot *slot =
		    slot_of(index, index->filed[i].hash);

		if (slot->count++ == 0) {
			slot->hash = index->filed[i].hash;
			slot->from = (uint32_t)i;
		}
	}
	return true;
}

writ_status
w_policy_index(struct w_policy *policy, writ_error *err)
{
	struct w_rule_index *index = calloc(1, sizeof(*index));

	if (index == NULL || !rule_index_add_rules(index, policy) ||
	    !make_slots(index)) {
		w_policy_index_free(index);
		return w_fail_nomem(err, STAGE);
	}
	policy->index = index;
	return WRIT_OK;
}

void
w_policy_index_free(const struct w_rule_index *index)
{
	if (index == NULL)
		return;
	free(index->entries);
	free(index->filed);
	free(index->slots);
	free((void *)(uintptr_t)index);
}

/* ---- searching ---- */

struct rule_index_search {
	struct w_evaluation *evaluation;
	const struct w_rule_index *index;
	size_t agent; /* index of the current agent; W_RULE_INDEX_EVERYBODY:
			 none */
	void (*visit)(struct w_evaluation *, const struct w_rule *);
	unsigned char seen[SEEN_MAX / 8];
};

static void
visit_rule(struct rule_index_search *search, size_t place)
{
	const struct w_rule_index_entry *entry = &search->index->entries[place];

	if (entry->effects != ~0U &&
	    (entry->effects & search->evaluation->effects) == 0)
		return;
	if (entry->agent != W_RULE_INDEX_EVERYBODY &&
	    entry->agent != search->agent)
		return;
	if (place < SEEN_MAX) {
		unsigned char bit = (unsigned char)(1U << (place % 8));

		if ((search->seen[place / 8] & bit) != 0)
			return;
		search->seen[place / 8] |= bit;
	}
	search->visit(search->evaluation, entry->rule);
}

static void
visit_key(void *ctx, enum w_rule_key kind, uint64_t hash)
{
	struct rule_index_search *search = ctx;
	const struct w_rule_index_slot *slot = slot_of(search->index, hash);

	(void)kind;
	for (size_t i = 0; i < slot->count; i++)
		visit_rule(search, search->index->filed[slot->from + i].entry);
}

static void
visit_indexed(struct w_evaluation *evaluation, const struct w_rule_index *index,
    void (*visit)(struct w_evaluation *, const struct w_rule *))
{
	struct rule_index_search search;
	size_t bytes = index->count < SEEN_MAX ? index->count / 8 + 1
					       : sizeof(search.seen);

	search.evaluation = evaluation;
	search.index = index;
	search.visit = visit;
	search.agent = evaluation->agent_section == NULL
			   ? W_RULE_INDEX_EVERYBODY
			   : (size_t)(evaluation->agent_section -
				      evaluation->tier->policy->agents);
	memset(search.seen, 0, bytes);
	if (w_evaluation_keys(evaluation, index->kinds, visit_key, &search))
		return;
	for (size_t i = 0; i < index->count; i++)
		visit_rule(&search, i);
}

void
w_evaluation_each_rule(struct w_evaluation *evaluation,
    void (*visit)(struct w_evaluation *, const struct w_rule *))
{
	const struct w_policy *policy = evaluation->tier->policy;
	const struct w_rule *const *own = evaluation->agent_section != NULL
					      ? evaluation->agent_section->rules
					      : NULL;

	if (policy->index != NULL) {
		visit_indexed(evaluation, policy->index, visit);
		return;
	}
	for (size_t i = 0; i < policy->rule_count; i++)
		visit(evaluation, policy->rules[i]);
	for (; own != NULL && *own != NULL; own++)
		visit(evaluation, *own);
}

static const struct w_rule *
find_kind(const struct w_policy *policy, enum w_rule_kind kind)
{
	for (size_t i = policy->rule_count; i > 0; i--) {
		if (policy->rules[i - 1]->kind == kind)
			return policy->rules[i - 1];
	}
	return NULL;
}

const struct w_rule *
w_policy_default(const struct w_policy *policy, unsigned effect)
{
	const struct w_rule_index *index = policy->index;
	const struct w_rule *standard =
	    index != NULL ? index->standard : find_kind(policy, W_RULE_DEFAULT);

	if (standard == NULL || standard->verdict != W_ALLOW ||
	    (effect & W_EFFECT_SAID) == 0)
		return standard;
	return index != NULL ? index->unknown
			     : find_kind(policy, W_RULE_UNKNOWN);
}
