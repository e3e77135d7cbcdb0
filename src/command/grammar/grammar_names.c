/* SPDX-License-Identifier: Apache-2.0 */

/* The lookup table from tokens of a command line to parameters, and the longest
 * tokens, which bound the parser's search. */

#include "command/grammar/grammar.h"

static size_t
larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static void
note_names(struct w_grammar *grammar, const struct w_param *param)
{
	for (size_t i = 0; i < param->name_count; i++) {
		const struct w_flag_name *name = &param->names[i];

		if ((name->spellings & W_SPELL_JOINED) != 0)
			grammar->joined_max =
			    larger(grammar->joined_max, name->len);
		if (name->token[0] == '-' && name->len > 1 &&
		    name->token[1] != '-')
			grammar->short_max =
			    larger(grammar->short_max, name->len);
		grammar->has_plus |= name->token[0] == '+';
	}
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

/* Where the order matters, all of the command's own parameters are steps,
 * except those with a fixed position: leading operands and what precedes
 * them. */
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

static bool
add_global(struct w_grammar *grammar, struct w_param *param)
{
	const struct w_param *found =
	    w_hash_table_get(&grammar->names, param->flag, param->flag_len);

	/* A global option whose name means another option after the
	 * sub-command can only be before it. */
	if (found != NULL && found != param)
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
	/* Backwards, since nearer levels come later. */
	for (size_t i = grammar->count; i > 0; i--) {
		struct w_param *param = &grammar->params[i - 1];

		if (param->is_global && !add_global(grammar, param))
			return false;
	}
	return true;
}
