/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The operands of an argv.
 *
 * Which operand a word is can be said only at the end: options may make one
 * superfluous, and some are counted from the last word. Only where a command
 * is among them it must be said at once, for nothing behind its first word is
 * an option of the outer one.
 */

#include <string.h>

#include "module/parse_words.h"

static bool
is_one_given(
    const struct w_parsing *parsing, const size_t *places, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (parsing->is_given[places[i]])
			return true;
	}
	return false;
}

bool
w_parsing_has_room(const struct w_parsing *parsing, const struct w_param *param)
{
	if (is_one_given(parsing, param->unless, param->unless_count))
		return false;
	return param->only_count == 0 ||
	       is_one_given(parsing, param->only, param->only_count);
}

static const struct w_param *
operand_at(const struct w_parsing *parsing, size_t index)
{
	const struct w_form *form = parsing->form;

	return &form->params[form->operands[index]];
}

static bool
accepts(const struct w_param *param, const char *word)
{
	return param->values == NULL ||
	       w_parse_accepts(&param->values[0], word, strlen(word));
}

/* Moves the cursor to the operand that the word is. Those that may be missing
 * before a command tell their words from it by their type. */
static const struct w_param *
next_before_command(struct w_parsing *parsing, const char *word)
{
	const struct w_form *form = parsing->form;

	for (; parsing->cursor < form->operand_count; parsing->cursor++) {
		const struct w_param *param =
		    operand_at(parsing, parsing->cursor);
		size_t have = parsing->cursor_count;

		if (have == 0 && !w_parsing_has_room(parsing, param))
			continue;
		if (w_parse_is_command(param))
			return param;
		bool is_bound = have < param->min_count;
		bool has_room = have == 0 || param->is_repeatable;
		if (has_room && (is_bound || accepts(param, word))) {
			parsing->cursor_count++;
			return param;
		}
		parsing->cursor_count = 0;
	}
	return NULL;
}

static writ_status
push_rest(struct w_parsing *parsing, const struct w_param *param)
{
	struct w_match match = {.param = param,
	    .word = parsing->at,
	    .count = parsing->argc - parsing->at,
	    .flag_word = parsing->at};

	parsing->at = parsing->argc;
	parsing->operand_count++;
	return w_parsing_push(parsing, &match);
}

static writ_status
refuse_extra(struct w_parsing *parsing, size_t word)
{
	return w_parsing_refuse(parsing, word, 0,
	    "'%.64s' is one operand too many", parsing->argv[word]);
}

static writ_status
push_one(struct w_parsing *parsing, const struct w_param *param)
{
	struct w_match match = {.param = param,
	    .word = parsing->at,
	    .count = 1,
	    .flag_word = parsing->at};

	parsing->at++;
	parsing->operand_count++;
	return w_parsing_push(parsing, &match);
}

/* Two dashes are an option that is not known, whatever else is allowed. */
bool
w_parsing_is_dashed_operand(const struct w_parsing *parsing, const char *word)
{
	const struct w_form *form = parsing->form;
	size_t index = 0;

	if (word[0] != '-' || word[1] == '-' ||
	    w_parsing_knows_option(parsing, word))
		return false;
	for (size_t i = 0; i < form->operand_count; i++) {
		const struct w_param *param = operand_at(parsing, i);

		if (!w_parsing_has_room(parsing, param))
			continue;
		if (index == parsing->operand_count || param->is_repeatable)
			return param->may_begin_with_dash;
		index++;
	}
	return false;
}

writ_status
w_parsing_operand(struct w_parsing *parsing)
{
	const char *word = parsing->argv[parsing->at];
	const struct w_param *command = parsing->command;

	if (parsing->form->operand_count == 0)
		return refuse_extra(parsing, parsing->at);
	if (command == NULL ||
	    (command->is_after_dashes && !parsing->has_dashes))
		return push_one(parsing, NULL);
	if (command->is_after_dashes)
		return push_rest(parsing, command);

	const struct w_param *param = next_before_command(parsing, word);
	if (param == NULL)
		return refuse_extra(parsing, parsing->at);
	if (w_parse_is_command(param))
		return push_rest(parsing, param);
	return push_one(parsing, param);
}
