/* SPDX-License-Identifier: Apache-2.0 */

/* Collects reasons: only the strongest, or all in the order of reporting. */

#include <stdlib.h>
#include <string.h>

#include "policy/evaluate/evaluation.h"

#include "base/grow.h"

/* Further reasons are dropped; the strongest is always kept. */
#define REASONS_MAX 1000

/* A granted ask ranks above what needed no approval, and so does an allow that
 * outranks an ask. The outranked ask itself decides nothing. */
static int
strength(const struct w_ranked_reason *ranked)
{
	if (ranked->is_granted || ranked->is_over)
		return W_ASK;
	if (ranked->reason.outranked_by != NULL)
		return W_ALLOW;
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

/* Sort order of the report. Requests to leave the sandbox come before effects
 * inside it. */
static int
by_weight(const void *left, const void *right)
{
	const struct w_ranked_reason *one = left;
	const struct w_ranked_reason *other = right;
	int order = strength(other) - strength(one);

	if (order == 0)
		order = reasons_is_inside(one) - reasons_is_inside(other);
	if (order == 0)
		order = (one->reason.outranked_by != NULL) -
			(other->reason.outranked_by != NULL);
	if (order == 0)
		order = reasons_compare(other->concern, one->concern);
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

/* Reasons arrive by command and tier, so the search can stop early. */
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
		    known->is_granted == ranked->is_granted &&
		    known->is_over == ranked->is_over &&
		    known->reason.outranked_by == ranked->reason.outranked_by)
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
	if (!reasons->wants_all || reasons->count == REASONS_MAX ||
	    reasons_is_listed(reasons, ranked))
		return true;
	if (!w_grow(&reasons->list, reasons->count, &reasons->cap))
		return false;
	reasons->list[reasons->count++] = *ranked;
	return true;
}

bool
w_reasons_save(struct w_reasons *reasons, const struct w_policy_facts *facts,
    struct w_decision *decision)
{
	const struct w_ranked_reason *from =
	    reasons->count > 0 ? reasons->list : &reasons->best;
	size_t count = reasons->count > 0 ? reasons->count : 1;

	if (reasons->count > 0) {
		qsort(reasons->list, reasons->count, sizeof(*reasons->list),
		    by_weight);
		/* The full list may have dropped it. */
		if (by_weight(&reasons->best, &reasons->list[0]) < 0)
			reasons->list[0] = reasons->best;
	}
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
