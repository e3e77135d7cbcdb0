/* SPDX-License-Identifier: Apache-2.0 */

/*
 * One option of an argv, with its values.
 *
 * An option counts only when its whole token is known: no abbreviation, no
 * letter of a bundle that the form does not have, no value that its spelling
 * does not allow. So each of these functions either reads all of what it looks
 * at, or says where it could not.
 */

#include <string.h>

#include "module/parse_words.h"

/* Tokens are looked for at most this far into a word, which bounds the time
 * that a long word can take. */
#define TOKEN_MAX 64

static const struct w_flag_name *
name_of(const struct w_param *param, const char *token, size_t len)
{
	for (size_t i = 0; i < param->name_count; i++) {
		if (param->names[i].len == len &&
		    memcmp(param->names[i].token, token, len) == 0)
			return &param->names[i];
	}
	return NULL;
}

/* What stands before a sub-command is not in its table of names, which has
 * those behind it. */
static const struct w_param *
find_above(const struct w_parsing *parsing, const char *token, size_t len,
    const struct w_flag_name **out_name)
{
	const struct w_form *form = parsing->form;

	for (size_t i = 0; i < form->count; i++) {
		if (form->params[i].slot != W_SLOT_BEFORE_SUBCOMMAND ||
		    form->params[i].level != parsing->level)
			continue;
		*out_name = name_of(&form->params[i], token, len);
		if (*out_name != NULL)
			return &form->params[i];
	}
	return NULL;
}

/* The parameter of a token, and how the token may be written; NULL: none. */
static const struct w_param *
find(const struct w_parsing *parsing, const char *token, size_t len,
    const struct w_flag_name **out_name)
{
	const struct w_param *param;

	if (parsing->is_before_name && parsing->node == NULL)
		return find_above(parsing, token, len, out_name);
	param = w_lookup_get(&parsing->form->names, token, len);
	if (param == NULL)
		return NULL;
	*out_name = name_of(param, token, len);
	return *out_name != NULL ? param : NULL;
}

/* What has its place elsewhere would be something else here. */
static writ_status
check_place(struct w_parsing *parsing, const struct w_parse_use *use)
{
	const struct w_param *param = use->param;
	const struct w_form *form = parsing->form;

	if (param->is_aside)
		return w_parsing_refuse_option(parsing, use->word, use->offset,
		    use->name->token, use->name->len);
	if (param->slot == W_SLOT_BEFORE_SUBCOMMAND && !parsing->is_before_name)
		return w_parsing_refuse(parsing, use->word, use->offset,
		    "'%.64s' stands before the sub-command", use->name->token);
	if (param->slot == W_SLOT_BEFORE_OPERANDS &&
	    (parsing->operand_count > 0 || parsing->has_begun))
		return w_parsing_refuse(parsing, use->word, use->offset,
		    "'%.64s' stands before the operands", use->name->token);
	if (form->style == W_STYLE_LEADING &&
	    param->slot != W_SLOT_BEFORE_OPERANDS)
		parsing->has_begun = true;
	return WRIT_OK;
}

/* "--flag", "--flag=value"; in some styles "-flag=value". Without such a name
 * nothing is done. */
static writ_status
read_whole(struct w_parsing *parsing, const char *word, bool *out_found)
{
	const char *equals = strchr(word, '=');
	size_t len = equals != NULL ? (size_t)(equals - word) : strlen(word);
	struct w_parse_use use = {.word = parsing->at};

	use.param = find(parsing, word, len, &use.name);
	*out_found = use.param != NULL;
	if (use.param == NULL)
		return WRIT_OK;
	/* What follows a joined flag may begin with '='. */
	if (equals != NULL && (use.name->spellings & W_SPELL_EQUALS) == 0 &&
	    (use.name->spellings & W_SPELL_JOINED) != 0) {
		*out_found = false;
		return WRIT_OK;
	}
	writ_status status = check_place(parsing, &use);
	if (status != WRIT_OK)
		return status;
	parsing->at++;
	if (equals == NULL)
		return w_parsing_push_alone(parsing, &use);
	if ((use.name->spellings & W_SPELL_EQUALS) == 0)
		return w_parsing_refuse_attached(parsing, &use, len);
	return w_parsing_push_attached(parsing, &use, len + 1);
}

