/* SPDX-License-Identifier: Apache-2.0 */

/* The worst that a command can do, whatever its argv is. */

#include "module/form_effects.h"

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
	enum w_value kind;
	unsigned effects;
} kinds[] = {
    {W_VALUE_URL, W_EFFECT_NET | W_EFFECT_READ},
    {W_VALUE_HOST, W_EFFECT_NET},
    {W_VALUE_REMOTE, W_EFFECT_NET},
    {W_VALUE_HEADER, W_EFFECT_READ},
    {W_VALUE_DATA, W_EFFECT_READ},
    {W_VALUE_FORM, W_EFFECT_READ},
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
param_effects(const struct w_param *param)
{
	unsigned bits = 0;

	for (unsigned i = 0; param->values != NULL && i < param->arity; i++)
		bits |= value_effects(&param->values[i]);
	for (size_t i = 0; i < param->case_count; i++)
		bits |= list_effects(
		    param->cases[i].effects, param->cases[i].effect_count);
	return bits;
}

unsigned
w_form_effects(const struct w_form *form)
{
	unsigned bits = form->are_effects_known ? 0 : W_EFFECTS_ALL;

	for (size_t i = 0; i < form->count; i++)
		bits |= param_effects(&form->params[i]);
	for (size_t i = 0; i < form->rule_count; i++)
		bits |= list_effects(
		    form->rules[i].effects, form->rules[i].effect_count);
	return bits;
}
