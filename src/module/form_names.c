/* SPDX-License-Identifier: Apache-2.0 */

/* From the tokens of a command line to parameters: what parsing looks up, and
 * how far it has to look. */

#include "module/form.h"

static size_t
larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static void
note_name(struct w_form *form, const struct w_flag_name *name)
{
	if ((name->spellings & W_SPELL_JOINED) != 0)
		form->joined_max = larger(form->joined_max, name->len);
	if (name->token[0] == '-' && name->len > 1 && name->token[1] != '-')
		form->short_max = larger(form->short_max, name->len);
	form->has_plus |= name->token[0] == '+';
}

static void
note_names(struct w_form *form, const struct w_param *param)
{
	for (size_t i = 0; i < param->name_count; i++)
		note_name(form, &param->names[i]);
}

static bool
add_names(struct w_form *form, struct w_param *param)
{
	for (size_t i = 0; i < param->name_count; i++) {
		const struct w_flag_name *name = &param->names[i];
		const void *found =
		    w_lookup_get(&form->names, name->token, name->len);

		if (found == NULL &&
		    !w_lookup_put(&form->names, name->token, name->len, param))
			return false;
	}
	note_names(form, param);
	return true;
}

/* Where the order matters, all that the command itself has is a step of it,
 * but not what has its place by the style: operands that come first, and what
 * stands before them. */
static bool
is_step(const struct w_form *form, const struct w_param *param)
{
	if (form->sequence == W_FORM_NONE || param->is_global ||
	    param->is_aside || param->kind == W_PARAM_SEQUENCE)
		return false;
	if (param->slot == W_SLOT_BEFORE_SUBCOMMAND || param->is_after_dashes)
		return false;
	return form->style != W_STYLE_LEADING ||
	       (param->kind == W_PARAM_OPTION &&
		   param->slot != W_SLOT_BEFORE_OPERANDS);
}

/* One that would be another option behind the sub-command can only stand
 * before it. */
static bool
is_hidden(const struct w_form *form, const struct w_param *param)
{
	const struct w_param *found =
	    w_lookup_get(&form->names, param->flag, param->flag_len);

	return found != NULL && found != param;
}

static bool
add_global(struct w_form *form, struct w_param *param)
{
	if (is_hidden(form, param))
		param->slot = W_SLOT_BEFORE_SUBCOMMAND;
	if (param->slot != W_SLOT_BEFORE_SUBCOMMAND)
		return add_names(form, param);
	note_names(form, param);
	return true;
}

bool
w_form_index_names(struct w_form *form)
{
	for (size_t i = 0; i < form->count; i++) {
		struct w_param *param = &form->params[i];

		param->is_step = is_step(form, param);
		if (!param->is_global && !add_names(form, param))
			return false;
	}
	/* Backwards, for nearer levels come later. */
	for (size_t i = form->count; i > 0; i--) {
		struct w_param *param = &form->params[i - 1];

		if (param->is_global && !add_global(form, param))
			return false;
	}
	return true;
}