/* "-fvalue", "+value": the longest token that the word begins with. */
static writ_status
read_joined(struct w_parsing *parsing, const char *word, bool *out_found)
{
	size_t len = strlen(word);
	size_t longest = parsing->form->joined_max;
	struct w_parse_use use = {.word = parsing->at};

	*out_found = false;
	if (longest > TOKEN_MAX)
		longest = TOKEN_MAX;
	if (longest >= len)
		longest = len - 1;
	for (size_t n = longest; n > 0 && !*out_found; n--) {
		use.param = find(parsing, word, n, &use.name);
		*out_found = use.param != NULL &&
			     (use.name->spellings & W_SPELL_JOINED) != 0;
	}
	if (!*out_found)
		return WRIT_OK;
	writ_status status = check_place(parsing, &use);
	if (status != WRIT_OK)
		return status;
	parsing->at++;
	return w_parsing_push_attached(parsing, &use, use.name->len);
}

/* Options that are words: with one dash, with '+', or operators. */
static writ_status
read_word(struct w_parsing *parsing, const char *word)
{
	bool is_found;
	writ_status status = read_whole(parsing, word, &is_found);

	if (status != WRIT_OK || is_found)
		return status;
	status = read_joined(parsing, word, &is_found);
	if (status != WRIT_OK || is_found)
		return status;
	return w_parsing_refuse_option(
	    parsing, parsing->at, 0, word, strcspn(word, "="));
}

/* The longest token of several letters that stands at a place of a bundle:
 * where there are such, "-TT" is not "-T" twice. */
static const struct w_param *
find_letters(const struct w_parsing *parsing, const char *at,
    const struct w_flag_name **out_name)
{
	char token[TOKEN_MAX + 1] = "-";
	size_t longest = parsing->form->short_max;
	size_t left = strnlen(at, TOKEN_MAX - 1);

	longest = longest > left + 1 ? left + 1 : longest;
	memcpy(token + 1, at, left);
	for (size_t n = longest; n >= 2; n--) {
		const struct w_param *param = find(parsing, token, n, out_name);
		if (param != NULL)
			return param;
	}
	return NULL;
}

/* One letter of a bundle, and its value if it has one. *at is moved on; behind
 * the value to the end. */
static writ_status
read_letter(
    struct w_parsing *parsing, size_t bundle, const char *word, size_t *at)
{
	struct w_parse_use use = {.word = bundle, .offset = *at};

	use.param = find_letters(parsing, word + *at, &use.name);
	if (use.param == NULL) {
		char token[2] = {'-', word[*at]};

		return w_parsing_refuse_option(
		    parsing, bundle, *at, token, sizeof(token));
	}
	writ_status status = check_place(parsing, &use);
	if (status != WRIT_OK)
		return status;

	unsigned spellings = use.name->spellings;
	*at += use.name->len - 1;
	if (word[*at] == '\0')
		return w_parsing_push_alone(parsing, &use);
	bool is_equals = (spellings & W_SPELL_EQUALS) != 0 && word[*at] == '=';
	if (is_equals || (spellings & W_SPELL_JOINED) != 0) {
		size_t value = is_equals ? *at + 1 : *at;

		*at += strlen(word + *at);
		return w_parsing_push_attached(parsing, &use, value);
	}
	if ((spellings & W_SPELL_BARE) != 0)
		return w_parsing_push_switch(parsing, &use);
	return w_parsing_refuse_attached(parsing, &use, *at);
}

