/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The worst that words could do which the argv does not show (xargs): any of
 * them might be an option, unless "--" ended the options. So the effects of
 * every option and operand apply, with targets known only at run time.
 */

#include <string.h>

#include "command/analysis/analyzer.h"

#define HERE   (W_EFFECT_READ | W_EFFECT_WRITE | W_EFFECT_DELETE)
#define ABROAD (W_EFFECT_NET | W_EFFECT_PUBLISH)

/* Whether a word is a flag or a value. Call it with ascending words: *at is the
 * position in the matches, which are in the same order. */
static bool
effect_worst_is_covered(
    const struct w_argv_parse *parse, size_t word, size_t *at)
{
	for (; *at < parse->count; ++*at) {
		const struct w_match *match = &parse->matches[*at];

		if (match->flag_word >= word ||
		    match->word + match->count > word)
			return match->flag_word == word || match->word <= word;
	}
	return false;
}

/* The word that ends the options; argc: none. */
static size_t
end_of_options(const struct w_argv_parse *parse)
{
	size_t at = 0;

	if (!parse->grammar->honours_dashes)
		return parse->argc;
	for (size_t i = 1; i < parse->argc; i++) {
		if (strcmp(parse->argv[i], "--") == 0 &&
		    !effect_worst_is_covered(parse, i, &at))
			return i;
	}
	return parse->argc;
}

static bool
may_have_options(const struct w_argv_parse *parse)
{
	if (parse->grammar->style == W_STYLE_LITERAL)
		return false;
	for (size_t i = 0; i < parse->count; i++) {
		if (parse->grammar->style == W_STYLE_POSIX &&
		    parse->matches[i].param->kind == W_PARAM_OPERAND)
			return false;
	}
	return end_of_options(parse) == parse->argc;
}

static unsigned
type_effects(const struct w_value_type *type)
{
	static const unsigned known[] = {
	    [W_VALUE_URL] = W_EFFECT_NET | W_EFFECT_READ,
	    [W_VALUE_HOST] = W_EFFECT_NET,
	    [W_VALUE_REMOTE] = W_EFFECT_NET,
	    [W_VALUE_HEADER] = W_EFFECT_READ,
	    [W_VALUE_DATA] = W_EFFECT_READ,
	    [W_VALUE_MULTIPART] = W_EFFECT_READ,
	    [W_VALUE_ASSIGNMENT] = W_EFFECT_CODE,
	    [W_VALUE_COMMAND] = W_EFFECT_EXEC | W_EFFECT_CODE,
	    [W_VALUE_PROGRAM] = W_EFFECT_EXEC | W_EFFECT_CODE,
	    [W_VALUE_SCRIPT] = W_EFFECT_EXEC | W_EFFECT_CODE};
	bool is_sent = type->kind == W_VALUE_REMOTE &&
		       (type->access & W_EFFECT_WRITE) != 0;

	if (type->kind == W_VALUE_SCRIPT && type->script == W_SCRIPT_JQ)
		return W_EFFECT_READ;
	return known[type->kind] | type->access |
	       (is_sent ? (unsigned)W_EFFECT_PUBLISH : 0U);
}

static unsigned
param_effects(const struct w_param *param)
{
	unsigned effects = 0;
	unsigned arity = param->arity > 0 ? param->arity : 1;

	for (unsigned i = 0; param->values != NULL && i < arity; i++)
		effects |= type_effects(&param->values[i]);
	return effects;
}

/* What unseen words can be: names of files that are operands, operands, options
 * too, or any number of words anywhere, so that the words that are seen mean
 * something else. */
enum unseen_words {
	UNSEEN_NAMES,
	UNSEEN_OPERANDS,
	UNSEEN_OPTIONS,
	UNSEEN_ANYWHERE,
};

static unsigned
case_effects(const struct w_param *param, enum unseen_words how)
{
	unsigned effects = 0;

	for (size_t i = 0; i < param->case_count; i++) {
		const struct w_value_case *one = &param->cases[i];

		/* No name of a file is an address. */
		if (how == UNSEEN_NAMES && strstr(one->glob, "//") != NULL)
			continue;
		for (size_t k = 0; k < one->effect_count; k++)
			effects |= one->effects[k].bit;
	}
	return effects;
}

