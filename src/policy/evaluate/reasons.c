/* SPDX-License-Identifier: Apache-2.0 */

/* Why: the strongest reason, or all of them in the order in which they are
 * told. */

#include <stdlib.h>
#include <string.h>

#include "policy/evaluate/evaluation.h"

/* More are not told; the strongest always is. */
#define REASONS_MAX 1000

/* What a grant allows is told before what was never asked about. */
static int
strength(const struct w_ranked_reason *ranked)
{
	if (ranked->is_granted)
		return W_ASK;
	return ranked->reason.verdict == W_ALLOW
		   ? W_ALLOW
		   : (int)ranked->reason.verdict + 1;
}

static int
reasons_compare(size_t one, size_t other)
{
	return one < other ? -1 : one > other;
}

static bool
reasons_is_inside(const struct w_ranked_reason *ranked)
{
	return ranked->reason.effect != W_EFFECT_MORE;
}

/* The one that is named first comes first. What goes beyond the walls is named
 * before whatever the command does inside of them. */
static int
by_weight(const void *left, const void *right)
{
	const struct w_ranked_reason *one = left;
	const struct w_ranked_reason *other = right;
	int order = strength(other) - strength(one);

	if (order == 0)
		order = reasons_is_inside(one) - reasons_is_inside(other);
	if (order == 0)
		order = reasons_compare(one->tier, other->tier);
	if (order == 0)
		order = reasons_compare(
		    one->reason.rule->order, other->reason.rule->order);
	if (order == 0)
		order =
		    reasons_compare(one->reason.command, other->reason.command);
	return order != 0
		   ? order
		   : reasons_compare(one->reason.touch, other->reason.touch);
}

static bool
reasons_make_room(struct w_reasons *reasons)
{
	if (reasons->count < reasons->cap)
		return true;
	size_t cap = reasons->cap == 0 ? 16 : reasons->cap * 2;
	struct w_ranked_reason *list =
	    reallocarray(reasons->list, cap, sizeof(*list));
	if (list == NULL)
		return false;
	reasons->list = list;
	reasons->cap = cap;
	return true;
}

/* They come command by command, and tier by tier. */
static bool
reasons_is_listed(
    const struct w_reasons *reasons, const struct w_ranked_reason *ranked)
{
	for (size_t i = reasons->count; i > 0; i--) {
		const struct w_ranked_reason *known = &reasons->list[i - 1];

		if (known->reason.command != ranked->reason.command ||
		    known->tier != ranked->tier)
			return false;
		if (known->reason.rule == ranked->reason.rule &&
		    known->is_granted == ranked->is_granted)
			return true;
	}
	return false;
}

bool
w_reasons_add(struct w_reasons *reasons, const struct w_ranked_reason *ranked)
{
	if (reasons->best.reason.rule == NULL ||
	    by_weight(ranked, &reasons->best) < 0)
		reasons->best = *ranked;
	if (!reasons->is_full || reasons->count == REASONS_MAX ||
	    reasons_is_listed(reasons, ranked))
		return true;
	if (!reasons_make_room(reasons))
		return false;
	reasons->list[reasons->count++] = *ranked;
	return true;
}

/* The strongest first, whatever the list could not hold. */
static void
put_in_order(struct w_reasons *reasons)
{
	if (reasons->count == 0)
		return;
	qsort(reasons->list, reasons->count, sizeof(*reasons->list), by_weight);
	if (by_weight(&reasons->best, &reasons->list[0]) < 0)
		reasons->list[0] = reasons->best;
}

bool
w_reasons_save(struct w_reasons *reasons, const struct w_policy_facts *facts,
    struct w_decision *decision)
{
	const struct w_ranked_reason *from =
	    reasons->count > 0 ? reasons->list : &reasons->best;
	size_t count = reasons->count > 0 ? reasons->count : 1;

	put_in_order(reasons);
	decision->reasons =
	    w_arena_alloc(&decision->arena, count, sizeof(*decision->reasons));
	if (decision->reasons == NULL)
		return false;
	decision->reason_count = count;
	for (size_t i = 0; i < count; i++) {
		struct w_reason *reason = &decision->reasons[i];

		*reason = from[i].reason;
		reason->what =
		    w_reason_describe(&decision->arena, facts, reason);
		if (reason->what == NULL)
			return false;
	}
	return true;
}

void
w_reasons_done(struct w_reasons *reasons)
{
	free(reasons->list);
}