/* "-abc", "-ofile". */
static writ_status
read_bundle(struct w_parsing *parsing, const char *word)
{
	size_t bundle = parsing->at++;
	size_t at = 1;
	writ_status status = WRIT_OK;

	while (status == WRIT_OK && word[at] != '\0')
		status = read_letter(parsing, bundle, word, &at);
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
read_number(struct w_parsing *parsing)
{
	const struct w_param *param =
	    &parsing->form->params[parsing->form->number];
	struct w_parse_use use = {
	    .param = param, .name = &param->names[0], .word = parsing->at};
	writ_status status = check_place(parsing, &use);

	if (status != WRIT_OK)
		return status;
	parsing->at++;
	return w_parsing_push_attached(parsing, &use, 1);
}

/* "name=value" */
static writ_status
read_pair(struct w_parsing *parsing, const char *word)
{
	bool is_found;
	writ_status status = read_whole(parsing, word, &is_found);

	if (status != WRIT_OK || is_found)
		return status;
	return w_parsing_refuse_option(
	    parsing, parsing->at, 0, word, strcspn(word, "="));
}

static bool
has_bundles(const struct w_form *form)
{
	return form->style == W_STYLE_GNU || form->style == W_STYLE_POSIX ||
	       form->style == W_STYLE_CLUSTER;
}

bool
w_parsing_is_option(const struct w_parsing *parsing, const char *word)
{
	const struct w_form *form = parsing->form;
	const struct w_flag_name *name;

	if (form->style == W_STYLE_LITERAL || parsing->has_ended)
		return false;
	if (word[0] == '-')
		return word[1] != '\0' || find(parsing, word, 1, &name) != NULL;
	if (word[0] == '+' && form->has_plus)
		return true;
	if (form->style == W_STYLE_PAIRS)
		return strchr(word, '=') != NULL || form->operand_count == 0;
	return form->style == W_STYLE_LEADING &&
	       find(parsing, word, strlen(word), &name) != NULL;
}

bool
w_parsing_knows_option(const struct w_parsing *parsing, const char *word)
{
	const struct w_flag_name *name;
	size_t whole = strcspn(word, "=");

	if (find(parsing, word, whole, &name) != NULL)
		return true;
	if (parsing->form->number != W_FORM_NONE && is_dashed_number(word))
		return true;
	return word[1] != '-' && has_bundles(parsing->form) &&
	       find_letters(parsing, word + 1, &name) != NULL;
}

writ_status
w_parsing_option(struct w_parsing *parsing)
{
	const struct w_form *form = parsing->form;
	const char *word = parsing->argv[parsing->at];

	if (form->style == W_STYLE_PAIRS)
		return read_pair(parsing, word);
	if (form->number != W_FORM_NONE && word[0] == '-' &&
	    is_dashed_number(word))
		return read_number(parsing);
	if (!has_bundles(form) || word[0] != '-')
		return read_word(parsing, word);
	if (word[1] != '-' && word[1] != '\0')
		return read_bundle(parsing, word);

	bool is_found;
	writ_status status = read_whole(parsing, word, &is_found);
	if (status != WRIT_OK || is_found)
		return status;
	return w_parsing_refuse_option(
	    parsing, parsing->at, 0, word, strcspn(word, "="));
}

/* Programs differ in whether a value that is optional is there then. */
static writ_status
push_clustered(struct w_parsing *parsing, const struct w_parse_use *use)
{
	unsigned spellings = use->name->spellings;

	if ((spellings & W_SPELL_BARE) != 0 && use->param->values != NULL)
		return w_parsing_refuse(parsing, use->word, use->offset,
		    "it is not said whether '%.64s' has a value here",
		    use->name->token);
	return w_parsing_push_alone(parsing, use);
}

/* "xzf": each letter is an option, and those with a value find it in the words
 * that follow, in their order. */
writ_status
w_parsing_cluster(struct w_parsing *parsing)
{
	const char *word = parsing->argv[parsing->at];
	size_t bundle = parsing->at++;

	if (word[0] == '\0')
		return w_parsing_refuse(
		    parsing, bundle, 0, "the first word is empty");
	for (size_t i = 0; word[i] != '\0'; i++) {
		const char token[2] = {'-', word[i]};
		struct w_parse_use use = {.word = bundle, .offset = i};

		use.param = find(parsing, token, sizeof(token), &use.name);
		if (use.param == NULL)
			return w_parsing_refuse_option(
			    parsing, bundle, i, token, sizeof(token));
		writ_status status = check_place(parsing, &use);
		if (status == WRIT_OK)
			status = push_clustered(parsing, &use);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}
