/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Matches the arguments of an analyzed command against a rule's `inputs`. For
 * an argument that is given several times, a rule that denies or asks needs one
 * matching value; a rule that allows needs all of them to match.
 */

#include <stdlib.h>
#include <string.h>

#include "policy/evaluate/evaluation.h"
#include "policy/glob.h"

static bool
match_arguments_is_number(yyjson_val *want, const char *text)
{
	char *end;

	if (text[0] == '\0' || strchr(" \t\n", text[0]) != NULL)
		return false;
	if (yyjson_is_sint(want)) {
		long long have = strtoll(text, &end, 10);
		return *end == '\0' && have == yyjson_get_sint(want);
	}
	if (yyjson_is_uint(want)) {
		unsigned long long have = strtoull(text, &end, 10);
		return *end == '\0' && text[0] != '-' &&
		       have == yyjson_get_uint(want);
	}
	double have = strtod(text, &end);
	return *end == '\0' && !(have < yyjson_get_num(want)) &&
	       !(have > yyjson_get_num(want));
}

static bool
match_arguments_is_text(yyjson_val *want, const char *text, bool is_broad)
{
	/* A number that is out of range is stored, and compared, as text. */
	const char *glob = yyjson_get_raw(want);

	if (glob == NULL)
		glob = yyjson_get_str(want);
	return w_glob_text(
	    glob, yyjson_get_len(want), text, strlen(text), is_broad);
}

/* text NULL: a flag without a value. */
static bool
match_arguments_is_one_of(
    const struct w_rule_input *input, const char *text, bool is_broad)
{
	for (size_t i = 0; i < input->value_count; i++) {
		yyjson_val *want = input->values[i];

		if (text == NULL ? yyjson_is_true(want)
		    : yyjson_is_str(want) || yyjson_is_raw(want)
			? match_arguments_is_text(want, text, is_broad)
			: yyjson_is_num(want) &&
			      match_arguments_is_number(want, text))
			return true;
	}
	return false;
}

static bool
may_lack(const struct w_rule_input *input)
{
	for (size_t i = 0; i < input->value_count; i++) {
		if (yyjson_is_null(input->values[i]) ||
		    yyjson_is_false(input->values[i]))
			return true;
	}
	return false;
}

/* Counts the matching values of one use of an argument. */
static size_t
count_good(const struct w_argv_parse *parse, const struct w_match *match,
    const struct w_rule_input *input, bool is_broad)
{
	size_t good = 0;

	if (match->count == 0)
		return match_arguments_is_one_of(input, NULL, is_broad) ? 1 : 0;
	for (size_t i = 0; i < match->count; i++) {
		const char *word = parse->argv[match->word + i];

		if (i == 0)
			word += match->offset;
		if (match_arguments_is_one_of(input, word, is_broad))
			good++;
	}
	return good;
}

static bool
match_arguments_fits(const struct w_argv_parse *parse,
    const struct w_rule_input *input, bool is_broad)
{
	size_t len = strlen(input->key);
	size_t good = 0;
	size_t all = 0;

	for (size_t i = 0; i < parse->count; i++) {
		const struct w_match *match = &parse->matches[i];

		if (match->param->key_len != len ||
		    memcmp(match->param->key, input->key, len) != 0)
			continue;
		all += match->count == 0 ? 1 : match->count;
		good += count_good(parse, match, input, is_broad);
	}
	if (all == 0)
		return may_lack(input);
	return is_broad ? good > 0 : good == all;
}

bool
w_rule_matches_arguments(
    const struct w_evaluation *evaluation, const struct w_rule *rule)
{
	const struct w_analysis *analysis = evaluation->command->analysis;
	bool is_broad = w_rule_is_broad(rule);

	if (analysis->parse.grammar == NULL ||
	    (!is_broad && (!analysis->is_itself_understood ||
			      evaluation->command->program.is_own)))
		return false;
	for (size_t i = 0; i < rule->input_count; i++) {
		if (!match_arguments_fits(
			&analysis->parse, &rule->inputs[i], is_broad))
			return false;
	}
	return true;
}
