/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Parses one option of an argv, with its values.
 *
 * An option matches only if its whole token is known: no abbreviation, no
 * unknown letter in a bundle, no value that its spelling does not allow. So
 * each of these functions either consumes all of its input or fails with the
 * place.
 */

#include <string.h>

#include "command/parse/argv_parser.h"

/* The longest token looked up, which bounds the time for a long word. */
#define TOKEN_MAX 64

static const struct w_flag_name *
parse_option_name_of(const struct w_param *param, const char *token, size_t len)
{
	for (size_t i = 0; i < param->name_count; i++) {
		if (param->names[i].len == len &&
		    memcmp(param->names[i].token, token, len) == 0)
			return &param->names[i];
	}
	return NULL;
}

/* Options before a sub-command are not in its table of names, which has those
 * after it. */
static const struct w_param *
find_above(const struct w_argv_parser *parser, const char *token, size_t len,
    const struct w_flag_name **out_name)
{
	const struct w_grammar *grammar = parser->grammar;

	for (size_t i = 0; i < grammar->count; i++) {
		if (grammar->params[i].slot != W_SLOT_BEFORE_SUBCOMMAND ||
		    grammar->params[i].level != parser->level)
			continue;
		*out_name =
		    parse_option_name_of(&grammar->params[i], token, len);
		if (*out_name != NULL)
			return &grammar->params[i];
	}
	return NULL;
}

/* The parameter of a token, and how the token may be written; NULL: none. */
static const struct w_param *
parse_option_find(const struct w_argv_parser *parser, const char *token,
    size_t len, const struct w_flag_name **out_name)
{
	const struct w_param *param;

	if (parser->is_before_name && parser->node == NULL)
		return find_above(parser, token, len, out_name);
	param = w_hash_table_get(&parser->grammar->names, token, len);
	if (param == NULL)
		return NULL;
	*out_name = parse_option_name_of(param, token, len);
	return *out_name != NULL ? param : NULL;
}

/* An option in the wrong place would mean something else. */
static writ_status
parse_option_check_place(
    struct w_argv_parser *parser, const struct w_argv_parse_use *use)
{
	const struct w_param *param = use->param;
	const struct w_grammar *grammar = parser->grammar;

	if (param->is_aside)
		return w_argv_parser_refuse_option(parser, use->word,
		    use->offset, use->name->token, use->name->len);
	if (param->slot == W_SLOT_BEFORE_SUBCOMMAND && !parser->is_before_name)
		return w_argv_parser_refuse(parser, use->word, use->offset,
		    "'%.64s' comes before the sub-command", use->name->token);
	if (param->slot == W_SLOT_BEFORE_OPERANDS &&
	    (parser->operand_count > 0 || parser->has_begun))
		return w_argv_parser_refuse(parser, use->word, use->offset,
		    "'%.64s' comes before the operands", use->name->token);
	if (grammar->style == W_STYLE_LEADING &&
	    param->slot != W_SLOT_BEFORE_OPERANDS)
		parser->has_begun = true;
	return WRIT_OK;
}

/* "--flag", "--flag=value"; in some styles "-flag=value". *out_found false: no
 * such name, or a joined value; nothing was consumed. */
static writ_status
read_whole_token(
    struct w_argv_parser *parser, const char *word, bool *out_found)
{
	const char *equals = strchr(word, '=');
	size_t len = equals != NULL ? (size_t)(equals - word) : strlen(word);
	struct w_argv_parse_use use = {.word = parser->at};

	use.param = parse_option_find(parser, word, len, &use.name);
	*out_found = use.param != NULL;
	if (use.param == NULL)
		return WRIT_OK;
	/* A joined value may begin with '='. */
	if (equals != NULL && (use.name->spellings & W_SPELL_EQUALS) == 0 &&
	    (use.name->spellings & W_SPELL_JOINED) != 0) {
		*out_found = false;
		return WRIT_OK;
	}
	writ_status status = parse_option_check_place(parser, &use);
	if (status != WRIT_OK)
		return status;
	parser->at++;
	if (equals == NULL)
		return w_argv_parser_push_alone(parser, &use);
	if ((use.name->spellings & W_SPELL_EQUALS) == 0)
		return w_argv_parser_refuse_attached(parser, &use, len);
	return w_argv_parser_push_attached(parser, &use, len + 1);
}

