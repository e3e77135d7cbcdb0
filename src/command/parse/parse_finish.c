/* SPDX-License-Identifier: Apache-2.0 */

/* Checks that need the whole argv: which operand each word is, what is missing,
 * and what conflicts. */

#include <assert.h>
#include <string.h>

#include "command/parse/argv_parser.h"
#include "command/parse/operand_share.h"

struct finish {
	struct w_argv_parser *parser;
	bool *is_given;  /* the parser's */
	bool is_excused; /* missing arguments are accepted */
};

static size_t
parse_finish_place_of(const struct finish *in, const struct w_param *param)
{
	return (size_t)(param - in->parser->grammar->params);
}

/* The operands on one side of "--". */
struct parse_finish_part {
	bool is_after; /* those allowed only after it */
	size_t from;   /* matches */
	size_t to;
};

static bool
is_in_part(const struct finish *in, const struct parse_finish_part *part,
    const struct w_param *param)
{
	return param->is_after_dashes == part->is_after &&
	       !w_argv_parse_is_command(param) &&
	       w_argv_parser_has_room(in->parser, param);
}

static writ_status
parse_finish_check_operand(
    const struct finish *in, const struct w_param *param, size_t word)
{
	const char *text = in->parser->argv[word];

	if (param->values == NULL ||
	    w_argv_parse_accepts(&param->values[0], text, strlen(text)))
		return WRIT_OK;
	return w_argv_parser_refuse_value(
	    in->parser, param, &param->values[0], word, 0);
}

/* The next match from *at on that is an unassigned operand; NULL: none. */
static struct w_match *
next_unclaimed(
    const struct finish *in, const struct parse_finish_part *part, size_t *at)
{
	while (*at < part->to) {
		struct w_match *match = &in->parser->matches[(*at)++];

		if (match->param == NULL)
			return match;
	}
	return NULL;
}

static writ_status
claim(const struct finish *in, const struct parse_finish_part *part,
    struct w_operand_share *share)
{
	const struct w_grammar *grammar = in->parser->grammar;
	size_t at = part->from;

	for (size_t i = 0; i < grammar->operand_count; i++) {
		const struct w_param *param =
		    &grammar->params[grammar->operands[i]];

		if (!is_in_part(in, part, param))
			continue;
		size_t take = w_operand_share_next(share, param);
		if (take < param->min_count && !in->is_excused)
			return w_argv_parser_refuse(in->parser,
			    in->parser->argc, 0, "operand '%.64s' is missing",
			    param->key);
		for (size_t j = 0; j < take; j++) {
			struct w_match *match = next_unclaimed(in, part, &at);

			match->param = param;
			writ_status status =
			    parse_finish_check_operand(in, param, match->word);
			if (status != WRIT_OK)
				return status;
		}
	}
	const struct w_match *extra = next_unclaimed(in, part, &at);
	if (extra == NULL)
		return WRIT_OK;
	return w_argv_parser_refuse(in->parser, extra->word, 0,
	    "'%.64s' is one operand too many", in->parser->argv[extra->word]);
}

static writ_status
share_out(const struct finish *in, const struct parse_finish_part *part)
{
	const struct w_grammar *grammar = in->parser->grammar;
	struct w_operand_share share = {0};
	size_t words = 0;

	for (size_t i = 0; i < grammar->operand_count; i++) {
		const struct w_param *param =
		    &grammar->params[grammar->operands[i]];

		if (is_in_part(in, part, param))
			w_operand_share_add(&share, param);
	}
	for (size_t i = part->from; i < part->to; i++) {
		if (in->parser->matches[i].param == NULL)
			words++;
	}
	bool is_short = in->parser->is_open_ended ||
			(in->is_excused && words < share.needed);
	if (share.lists > 1 && words > share.needed)
		return w_argv_parser_refuse(in->parser, in->parser->argc, 0,
		    "writ cannot tell which operands these are");
	w_operand_share_begin(&share, words, is_short);
	return claim(in, part, &share);
}

static writ_status
share_out_all(const struct finish *in)
{
	const struct w_argv_parser *parser = in->parser;
	struct parse_finish_part part = {.to = parser->count};
	bool has_two = parser->has_behind;

	if (has_two && parser->has_dashes)
		part.to = parser->dashes_count;
	writ_status status = share_out(in, &part);
	if (status != WRIT_OK || !has_two)
		return status;
	part = (struct parse_finish_part){
	    .is_after = true, .from = part.to, .to = parser->count};
	return share_out(in, &part);
}

/* Operands before a command are assigned already; a later option may still have
 * excluded them. */
static writ_status
check_claimed(const struct finish *in)
{
	struct w_argv_parser *parser = in->parser;
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < parser->count && status == WRIT_OK; i++) {
		const struct w_match *match = &parser->matches[i];

		assert(match->param != NULL);
		if (match->param->kind != W_PARAM_OPERAND)
			continue;
		if (!w_argv_parser_has_room(parser, match->param))
			status = w_argv_parser_refuse(parser, match->word, 0,
			    "there is no operand '%.64s' beside these options",
			    match->param->key);
		else if (!w_argv_parse_is_command(match->param))
			status = parse_finish_check_operand(
			    in, match->param, match->word);
	}
	return status;
}