/* A command or program that consists only of unseen words. */
static bool
is_unseen_command(const struct w_analyzer *analyzer, size_t place)
{
	const struct w_argv_parse *parse = &analyzer->analysis->parse;
	const struct w_param *param = &parse->grammar->params[place];

	if (param->kind != W_PARAM_OPERAND || param->values == NULL ||
	    parse->is_given[place] || !w_analyzer_has_operand(analyzer, param))
		return false;
	return param->values[0].kind == W_VALUE_COMMAND ||
	       param->values[0].kind == W_VALUE_PROGRAM ||
	       param->values[0].kind == W_VALUE_SCRIPT;
}

/* Whether an operand precedes those of any number: then it is what the argv
 * shows, never an unseen word. */
static bool
is_settled(const struct w_argv_parse *parse, const struct w_param *operand)
{
	for (size_t i = 0; i < parse->grammar->operand_count; i++) {
		size_t place = parse->grammar->operands[i];

		if (parse->grammar->params[place].is_repeatable)
			return false;
		if (&parse->grammar->params[place] == operand)
			return parse->is_given[place];
	}
	return false;
}

/* Whether the unseen words can be a use of it. */
static bool
can_be_given(
    const struct w_argv_parse *parse, size_t place, enum unseen_words how)
{
	const struct w_param *param = &parse->grammar->params[place];
	const bool with_options = how > UNSEEN_OPERANDS;

	if (how == UNSEEN_ANYWHERE)
		return true;
	if (param->kind == W_PARAM_OPERAND) {
		for (size_t i = 0; i < param->unless_count; i++) {
			if (parse->is_given[param->unless[i]])
				return false;
		}
		return !is_settled(parse, param);
	}
	if (param->kind == W_PARAM_SEQUENCE || !with_options)
		return false;
	return !param->is_global || parse->grammar->are_globals_anywhere;
}

static bool
can_be(const struct w_argv_parse *parse, size_t place, enum unseen_words how)
{
	return parse->is_given[place] || can_be_given(parse, place, how);
}

/* An unseen word that makes a condition false is ignored: it might be
 * missing. */
static bool
can_hold(const struct w_argv_parse *parse, const struct w_grammar_rule *rule,
    enum unseen_words how)
{
	bool has_one = rule->has_count == 0;

	for (size_t i = 0; i < rule->has_count; i++)
		has_one = has_one || can_be(parse, rule->has[i], how);
	for (size_t i = 0; i < rule->all_count; i++) {
		if (!can_be(parse, rule->all[i], how))
			return false;
	}
	for (size_t i = 0; i < rule->lacks_count; i++) {
		if (parse->is_given[rule->lacks[i]] && how != UNSEEN_ANYWHERE)
			return false;
	}
	return has_one;
}

static unsigned
rule_effects(const struct w_analyzer *analyzer, enum unseen_words how)
{
	const struct w_argv_parse *parse = &analyzer->analysis->parse;
	unsigned effects = 0;

	for (size_t i = 0; i < parse->grammar->rule_count; i++) {
		const struct w_grammar_rule *rule = &parse->grammar->rules[i];

		if (!can_hold(parse, rule, how) ||
		    (rule->needs_terminal &&
			!w_analyzer_has_terminal(analyzer)))
			continue;
		/* What does not depend on operands is known already, with its
		 * target. */
		const bool is_known = how <= UNSEEN_OPERANDS &&
				      w_analyzer_rule_holds(analyzer, rule);
		for (size_t k = 0; k < rule->effect_count; k++) {
			if (!is_known ||
			    rule->effects[k].kind == W_TARGET_PARAM)
				effects |= rule->effects[k].bit;
		}
	}
	return effects;
}

