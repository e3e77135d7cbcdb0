/* SPDX-License-Identifier: Apache-2.0 */

/* The values of an option: attached to it, in the words that follow, or up to a
 * terminator. */

#include <string.h>

#include "command/parse/argv_parser.h"

writ_status
w_argv_parser_push_switch(
    struct w_argv_parser *parser, const struct w_argv_parse_use *use)
{
	return w_argv_parser_push(parser, &(struct w_match){.param = use->param,
					      .word = use->word,
					      .offset = use->offset,
					      .flag_word = use->word});
}

static writ_status
check_value(struct w_argv_parser *parser, const struct w_param *param,
    size_t which, size_t word, size_t offset)
{
	const char *text = parser->argv[word] + offset;

	if (param->values == NULL)
		return WRIT_OK;
	if (w_argv_parse_accepts(&param->values[which], text, strlen(text)))
		return WRIT_OK;
	return w_argv_parser_refuse_value(
	    parser, param, &param->values[which], word, offset);
}

/* The value is in the same word as the flag. */
writ_status
w_argv_parser_push_attached(struct w_argv_parser *parser,
    const struct w_argv_parse_use *use, size_t offset)
{
	writ_status status =
	    check_value(parser, use->param, 0, use->word, offset);

	if (status != WRIT_OK)
		return status;
	return w_argv_parser_push(parser, &(struct w_match){.param = use->param,
					      .word = use->word,
					      .offset = offset,
					      .count = 1,
					      .flag_word = use->word});
}

static writ_status
parse_value_refuse_missing(
    struct w_argv_parser *parser, const struct w_argv_parse_use *use)
{
	return w_argv_parser_refuse(parser, parser->argc, 0,
	    "the value of '%.64s' is missing", use->name->token);
}

static bool
parse_value_is_word(const char *word, const char *want)
{
	return strcmp(word, want) == 0;
}

/* Where a terminated command ends: at ";", or at a "+" after "{}". */
static size_t
find_end(const struct w_argv_parser *parser, size_t begin)
{
	const char *const *argv = parser->argv;

	for (size_t i = begin; i < parser->argc; i++) {
		if (parse_value_is_word(argv[i], ";"))
			return i;
		if (i > begin && parse_value_is_word(argv[i], "+") &&
		    parse_value_is_word(argv[i - 1], "{}"))
			return i;
	}
	return parser->argc;
}

/* All words from here to the end or to the terminator. */
static writ_status
push_command(struct w_argv_parser *parser, const struct w_argv_parse_use *use)
{
	size_t end = parser->argc;

	if (use->param->is_until_end) {
		end = find_end(parser, parser->at);
		if (end == parser->argc &&
		    parser->grammar->style == W_STYLE_LEADING)
			return w_argv_parser_refuse(parser, parser->argc, 0,
			    "the ';' that ends '%.64s' is missing",
			    use->name->token);
	}
	if (end == parser->at)
		return parse_value_refuse_missing(parser, use);
	struct w_match match = {.param = use->param,
	    .word = parser->at,
	    .count = end - parser->at,
	    .flag_word = use->word};
	parser->at = end < parser->argc ? end + 1 : end;
	return w_argv_parser_push(parser, &match);
}

/* The values are the words that follow. */
static writ_status
push_separate(struct w_argv_parser *parser, const struct w_argv_parse_use *use)
{
	const struct w_param *param = use->param;
	size_t begin = parser->at;

	if (param->values != NULL && param->values[0].kind == W_VALUE_COMMAND)
		return push_command(parser, use);
	if (parser->argc - begin < param->arity)
		return parse_value_refuse_missing(parser, use);
	for (size_t i = 0; i < param->arity; i++) {
		writ_status status =
		    check_value(parser, param, i, begin + i, 0);
		if (status != WRIT_OK)
			return status;
	}
	parser->at += param->arity;
	return w_argv_parser_push(parser, &(struct w_match){.param = param,
					      .word = begin,
					      .count = param->arity,
					      .flag_word = use->word});
}

/* A flag with nothing attached, in its own word or at the end of a bundle. */
writ_status
w_argv_parser_push_alone(
    struct w_argv_parser *parser, const struct w_argv_parse_use *use)
{
	unsigned spellings = use->name->spellings;

	if (spellings == 0)
		return w_argv_parser_refuse(parser, use->word, use->offset,
		    "there are two options '%.64s'", use->name->token);
	if ((spellings & W_SPELL_BARE) != 0 &&
	    (spellings & W_SPELL_SEPARATE) != 0)
		return w_argv_parser_refuse(parser, use->word, use->offset,
		    "it is not said whether '%.64s' takes a value",
		    use->name->token);
	if ((spellings & W_SPELL_BARE) != 0)
		return w_argv_parser_push_switch(parser, use);
	if ((spellings & W_SPELL_SEPARATE) != 0)
		return push_separate(parser, use);
	/* In a bundle, and in the style of tar(1), there is no dash. */
	const bool is_undashed = use->name->token[0] == '-' &&
				 parser->argv[use->word][use->offset] != '-';
	size_t end = use->offset + use->name->len - (is_undashed ? 1 : 0);
	(void)w_argv_parser_refuse(parser, use->word, end,
	    "the value of '%.64s' must be attached to it", use->name->token);
	w_suggest(parser->err, "write '%.64s%sVALUE'", use->name->token,
	    (spellings & W_SPELL_EQUALS) != 0 ? "=" : "");
	return WRIT_E_INVALID;
}

writ_status
w_argv_parser_refuse_attached(struct w_argv_parser *parser,
    const struct w_argv_parse_use *use, size_t offset)
{
	(void)w_argv_parser_refuse(parser, use->word, offset,
	    use->param->values != NULL
		? "the value of '%.64s' is a word of its own"
		: "'%.64s' takes no value",
	    use->name->token);
	return WRIT_E_INVALID;
}
