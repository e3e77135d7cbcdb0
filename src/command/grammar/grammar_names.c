/* SPDX-License-Identifier: Apache-2.0 */

/* From the tokens of a command line to parameters: what parsing looks up, and
 * how far it has to look. */

#include "command/grammar/grammar.h"

static size_t
larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static void
grammar_names_note_name(
    struct w_grammar *grammar, const struct w_flag_name *name)
{
	if ((name->spellings & W_SPELL_JOINED) != 0)
		grammar->joined_max = larger(grammar->joined_max, name->len);
	if (name->token[0] == '-' && name->len > 1 && name->token[1] != '-')
		grammar->short_max = larger(grammar->short_max, name->len);
	grammar->has_plus |= name->token[0] == '+';
}

static void
note_names(struct w_grammar *grammar, const struct w_param *param)
{
	for (size_t i = 0; i < param->name_count; i++)
		grammar_names_note_name(grammar, &param->names[i]);
}

static bool
grammar_names_add_names(struct w_grammar *grammar, struct w_param *param)
{
	for (size_t i = 0; i < param->name_count; i++) {
		const struct w_flag_name *name = &param->names[i];
		const void *found =
		    w_hash_table_get(&grammar->names, name->token, name->len);

		if (found == NULL && !w_hash_table_put(&grammar->names,
					 name->token, name->len, param))
			return false;
	}
	note_names(grammar, param);
	return true;
}

/* Where the order matters, all that the command itself has is a step of it,
 * but not what has its place by the style: operands that come first, and what
 * stands before them. */
static bool
is_step(const struct w_grammar *grammar, const struct w_param *param)
{
	if (grammar->sequence == W_GRAMMAR_NONE || param->is_global ||
	    param->is_aside || param->kind == W_PARAM_SEQUENCE)
		return false;
	if (param->slot == W_SLOT_BEFORE_SUBCOMMAND || param->is_after_dashes)
		return false;
	return grammar->style != W_STYLE_LEADING ||
	       (param->kind == W_PARAM_OPTION &&
		   param->slot != W_SLOT_BEFORE_OPERANDS);
}

/* One that would be another option behind the sub-command can only stand
 * before it. */
static bool
grammar_names_is_hidden(
    const struct w_grammar *grammar, const struct w_param *param)
{
	const struct w_param *found =
	    w_hash_table_get(&grammar->names, param->flag, param->flag_len);

	return found != NULL && found != param;
}

static bool
add_global(struct w_grammar *grammar, struct w_param *param)
{
	if (grammar_names_is_hidden(grammar, param))
		param->slot = W_SLOT_BEFORE_SUBCOMMAND;
	if (param->slot != W_SLOT_BEFORE_SUBCOMMAND)
		return grammar_names_add_names(grammar, param);
	note_names(grammar, param);
	return true;
}

bool
w_grammar_index_names(struct w_grammar *grammar)
{
	for (size_t i = 0; i < grammar->count; i++) {
		struct w_param *param = &grammar->params[i];

		param->is_step = is_step(grammar, param);
		if (!param->is_global &&
		    !grammar_names_add_names(grammar, param))
			return false;
	}
	/* Backwards, for nearer levels come later. */
	for (size_t i = grammar->count; i > 0; i--) {
		struct w_param *param = &grammar->params[i - 1];

		if (param->is_global && !add_global(grammar, param))
			return false;
	}
	return true;
}
