/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Checks that the words of an argv can be assigned to operands by their number
 * and type.
 *
 * One operand may take any number of words, the others are counted from both
 * ends. Operands allowed only after "--" are counted separately. A command
 * takes all words from its first on, so an optional operand before it must have
 * a type that a program's name does not match. Operands under conditions are
 * checked with each argv.
 */

#include "command/description/command_builder.h"

/* Operands on one side of "--", so far. */
struct side {
	const struct w_param *many;
	const struct w_param *loose; /* optional, and could be mistaken for
					another */
	const struct w_param *command;
};

static bool
is_conditional(const struct w_param *param)
{
	return param->only_count > 0 || param->unless_count > 0;
}

/* Whether the type alone identifies a word. */
static bool
is_telling(enum w_value_type_kind kind)
{
	return kind == W_VALUE_ASSIGNMENT || kind == W_VALUE_INTEGER ||
	       kind == W_VALUE_NUMBER || kind == W_VALUE_DURATION ||
	       kind == W_VALUE_SIZE || kind == W_VALUE_CHOICE;
}

static writ_status
command_operand_check_command(struct w_command_builder *builder,
    const struct side *side, const struct w_param *param, yyjson_val *key)
{
	if (side->loose == NULL)
		return WRIT_OK;
	(void)w_command_refuse(builder, key,
	    "writ cannot tell whether a word is '%.64s' or begins '%.64s'",
	    side->loose->key, param->key);
	w_suggest(builder->err,
	    "before a command an operand that may be missing is an assignment, "
	    "a number, a duration, a size or a choice");
	return WRIT_E_INVALID;
}

static writ_status
command_operand_check_operand(struct w_command_builder *builder,
    struct side *side, const struct w_param *param, yyjson_val *key)
{
	enum w_value_type_kind kind = param->values[0].kind;

	if (side->command != NULL && !is_conditional(side->command))
		return w_command_refuse(builder, key,
		    "nothing can come after '%.64s', which takes all words",
		    side->command->key);
	if (kind == W_VALUE_COMMAND) {
		side->command = param;
		return command_operand_check_command(builder, side, param, key);
	}
	if (!is_telling(kind) && !is_conditional(param) &&
	    (param->min_count == 0 || param->is_repeatable))
		side->loose = param;
	if (!param->is_repeatable || is_conditional(param))
		return WRIT_OK;
	if (side->many != NULL)
		return w_command_refuse(builder, key,
		    "operands '%.64s' and '%.64s' have any number both",
		    side->many->key, param->key);
	side->many = param;
	return WRIT_OK;
}

writ_status
w_command_check_operands(struct w_command_builder *builder)
{
	const struct w_grammar *grammar = builder->grammar;
	struct side sides[2] = {{.many = NULL}};
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < grammar->operand_count && status == WRIT_OK;
	     i++) {
		const struct w_param *param =
		    &grammar->params[grammar->operands[i]];

		status = command_operand_check_operand(builder,
		    &sides[param->is_after_dashes], param,
		    builder->params[grammar->operands[i]].key);
	}
	return status;
}
