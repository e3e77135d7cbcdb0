/* SPDX-License-Identifier: Apache-2.0 */

/* Which rules of a policy might matter for a command. */

#include <stdlib.h>

#include "policy/judge_state.h"

static void
look_through(struct w_trial *trial, const struct w_rule *const *rules,
    void (*look)(struct w_trial *, const struct w_rule *))
{
	for (; rules != NULL && *rules != NULL; rules++)
		look(trial, *rules);
}

void
w_trial_look(struct w_trial *trial,
    void (*look)(struct w_trial *, const struct w_rule *))
{
	const struct w_policy *policy = trial->seat->policy;

	for (size_t i = 0; i < policy->rule_count; i++)
		look(trial, policy->rules[i]);
	if (trial->found != NULL)
		look_through(trial, trial->found->rules, look);
}

const struct w_rule *
w_policy_default(const struct w_policy *policy, unsigned effect)
{
	const struct w_rule *standard = NULL;
	const struct w_rule *unknown = NULL;

	for (size_t i = 0; i < policy->rule_count; i++) {
		const struct w_rule *rule = policy->rules[i];

		if (rule->kind == W_RULE_DEFAULT)
			standard = rule;
		else if (rule->kind == W_RULE_UNKNOWN)
			unknown = rule;
	}
	if (standard == NULL || standard->verdict != W_ALLOW ||
	    effect != W_EFFECT_UNKNOWN)
		return standard;
	return unknown;
}

writ_status
w_policy_index(struct w_policy *policy, writ_error *err)
{
	(void)policy;
	(void)err;
	return WRIT_OK;
}

void
w_policy_index_free(struct w_rule_index *index)
{
	free(index);
}
