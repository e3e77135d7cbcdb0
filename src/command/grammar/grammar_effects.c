/* SPDX-License-Identifier: Apache-2.0 */

/* What a command is for, whatever its argv is. */

#include "command/grammar/grammar_effects.h"

static unsigned
list_effects(const struct w_effect *effects, size_t count)
{
	unsigned bits = 0;

	for (size_t i = 0; i < count; i++)
		bits |= effects[i].bit;
	return bits;
}

/* What values of a kind can do by themselves; the others do what is said about
 * the path that they name. */
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

static unsigned
values_effects(const struct w_param *param)
{
	unsigned bits = 0;

	for (unsigned i = 0; param->values != NULL && i < param->arity; i++)
		bits |= value_effects(&param->values[i]);
	return bits;
}

static unsigned
cases_effects(const struct w_param *param)
{
	unsigned bits = 0;

	for (size_t i = 0; i < param->case_count; i++)
		bits |= list_effects(
		    param->cases[i].effects, param->cases[i].effect_count);
	return bits;
}

static bool
is_beside(const struct w_param *param)
{
	return param->is_global || param->is_incidental;
}

/* Whether the rule is about an option that is not what the command is for. */
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
		bits |= values_effects(param);
		said |= cases_effects(param);
	}
	for (size_t i = 0; i < grammar->rule_count; i++) {
		const struct w_grammar_rule *rule = &grammar->rules[i];

		if (!rule->needs_terminal && !is_rule_beside(grammar, rule))
			said |= list_effects(rule->effects, rule->effect_count);
	}
	return bits | (said & ~grammar->incidental);
}
