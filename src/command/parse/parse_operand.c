/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The operands of an argv.
 *
 * Which operand a word is, is known only at the end: options may exclude one,
 * and some are counted from the last word. Only if a command is among them, it
 * must be decided at once, because no word after its first is an option of the
 * outer command.
 */

#include <string.h>

#include "command/parse/argv_parser.h"

static bool
is_one_given(
    const struct w_argv_parser *parser, const size_t *places, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (parser->is_given[places[i]])
			return true;
	}
	return false;
}

bool
w_argv_parser_has_room(
    const struct w_argv_parser *parser, const struct w_param *param)
{
	if (is_one_given(parser, param->unless, param->unless_count))
		return false;
	return param->only_count == 0 ||
	       is_one_given(parser, param->only, param->only_count);
}

static const struct w_param *
operand_at(const struct w_argv_parser *parser, size_t index)
{
	const struct w_grammar *grammar = parser->grammar;

	return &grammar->params[grammar->operands[index]];
}

/* Moves the cursor to the operand that the word is. Optional operands before a
 * command are told from it by their type. */
static const struct w_param *
next_before_command(struct w_argv_parser *parser, const char *word)
{
	const struct w_grammar *grammar = parser->grammar;

	for (; parser->cursor < grammar->operand_count; parser->cursor++) {
		const struct w_param *param =
		    operand_at(parser, parser->cursor);
		size_t have = parser->cursor_count;

		if (have == 0 && !w_argv_parser_has_room(parser, param))
			continue;
		if (w_argv_parse_is_command(param))
			return param;
		bool is_bound = have < param->min_count;
		bool has_room = have == 0 || param->is_repeatable;
		if (has_room && (is_bound || param->values == NULL ||
				    w_argv_parse_accepts(&param->values[0],
					word, strlen(word)))) {
			parser->cursor_count++;
			return param;
		}
		parser->cursor_count = 0;
	}
	return NULL;
}

static writ_status
push_rest(struct w_argv_parser *parser, const struct w_param *param)
{
	struct w_match match = {.param = param,
	    .word = parser->at,
	    .count = parser->argc - parser->at,
	    .flag_word = parser->at};

	parser->at = parser->argc;
	parser->operand_count++;
	return w_argv_parser_push(parser, &match);
}

static writ_status
refuse_extra(struct w_argv_parser *parser, size_t word)
{
	return w_argv_parser_refuse(parser, word, 0,
	    "'%.64s' is one operand too many", parser->argv[word]);
}

static writ_status
push_one(struct w_argv_parser *parser, const struct w_param *param)
{
	struct w_match match = {.param = param,
	    .word = parser->at,
	    .count = 1,
	    .flag_word = parser->at};

	parser->at++;
	parser->operand_count++;
	return w_argv_parser_push(parser, &match);
}

/* Two dashes are always an unknown option. */
bool
w_argv_parser_is_dashed_operand(
    const struct w_argv_parser *parser, const char *word)
{
	const struct w_grammar *grammar = parser->grammar;
	size_t index = 0;

	if (word[0] != '-' || word[1] == '-' ||
	    w_argv_parser_knows_option(parser, word))
		return false;
	for (size_t i = 0; i < grammar->operand_count; i++) {
		const struct w_param *param = operand_at(parser, i);

		if (!w_argv_parser_has_room(parser, param))
			continue;
		if (index == parser->operand_count || param->is_repeatable)
			return param->may_begin_with_dash;
		index++;
	}
	return false;
}

writ_status
w_argv_parser_operand(struct w_argv_parser *parser)
{
	const char *word = parser->argv[parser->at];
	const struct w_param *command = parser->command;

	if (parser->grammar->operand_count == 0)
		return refuse_extra(parser, parser->at);
	if (command == NULL ||
	    (command->is_after_dashes && !parser->has_dashes))
		return push_one(parser, NULL);
	if (command->is_after_dashes)
		return push_rest(parser, command);

	const struct w_param *param = next_before_command(parser, word);
	if (param == NULL)
		return refuse_extra(parser, parser->at);
	if (w_argv_parse_is_command(param))
		return push_rest(parser, param);
	return push_one(parser, param);
}