/* "-fvalue", "+value": the longest token that is a prefix of the word. */
static writ_status
read_joined(struct w_argv_parser *parser, const char *word, bool *out_found)
{
	size_t len = strlen(word);
	size_t longest = parser->grammar->joined_max;
	struct w_argv_parse_use use = {.word = parser->at};

	*out_found = false;
	if (longest > TOKEN_MAX)
		longest = TOKEN_MAX;
	if (longest >= len)
		longest = len - 1;
	for (size_t n = longest; n > 0 && !*out_found; n--) {
		use.param = parse_option_find(parser, word, n, &use.name);
		*out_found = use.param != NULL &&
			     (use.name->spellings & W_SPELL_JOINED) != 0;
	}
	if (!*out_found)
		return WRIT_OK;
	writ_status status = parse_option_check_place(parser, &use);
	if (status != WRIT_OK)
		return status;
	parser->at++;
	return w_argv_parser_push_attached(parser, &use, use.name->len);
}

/* Options that are words: with one dash, with '+', or operators. */
static writ_status
read_word(struct w_argv_parser *parser, const char *word)
{
	bool is_found;
	writ_status status = read_whole_token(parser, word, &is_found);

	if (status != WRIT_OK || is_found)
		return status;
	status = read_joined(parser, word, &is_found);
	if (status != WRIT_OK || is_found)
		return status;
	return w_argv_parser_refuse_option(
	    parser, parser->at, 0, word, strcspn(word, "="));
}

/* The longest token of several letters at a position in a bundle: where such
 * tokens exist, "-TT" is not "-T" twice. */
static const struct w_param *
find_letters(const struct w_argv_parser *parser, const char *at,
    const struct w_flag_name **out_name)
{
	char token[TOKEN_MAX + 1] = "-";
	size_t longest = parser->grammar->short_max;
	size_t left = strnlen(at, TOKEN_MAX - 1);

	longest = longest > left + 1 ? left + 1 : longest;
	memcpy(token + 1, at, left);
	for (size_t n = longest; n >= 2; n--) {
		const struct w_param *param =
		    parse_option_find(parser, token, n, out_name);
		if (param != NULL)
			return param;
	}
	return NULL;
}

/* One letter of a bundle, and its value if it has one. *at moves past both. */
static writ_status
read_letter(
    struct w_argv_parser *parser, size_t bundle, const char *word, size_t *at)
{
	struct w_argv_parse_use use = {.word = bundle, .offset = *at};

	use.param = find_letters(parser, word + *at, &use.name);
	if (use.param == NULL) {
		char token[2] = {'-', word[*at]};

		return w_argv_parser_refuse_option(
		    parser, bundle, *at, token, sizeof(token));
	}
	writ_status status = parse_option_check_place(parser, &use);
	if (status != WRIT_OK)
		return status;

	unsigned spellings = use.name->spellings;
	*at += use.name->len - 1;
	if (word[*at] == '\0')
		return w_argv_parser_push_alone(parser, &use);
	bool is_equals = (spellings & W_SPELL_EQUALS) != 0 && word[*at] == '=';
	if (is_equals || (spellings & W_SPELL_JOINED) != 0) {
		size_t value = is_equals ? *at + 1 : *at;

		*at += strlen(word + *at);
		return w_argv_parser_push_attached(parser, &use, value);
	}
	if ((spellings & W_SPELL_BARE) != 0)
		return w_argv_parser_push_switch(parser, &use);
	return w_argv_parser_refuse_attached(parser, &use, *at);
}

/* "-abc", "-ofile". */
static writ_status
read_bundle(struct w_argv_parser *parser, const char *word)
{
	size_t bundle = parser->at++;
	size_t at = 1;
	writ_status status = WRIT_OK;

	while (status == WRIT_OK && word[at] != '\0')
		status = read_letter(parser, bundle, word, &at);
	return status;
}

/* "-5" */
static bool
is_dashed_number(const char *word)
{
	return word[1] != '\0' &&
	       strspn(word + 1, "0123456789") == strlen(word + 1);
}

