/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Judges the further words of an allowed shape. The touches of a command do not
 * tell whether an option adds code: a command that runs code anyway has one
 * touch for all of it. So options are looked up in the description.
 */

#include "policy/evaluate/further_words.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/match.h"
#include "command/analysis/address.h"
#include "command/grammar/effect.h"
#include "command/grammar/grammar.h"

static const unsigned code = W_EFFECT_CODE | W_EFFECT_EXEC;

static bool
has_code(const struct w_effect *effects, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if ((effects[i].bit & code) != 0)
			return true;
	}
	return false;
}

static bool
has_index(const size_t *list, size_t count, size_t index)
{
	for (size_t i = 0; i < count; i++) {
		if (list[i] == index)
			return true;
	}
	return false;
}

/* Whether giving the option is what makes the command run some code. */
static bool
adds_code(const struct w_grammar *grammar, const struct w_param *param)
{
	const size_t index = (size_t)(param - grammar->params);

	for (size_t i = 0; i < grammar->rule_count; i++) {
		const struct w_grammar_rule *rule = &grammar->rules[i];

		if ((has_index(rule->has, rule->has_count, index) ||
			has_index(rule->all, rule->all_count, index)) &&
		    has_code(rule->effects, rule->effect_count))
			return true;
	}
	return false;
}

/* The same for a value: the first case that it matches. */
static bool
value_adds_code(const struct w_param *param, const char *text)
{
	for (size_t i = 0; i < param->case_count; i++) {
		const struct w_value_case *one = &param->cases[i];

		if (w_match_glob(one->glob, text))
			return has_code(one->effects, one->effect_count);
	}
	return false;
}

/* An address that names a program, or one that cannot be told. */
static bool
is_strange_address(const struct w_param *param, const char *text)
{
	const bool is_url =
	    param->values != NULL && param->values->kind == W_VALUE_URL;
	const bool is_remote =
	    param->values != NULL && param->values->kind == W_VALUE_REMOTE;

	if (!is_url && !is_remote)
		return false;
	const struct w_address address =
	    is_url ? w_address_url(text, strlen(text))
		   : w_address_remote(text, strlen(text));
	return address.is_helper || address.kind == W_ADDRESS_UNKNOWN;
}

/* ---- what fetches code and runs it ---- */

static bool
fetches_code(const struct w_analysis *analysis)
{
	return (analysis->effects & W_EFFECT_NET) != 0 &&
	       (analysis->effects & code) != 0;
}

static bool
is_archive(const char *word)
{
	static const char *const ends[] = {".whl", ".zip", ".egg", ".gem",
	    ".crate", ".tar", ".tgz", ".tbz", ".txz", ".tlz", ".tzst", ".gz",
	    ".bz2", ".xz", ".lz", ".lzma", ".zst", ".deb", ".rpm"};
	const size_t len = strlen(word);

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		const size_t end_len = strlen(ends[i]);

		if (len >= end_len &&
		    strcasecmp(word + len - end_len, ends[i]) == 0)
			return true;
	}
	return false;
}

/* A name, perhaps with a scope and a version: six, six>=1.16, left-pad@1.3,
 * @types/node. */
static bool
is_package_name(const char *word)
{
	const bool has_scope = word[0] == '@';
	const char *slash = strchr(word, '/');

	if (!isalnum((unsigned char)word[has_scope ? 1 : 0]))
		return false;
	for (const char *at = word + 1; *at != '\0'; at++) {
		if (!isalnum((unsigned char)*at) &&
		    strchr("/._+-@=<>~!,[]^*", *at) == NULL)
			return false;
	}
	if (slash == NULL)
		return !is_archive(word);
	const char *version = strchr(word + 1, '@');
	return has_scope && strchr(slash + 1, '/') == NULL &&
	       (version == NULL || slash < version) && !is_archive(word);
}

/* Whether the value is a name, or nothing that the command takes code from. */
static bool
is_name(const struct w_param *param, const char *text)
{
	if (param->values == NULL)
		return true;
	if (param->values->kind == W_VALUE_PATH)
		return false;
	return param->kind != W_PARAM_OPERAND ||
	       param->values->kind != W_VALUE_TEXT || is_package_name(text);
}

/* A file that is read can name code, as the requirements of pip do. */
static bool
reads_file(const struct w_analysis *analysis, size_t from)
{
	for (size_t i = 0; i < analysis->touch_count; i++) {
		const struct w_touch *touch = &analysis->touches[i];

		if (touch->effect == W_EFFECT_READ && touch->word >= from &&
		    touch->word < analysis->argc)
			return true;
	}
	return false;
}

/* ---- all of them ---- */

static bool
is_plain(const struct w_analysis *analysis, const struct w_match *match,
    bool is_fetching)
{
	const struct w_param *param = match->param;

	if (param->kind != W_PARAM_OPERAND &&
	    adds_code(analysis->parse.grammar, param))
		return false;
	for (size_t i = 0; i < match->count; i++) {
		const char *text = analysis->argv[match->word + i] +
				   (i == 0 ? match->offset : 0);

		if (value_adds_code(param, text) ||
		    is_strange_address(param, text) ||
		    (is_fetching && !is_name(param, text)))
			return false;
	}
	return true;
}

bool
w_further_words_are_plain(const struct w_analysis *analysis, size_t from)
{
	const struct w_argv_parse *parse = &analysis->parse;
	const bool is_fetching = fetches_code(analysis);

	if (is_fetching && reads_file(analysis, from))
		return false;
	for (size_t i = 0; i < parse->count; i++) {
		const struct w_match *match = &parse->matches[i];

		if ((match->flag_word >= from ||
			(match->count > 0 &&
			    match->word + match->count > from)) &&
		    !is_plain(analysis, match, is_fetching))
			return false;
	}
	return true;
}
