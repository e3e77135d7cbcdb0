/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Parses an argv by the description of its program: finds the sub-command.
 *
 * Options before the name of a sub-command are parsed by the grammar of their
 * level. The sub-command's grammar has them too, under the same key, and that
 * is where they end up.
 */

#include <string.h>

#include "base/match.h"
#include "command/parse/argv_parser.h"

#define CHILDREN_MAX 512

/* The matches so far belong to the grammar of the level above. */
static writ_status
move_matches(struct w_argv_parser *parser, const struct w_grammar *grammar)
{
	for (size_t i = 0; i < parser->count; i++) {
		struct w_match *match = &parser->matches[i];
		const struct w_param *above = match->param;

		match->param =
		    w_grammar_find(grammar, above->key, above->key_len);
		if (match->param == NULL)
			return w_argv_parser_refuse(parser, match->flag_word, 0,
			    "'%.64s' says nothing to this sub-command",
			    above->flag);
	}
	return WRIT_OK;
}

static writ_status
descend(struct w_argv_parser *parser, const struct w_command_node *child)
{
	const struct w_grammar *grammar;
	writ_status status = w_command_grammar(child, &grammar, parser->err);

	if (status == WRIT_OK)
		status = move_matches(parser, grammar);
	if (status != WRIT_OK)
		return status;
	parser->node = child;
	parser->grammar = grammar;
	parser->first = parser->at;
	return WRIT_OK;
}

/* Options before the name. The first that this level does not know may belong
 * to the default sub-command. */
static writ_status
read_options(struct w_argv_parser *parser)
{
	writ_status status = WRIT_OK;

	while (status == WRIT_OK && parser->at < parser->argc) {
		const char *word = parser->argv[parser->at];

		if (strcmp(word, "--") == 0 ||
		    !w_argv_parser_is_option(parser, word))
			break;
		if (parser->node->standard != NULL &&
		    !w_argv_parser_knows_option(parser, word))
			break;
		status = w_argv_parser_option(parser);
	}
	return status;
}

static bool
is_excused(const struct w_argv_parser *parser)
{
	for (size_t i = 0; i < parser->count; i++) {
		if (w_argv_parse_is_excuse(&parser->matches[i]))
			return true;
	}
	return false;
}

static writ_status
parse_command_refuse_name(struct w_argv_parser *parser)
{
	const struct w_command_node *node = parser->node;
	const char *names[CHILDREN_MAX + 1];
	size_t count = 0;

	if (parser->at == parser->argc)
		return w_argv_parser_refuse(parser, parser->argc, 0,
		    "the sub-command of '%.64s' is missing", node->name);
	(void)w_argv_parser_refuse(parser, parser->at, 0,
	    "'%.64s' is not a described sub-command of '%.64s'",
	    parser->argv[parser->at], node->name);
	for (; count < node->child_count && count < CHILDREN_MAX; count++)
		names[count] = node->children[count].name;
	names[count] = NULL;
	w_match_suggest(
	    w_match_nearest(parser->argv[parser->at], names), parser->err);
	return WRIT_E_INVALID;
}

/* One level down; *out_is_last: this level is the last. */
static writ_status
read_level(struct w_argv_parser *parser, bool *out_is_last)
{
	writ_status status = read_options(parser);

	*out_is_last = false;
	if (status != WRIT_OK)
		return status;

	const struct w_command_node *node = parser->node;
	const struct w_command_node *child = NULL;
	if (parser->at < parser->argc) {
		const char *word = parser->argv[parser->at];

		child = w_command_child(node, word, strlen(word));
	}
	if (child != NULL) {
		parser->at++;
		return descend(parser, child);
	}
	if (parser->at == parser->argc && is_excused(parser)) {
		*out_is_last = true;
		return WRIT_OK;
	}
	if (node->standard != NULL)
		return descend(parser, node->standard);
	*out_is_last = true;
	/* Can the argv be for this level, without a sub-command? */
	if (node->is_runnable &&
	    (parser->at == parser->argc || parser->grammar->operand_count > 0 ||
		strcmp(parser->argv[parser->at], "--") == 0))
		return WRIT_OK;
	return parse_command_refuse_name(parser);
}

static writ_status
parse_command_read_command(
    struct w_argv_parser *parser, const struct w_command *command)
{
	bool is_last = false;

	parser->node = w_command_root(command);
	parser->at = 1;
	parser->first = 1;
	writ_status status =
	    w_command_grammar(parser->node, &parser->grammar, parser->err);
	parser->is_before_name = true;
	while (status == WRIT_OK && !is_last && parser->node->child_count > 0)
		status = read_level(parser, &is_last);
	parser->is_before_name = false;
	if (status != WRIT_OK)
		return status;
	return w_argv_parser_words(parser);
}

writ_status
w_argv_parse(const struct w_command *command,
    const struct w_argv_parse_input *input, struct w_argv_parse *out_parse,
    struct w_argv_parse_fault *out_fault, writ_error *err)
{
	struct w_argv_parser parser = {.argv = input->argv,
	    .argc = input->argc,
	    .is_open_ended = input->is_open_ended,
	    .err = err};
	writ_status status = w_argv_parser_check(&parser);

	if (status == WRIT_OK)
		status = parse_command_read_command(&parser, command);
	return w_argv_parser_end(&parser, status, out_parse, out_fault);
}
