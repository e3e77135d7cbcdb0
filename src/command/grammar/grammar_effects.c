/* SPDX-License-Identifier: Apache-2.0 */

/* The purpose of a command, regardless of its argv. */

#include "command/grammar/grammar_effects.h"

static unsigned
list_effects(const struct w_effect *effects, size_t count)
{
	unsigned bits = 0;

	for (size_t i = 0; i < count; i++)
		bits |= effects[i].bit;
	return bits;
}

/* Effects that values of a kind can have by themselves. Others have the effects
 * described for their path. */
static const struct {
	enum w_value_type_kind kind;
	unsigned effects;
} kinds[] = {
    {W_VALUE_URL, W_EFFECT_NET | W_EFFECT_READ},
    {W_VALUE_HOST, W_EFFECT_NET},
    {W_VALUE_REMOTE, W_EFFECT_NET},
    {W_VALUE_HEADER, W_EFFECT_READ},
    {W_VALUE_DATA, W_EFFECT_READ},
    {W_VALUE_MULTIPART, W_EFFECT_READ},
    {W_VALUE_ASSIGNMENT, W_EFFECT_CODE},
    {W_VALUE_COMMAND, W_EFFECTS_ALL},
    {W_VALUE_PROGRAM, W_EFFECTS_ALL},
    {W_VALUE_SCRIPT, W_EFFECTS_ALL},
};

static unsigned
value_effects(const struct w_value_type *value)
{
	const bool is_sent = value->kind == W_VALUE_REMOTE &&
			     (value->access & W_EFFECT_WRITE) != 0;

	if (value->kind == W_VALUE_SCRIPT && value->script == W_SCRIPT_JQ)
		return W_EFFECT_READ;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (kinds[i].kind == value->kind)
			return value->access | kinds[i].effects |
			       (is_sent ? (unsigned)W_EFFECT_PUBLISH : 0U);
	}
	return value->access;
}

static bool
is_beside(const struct w_param *param)
{
	return param->is_global || param->is_incidental;
}

/* Whether the rule is about an option that is not the command's purpose. */
static bool
is_rule_beside(
    const struct w_grammar *grammar, const struct w_grammar_rule *rule)
{
	for (size_t i = 0; i < rule->has_count; i++) {
		if (is_beside(&grammar->params[rule->has[i]]))
			return true;
	}
	for (size_t i = 0; i < rule->all_count; i++) {
		if (is_beside(&grammar->params[rule->all[i]]))
			return true;
	}
	return false;
}

unsigned
w_grammar_purpose(const struct w_grammar *grammar)
{
	unsigned said = grammar->are_effects_known ? 0 : W_EFFECTS_ALL;
	unsigned bits = 0;

	for (size_t i = 0; i < grammar->count; i++) {
		const struct w_param *param = &grammar->params[i];

		if (is_beside(param))
			continue;
		for (unsigned k = 0; param->values != NULL && k < param->arity;
		     k++)
			bits |= value_effects(&param->values[k]);
		for (size_t k = 0; k < param->case_count; k++)
			said |= list_effects(param->cases[k].effects,
			    param->cases[k].effect_count);
	}
	for (size_t i = 0; i < grammar->rule_count; i++) {
		const struct w_grammar_rule *rule = &grammar->rules[i];

		if (!rule->needs_terminal && !is_rule_beside(grammar, rule))
			said |= list_effects(rule->effects, rule->effect_count);
	}
	return bits | (said & ~grammar->incidental);
}
