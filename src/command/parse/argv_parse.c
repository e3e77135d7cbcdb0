/* SPDX-License-Identifier: Apache-2.0 */

/*
 * From an argv to arguments, by the grammar of the command.
 *
 * Guarantees, for any words:
 *  1. Every word after the program is part of exactly one match, or names a
 *     sub-command, or is the "--" that ends options, or ends a command.
 *  2. A word is an option only by a complete token of the grammar, and where
 *     the grammar allows it; nothing is completed, skipped or guessed.
 *  3. A value has its type, or the argv is refused.
 *  4. The time is linear in the bytes of the argv.
 */

#include "command/parse/argv_parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "command/parse/argv_parser.h"

#define STAGE       "argv"
#define MATCHES_MAX ((size_t)1024 * 1024)
#define SPARE       8

static writ_status
argv_parse_grow(struct w_argv_parser *parser)
{
	size_t cap = parser->cap * 2;
	size_t size;

	if (parser->cap == 0)
		cap = parser->argc + SPARE;
	if (cap > MATCHES_MAX)
		cap = MATCHES_MAX;
	if (parser->count == MATCHES_MAX)
		return w_argv_parser_refuse(parser, parser->at, 0,
		    "more than %zu options", MATCHES_MAX);
	if (!w_size_mul(cap, sizeof(*parser->matches), &size))
		return w_fail_nomem(parser->err, STAGE);
	struct w_match *grown = realloc(parser->matches, size);
	if (grown == NULL)
		return w_fail_nomem(parser->err, STAGE);
	parser->matches = grown;
	parser->cap = cap;
	return WRIT_OK;
}

writ_status
w_argv_parser_push(struct w_argv_parser *parser, const struct w_match *match)
{
	if (parser->count == parser->cap) {
		writ_status status = argv_parse_grow(parser);

		if (status != WRIT_OK)
			return status;
	}
	parser->matches[parser->count++] = *match;
	if (match->param != NULL && match->param->is_last)
		parser->has_ended = true;
	if (parser->is_given != NULL && match->param != NULL)
		parser->is_given[match->param - parser->grammar->params] = true;
	return WRIT_OK;
}

/* Where operands come first, there is nothing for it to end. Where some are
 * allowed only after it, it also separates operands. */
static bool
is_dashes(const struct w_argv_parser *parser, const char *word)
{
	const struct w_grammar *grammar = parser->grammar;

	if (!grammar->honours_dashes || parser->has_dashes ||
	    (parser->has_ended && !parser->has_behind))
		return false;
	return grammar->style != W_STYLE_LITERAL &&
	       grammar->style != W_STYLE_LEADING && strcmp(word, "--") == 0;
}

static writ_status
read_operand(struct w_argv_parser *parser)
{
	const struct w_grammar *grammar = parser->grammar;
	const char *word = parser->argv[parser->at];

	if (grammar->style == W_STYLE_CLUSTER && parser->at == parser->first &&
	    !parser->has_ended && word[0] != '-')
		return w_argv_parser_cluster(parser);
	if (parser->has_begun)
		return w_argv_parser_refuse(parser, parser->at, 0,
		    "'%.64s' must come before the options", word);
	writ_status status = w_argv_parser_operand(parser);
	if (grammar->style == W_STYLE_POSIX)
		parser->has_ended = true;
	return status;
}

static writ_status
read_next(struct w_argv_parser *parser)
{
	const char *word = parser->argv[parser->at];

	if (is_dashes(parser, word)) {
		parser->has_ended = true;
		parser->has_dashes = true;
		parser->dashes_count = parser->count;
		parser->at++;
		return WRIT_OK;
	}
	if (!w_argv_parser_is_option(parser, word) ||
	    (parser->has_dashed &&
		w_argv_parser_is_dashed_operand(parser, word)))
		return read_operand(parser);
	return w_argv_parser_option(parser);
}