static void
touch_all(struct w_analyzer *analyzer, unsigned effects,
    const struct w_source_place *from)
{
	w_analyzer_path(analyzer, effects & HERE, NULL, 0, from);
	w_analyzer_host(analyzer, effects & ABROAD, NULL, 0, from);
	w_analyzer_effects(
	    analyzer, effects & ~(unsigned)(HERE | ABROAD), from);
}

static void
touch_worst(struct w_analyzer *analyzer, enum unseen_words how)
{
	const struct w_argv_parse *parse = &analyzer->analysis->parse;
	struct w_source_place from = {.word = analyzer->analysis->argc,
	    .why = how > UNSEEN_OPERANDS
		       ? "words that come when it runs may be options"
		       : "words come when it runs",
	    .is_possible = how > UNSEEN_OPERANDS};
	unsigned effects = rule_effects(analyzer, how);
	unsigned guessed = 0;

	for (size_t i = 0; i < parse->grammar->count; i++) {
		const struct w_param *param = &parse->grammar->params[i];

		if (!can_be_given(parse, i, how))
			continue;
		effects |= param_effects(param);
		if (param->values != NULL &&
		    param->values[0].kind == W_VALUE_PATH)
			guessed |= case_effects(param, how);
		else
			effects |= case_effects(param, how);
	}
	touch_all(analyzer, effects, &from);
	/* Names of files: few are those that mean more. */
	from.is_possible = true;
	touch_all(analyzer, guessed & ~effects, &from);
}

/* Whether an operand begins with a placeholder where an option could be. */
static bool
has_free_word(const struct w_analyzer *analyzer)
{
	const struct w_argv_parse *parse = &analyzer->analysis->parse;
	size_t end = end_of_options(parse);

	if (parse->grammar->style == W_STYLE_LITERAL)
		return false;
	for (size_t i = 0; i < parse->count; i++) {
		const struct w_match *match = &parse->matches[i];

		if (match->param->kind != W_PARAM_OPERAND)
			continue;
		if (match->word > end || match->param->values == NULL ||
		    match->param->values[0].kind == W_VALUE_COMMAND)
			return false;
		if (w_analyzer_is_placed_first(
			analyzer, parse->argv[match->word]))
			return true;
		if (parse->grammar->style == W_STYLE_POSIX)
			return false;
	}
	return false;
}

/* Whether all unseen words belong to the nested command. */
static bool
has_command(const struct w_argv_parse *parse)
{
	for (size_t i = parse->count; i > 0; i--) {
		const struct w_param *param = parse->matches[i - 1].param;

		if (param->kind == W_PARAM_OPERAND && param->values != NULL &&
		    param->values[0].kind == W_VALUE_COMMAND)
			return true;
	}
	return false;
}

/* The match that a word is a value of; NULL: none. Call it with ascending
 * words. */
static const struct w_match *
match_of(const struct w_argv_parse *parse, size_t word, size_t *at)
{
	for (; *at < parse->count; ++*at) {
		const struct w_match *match = &parse->matches[*at];

		if (word < match->word)
			return NULL;
		if (word < match->word + match->count)
			return match;
	}
	return NULL;
}

/* Where the name of the sub-command is; 0: there is none. */
static size_t
word_of_node(const struct w_argv_parse *parse)
{
	for (size_t i = 1; parse->node != NULL && parse->node->parent != NULL &&
			   i < parse->argc;
	     i++) {
		if (strcmp(parse->argv[i], parse->node->name) == 0)
			return i;
	}
	return 0;
}

/* Whether a word that a shell makes several of, or none, does no harm: among
 * operands of any number, or in a nested command, which is looked at itself.
 * Elsewhere the words behind it mean something else. */
static bool
may_be_many(const struct w_match *match, size_t word)
{
	const struct w_value_type *type =
	    match == NULL ? NULL : match->param->values;

	if (type != NULL && type->kind == W_VALUE_COMMAND)
		return word > match->word;
	return match != NULL && match->param->kind == W_PARAM_OPERAND &&
	       match->param->is_repeatable && match->param->arity <= 1;
}