static writ_status
parse_option_read_number(struct w_argv_parser *parser)
{
	const struct w_param *param =
	    &parser->grammar->params[parser->grammar->number];
	struct w_argv_parse_use use = {
	    .param = param, .name = &param->names[0], .word = parser->at};
	writ_status status = parse_option_check_place(parser, &use);

	if (status != WRIT_OK)
		return status;
	parser->at++;
	return w_argv_parser_push_attached(parser, &use, 1);
}

/* "--flag", "name=value"; an unknown name is no option. */
static writ_status
read_named(struct w_argv_parser *parser, const char *word)
{
	bool is_found;
	writ_status status = read_whole_token(parser, word, &is_found);

	if (status != WRIT_OK || is_found)
		return status;
	return w_argv_parser_refuse_option(
	    parser, parser->at, 0, word, strcspn(word, "="));
}

static bool
has_bundles(const struct w_grammar *grammar)
{
	return grammar->style == W_STYLE_GNU ||
	       grammar->style == W_STYLE_POSIX ||
	       grammar->style == W_STYLE_CLUSTER;
}

bool
w_argv_parser_is_option(const struct w_argv_parser *parser, const char *word)
{
	const struct w_grammar *grammar = parser->grammar;
	const struct w_flag_name *name;

	if (grammar->style == W_STYLE_LITERAL || parser->has_ended)
		return false;
	if (word[0] == '-')
		return word[1] != '\0' ||
		       parse_option_find(parser, word, 1, &name) != NULL;
	if (word[0] == '+' && grammar->has_plus)
		return true;
	if (grammar->style == W_STYLE_PAIRS)
		return strchr(word, '=') != NULL || grammar->operand_count == 0;
	return grammar->style == W_STYLE_LEADING &&
	       parse_option_find(parser, word, strlen(word), &name) != NULL;
}

bool
w_argv_parser_knows_option(const struct w_argv_parser *parser, const char *word)
{
	const struct w_flag_name *name;
	size_t whole = strcspn(word, "=");

	if (parse_option_find(parser, word, whole, &name) != NULL)
		return true;
	if (parser->grammar->number != W_GRAMMAR_NONE && is_dashed_number(word))
		return true;
	return word[1] != '-' && has_bundles(parser->grammar) &&
	       find_letters(parser, word + 1, &name) != NULL;
}

writ_status
w_argv_parser_option(struct w_argv_parser *parser)
{
	const struct w_grammar *grammar = parser->grammar;
	const char *word = parser->argv[parser->at];

	if (grammar->style == W_STYLE_PAIRS)
		return read_named(parser, word);
	if (grammar->number != W_GRAMMAR_NONE && word[0] == '-' &&
	    is_dashed_number(word))
		return parse_option_read_number(parser);
	if (!has_bundles(grammar) || word[0] != '-')
		return read_word(parser, word);
	if (word[1] != '-' && word[1] != '\0')
		return read_bundle(parser, word);
	return read_named(parser, word);
}

/* Programs differ on whether an optional value is present here. */
static writ_status
push_clustered(struct w_argv_parser *parser, const struct w_argv_parse_use *use)
{
	unsigned spellings = use->name->spellings;

	if ((spellings & W_SPELL_BARE) != 0 && use->param->values != NULL)
		return w_argv_parser_refuse(parser, use->word, use->offset,
		    "it is not said whether '%.64s' has a value here",
		    use->name->token);
	return w_argv_parser_push_alone(parser, use);
}

/* "xzf": each letter is an option; those with a value take the words that
 * follow, in order. */
writ_status
w_argv_parser_cluster(struct w_argv_parser *parser)
{
	const char *word = parser->argv[parser->at];
	size_t bundle = parser->at++;

	if (word[0] == '\0')
		return w_argv_parser_refuse(
		    parser, bundle, 0, "the first word is empty");
	for (size_t i = 0; word[i] != '\0'; i++) {
		const char token[2] = {'-', word[i]};
		struct w_argv_parse_use use = {.word = bundle, .offset = i};

		use.param =
		    parse_option_find(parser, token, sizeof(token), &use.name);
		if (use.param == NULL)
			return w_argv_parser_refuse_option(
			    parser, bundle, i, token, sizeof(token));
		writ_status status = parse_option_check_place(parser, &use);
		if (status == WRIT_OK)
			status = push_clustered(parser, &use);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}