/* The grammar is final now. */
static writ_status
argv_parse_begin(struct w_argv_parser *parser)
{
	const struct w_grammar *grammar = parser->grammar;

	parser->is_given = calloc(grammar->count + 1, sizeof(bool));
	if (parser->is_given == NULL)
		return w_fail_nomem(parser->err, STAGE);
	for (size_t i = 0; i < parser->count; i++)
		parser->is_given[parser->matches[i].param - grammar->params] =
		    true;
	for (size_t i = 0; i < grammar->operand_count; i++) {
		const struct w_param *param =
		    &grammar->params[grammar->operands[i]];

		if (w_argv_parse_is_command(param) && parser->command == NULL)
			parser->command = param;
		parser->has_dashed |= param->may_begin_with_dash;
		parser->has_behind |= param->is_after_dashes;
	}
	return WRIT_OK;
}

writ_status
w_argv_parser_words(struct w_argv_parser *parser)
{
	writ_status status = argv_parse_begin(parser);

	while (status == WRIT_OK && parser->at < parser->argc)
		status = read_next(parser);
	return status;
}

/* A fixed word, and the options before it. Fixed words are not compared, so
 * only what is certainly an option can be one here. */
static writ_status
read_fixed_word(struct w_argv_parser *parser)
{
	writ_status status = WRIT_OK;

	while (status == WRIT_OK && parser->at < parser->argc &&
	       parser->argv[parser->at][0] == '-' &&
	       w_argv_parser_knows_option(parser, parser->argv[parser->at]))
		status = w_argv_parser_option(parser);
	if (status != WRIT_OK)
		return status;
	if (parser->at == parser->argc)
		return w_argv_parser_refuse(
		    parser, parser->argc, 0, "the sub-command is missing");
	parser->at++;
	return WRIT_OK;
}

static writ_status
read_fixed(struct w_argv_parser *parser, size_t fixed)
{
	writ_status status = WRIT_OK;

	parser->at = 1;
	parser->is_before_name = true;
	for (; parser->level + 1 < fixed && status == WRIT_OK; parser->level++)
		status = read_fixed_word(parser);
	parser->is_before_name = false;
	parser->first = parser->at;
	return status;
}

writ_status
w_argv_parse_by_grammar(const struct w_grammar *grammar, size_t fixed,
    const struct w_argv_parse_input *input, struct w_argv_parse *out_parse,
    struct w_argv_parse_fault *out_fault, writ_error *err)
{
	struct w_argv_parser parser = {.grammar = grammar,
	    .argv = input->argv,
	    .argc = input->argc,
	    .is_open_ended = input->is_open_ended,
	    .err = err};
	writ_status status = w_argv_parser_check(&parser);

	if (status == WRIT_OK)
		status = read_fixed(&parser, fixed > 0 ? fixed : 1);
	if (status == WRIT_OK)
		status = w_argv_parser_words(&parser);
	return w_argv_parser_end(&parser, status, out_parse, out_fault);
}

writ_status
w_argv_parser_check(struct w_argv_parser *parser)
{
	if (parser->argc == 0)
		return w_argv_parser_refuse(
		    parser, 0, 0, "there is no program to run");
	if (parser->argc > W_ARGV_WORDS_MAX)
		return w_argv_parser_refuse(parser, W_ARGV_WORDS_MAX, 0,
		    "%zu words are too many, the limit is %d", parser->argc,
		    W_ARGV_WORDS_MAX);
	return WRIT_OK;
}

writ_status
w_argv_parser_end(struct w_argv_parser *parser, writ_status status,
    struct w_argv_parse *out_parse, struct w_argv_parse_fault *out_fault)
{
	if (status == WRIT_OK)
		status = w_argv_parser_finish(parser, out_parse);
	if (status != WRIT_OK && out_fault != NULL)
		*out_fault = parser->fault;
	free(parser->matches);
	free(parser->is_given);
	return status;
}

void
w_argv_parse_done(struct w_argv_parse *parse)
{
	free(parse->matches);
	free(parse->is_given);
	*parse = (struct w_argv_parse){0};
}