/* Whether the words that a pattern becomes are operands, wherever it stands:
 * each begins as the pattern does, so none is an option, and there is at least
 * one. */
static bool
are_operands(const struct w_argv_parse *parse, size_t word,
    const struct w_unseen *unseen)
{
	const struct w_grammar *grammar = parse->grammar;

	if (unseen->kind != W_UNSEEN_NAMES || unseen->at == parse->argv[word] ||
	    parse->argv[word][0] == '-' || grammar->operand_count == 0)
		return false;
	const struct w_param *first = &grammar->params[grammar->operands[0]];
	return first->is_repeatable && first->arity <= 1 &&
	       first->values != NULL &&
	       first->values[0].kind != W_VALUE_COMMAND &&
	       first->values[0].kind != W_VALUE_PROGRAM &&
	       first->values[0].kind != W_VALUE_SCRIPT;
}

static void
touch_shifted(struct w_analyzer *analyzer, size_t word)
{
	if (word < word_of_node(&analyzer->analysis->parse))
		w_analyzer_refuse(analyzer, word, 0,
		    "which command of '%.64s' it is comes only when it runs",
		    analyzer->analysis->argv[0]);
	touch_worst(analyzer, UNSEEN_ANYWHERE);
}

/* What a shell inserts into the words. */
static void
touch_unseen(struct w_analyzer *analyzer)
{
	const struct w_argv_parse *parse = &analyzer->analysis->parse;
	const struct w_command_context *context = &analyzer->context;
	const size_t end = end_of_options(parse);
	bool is_free = has_free_word(analyzer);
	size_t at = 0;
	size_t word = 0;
	const char *word_end = parse->argv[0];

	for (size_t i = 0; i < context->unseen_count; i++) {
		const struct w_unseen *one = &context->unseen[i];

		while (word < parse->argc && one->at >= word_end) {
			word++;
			if (word < parse->argc)
				word_end = parse->argv[word] +
					   strlen(parse->argv[word]);
		}
		if (word == parse->argc)
			break;
		if (!one->is_many || one->at < parse->argv[word])
			continue;
		const struct w_match *match = match_of(parse, word, &at);
		if (!may_be_many(match, word)) {
			if (!are_operands(parse, word, one)) {
				touch_shifted(analyzer, word);
				return;
			}
			touch_worst(analyzer, w_analyzer_is_no_address(
						  analyzer, parse->argv[word])
						  ? UNSEEN_NAMES
						  : UNSEEN_OPERANDS);
			continue;
		}
		is_free |= word < end && one->kind == W_UNSEEN_FREE &&
			   match->param->values[0].kind != W_VALUE_COMMAND &&
			   parse->grammar->style != W_STYLE_LITERAL;
	}
	if (is_free)
		touch_worst(analyzer, UNSEEN_OPTIONS);
}

void
w_analyzer_worst(struct w_analyzer *analyzer)
{
	struct w_analysis *analysis = analyzer->analysis;
	const struct w_argv_parse *parse = &analysis->parse;

	if ((analyzer->context.how & W_INNER_APPENDED) == 0) {
		if (analyzer->context.is_placed_freely &&
		    has_free_word(analyzer))
			touch_worst(analyzer, UNSEEN_OPTIONS);
		if (analyzer->context.unseen_count > 0)
			touch_unseen(analyzer);
		return;
	}
	if (has_command(parse))
		return;
	if (parse->node != NULL && parse->node->child_count > 0)
		w_analyzer_refuse(analyzer, analysis->argc, 0,
		    "which command of '%.64s' it is comes only when it runs",
		    parse->node->name);
	for (size_t i = 0; i < parse->grammar->count; i++) {
		if (is_unseen_command(analyzer, i))
			w_analyzer_refuse(analyzer, analysis->argc, 0,
			    "what '%.64s' runs comes only when it runs",
			    analysis->argv[0]);
	}
	touch_worst(analyzer,
	    may_have_options(parse) ? UNSEEN_OPTIONS : UNSEEN_OPERANDS);
}