static bool
parse_finish_is_key(const struct w_param *param, const char *key, size_t len)
{
	return param->key_len == len && memcmp(param->key, key, len) == 0;
}

bool
w_argv_parse_is_excuse(const struct w_match *match)
{
	return match->count == 0 &&
	       (parse_finish_is_key(match->param, "help", 4) ||
		   parse_finish_is_key(match->param, "version", 7));
}

static size_t
word_of(const struct finish *in, const struct w_param *param)
{
	const struct w_argv_parser *parser = in->parser;

	for (size_t i = 0; i < parser->count; i++) {
		if (parser->matches[i].param == param)
			return parser->matches[i].flag_word;
	}
	return parser->argc;
}

static const char *
parse_finish_name_of(const struct w_param *param)
{
	return param->kind == W_PARAM_OPTION ? param->flag : param->key;
}

static writ_status
check_links_of(const struct finish *in, const struct w_param *param)
{
	struct w_argv_parser *parser = in->parser;
	const struct w_param *params = parser->grammar->params;

	for (size_t i = 0; i < param->conflict_count; i++) {
		const struct w_param *peer = &params[param->conflicts[i]];

		if (in->is_given[param->conflicts[i]])
			return w_argv_parser_refuse(parser, word_of(in, peer),
			    0, "'%.64s' and '%.64s' cannot be used together",
			    parse_finish_name_of(param),
			    parse_finish_name_of(peer));
	}
	for (size_t i = 0; i < param->require_count; i++) {
		const struct w_param *peer = &params[param->requires[i]];

		if (!in->is_given[param->requires[i]] && !in->is_excused)
			return w_argv_parser_refuse(parser, word_of(in, param),
			    0, "'%.64s' needs '%.64s'",
			    parse_finish_name_of(param),
			    parse_finish_name_of(peer));
	}
	return WRIT_OK;
}

static writ_status
check_missing(const struct finish *in, const struct w_param *param)
{
	bool is_operand = param->kind == W_PARAM_OPERAND;
	bool is_needed = is_operand ? param->min_count > 0 : param->is_required;

	if (!is_needed || in->is_excused || param->is_aside ||
	    in->is_given[parse_finish_place_of(in, param)] ||
	    !w_argv_parser_has_room(in->parser, param))
		return WRIT_OK;
	return w_argv_parser_refuse(in->parser, in->parser->argc, 0,
	    "%s'%.64s' is missing", is_operand ? "operand " : "",
	    parse_finish_name_of(param));
}

/* Only schemas require options. A description may have hundreds; skip them
 * then. */
static writ_status
check_all_missing(const struct finish *in)
{
	const struct w_grammar *grammar = in->parser->grammar;
	bool has_required =
	    grammar->count > 0 && grammar->params[0].schema != NULL;
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < grammar->operand_count && status == WRIT_OK; i++)
		status =
		    check_missing(in, &grammar->params[grammar->operands[i]]);
	for (size_t i = 0;
	     has_required && i < grammar->count && status == WRIT_OK; i++) {
		if (grammar->params[i].kind == W_PARAM_OPTION)
			status = check_missing(in, &grammar->params[i]);
	}
	return status;
}

static writ_status
check_whole(const struct finish *in)
{
	const struct w_argv_parser *parser = in->parser;

	for (size_t i = 0; i < parser->count; i++) {
		writ_status status =
		    check_links_of(in, parser->matches[i].param);

		if (status != WRIT_OK)
			return status;
	}
	return check_all_missing(in);
}

static writ_status
parse_finish(struct finish *in)
{
	const struct w_param *command = in->parser->command;
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < in->parser->count; i++) {
		const struct w_match *match = &in->parser->matches[i];

		if (match->param != NULL)
			in->is_excused |= w_argv_parse_is_excuse(match);
	}
	if (command == NULL || command->is_after_dashes)
		status = share_out_all(in);
	else
		status = check_claimed(in);
	if (status != WRIT_OK)
		return status;
	/* Options are marked when they are parsed. */
	for (size_t i = 0; i < in->parser->count; i++)
		in->is_given[parse_finish_place_of(
		    in, in->parser->matches[i].param)] = true;
	return check_whole(in);
}

writ_status
w_argv_parser_finish(
    struct w_argv_parser *parser, struct w_argv_parse *out_parse)
{
	struct finish in = {.parser = parser,
	    .is_given = parser->is_given,
	    .is_excused = parser->is_open_ended};
	writ_status status = parse_finish(&in);

	if (status != WRIT_OK)
		return status;
	*out_parse = (struct w_argv_parse){.node = parser->node,
	    .grammar = parser->grammar,
	    .argv = parser->argv,
	    .argc = parser->argc,
	    .matches = parser->matches,
	    .count = parser->count,
	    .is_given = parser->is_given};
	parser->matches = NULL;
	parser->is_given = NULL;
	return WRIT_OK;
}
