/* SPDX-License-Identifier: Apache-2.0 */

/* Effects that a description has besides the types of its values: conditional
 * ones, by value, of missing operands, and of variables. */

#include <stdio.h>
#include <string.h>

#include "base/match.h"
#include "command/analysis/analyzer.h"

static const struct w_match *
next_match(const struct w_argv_parse *parse, size_t place, size_t *at)
{
	const struct w_param *param = &parse->grammar->params[place];

	while (*at < parse->count) {
		const struct w_match *match = &parse->matches[(*at)++];

		if (match->param == param)
			return match;
	}
	return NULL;
}

/* The directory that a path is in. */
static size_t
directory_len(const char *path)
{
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	while (len > 0 && path[len - 1] != '/')
		len--;
	while (len > 1 && path[len - 1] == '/')
		len--;
	return len;
}

static void
apply_to_text(struct w_analyzer *analyzer, const struct w_effect *effect,
    const char *text, const struct w_source_place *from)
{
	/* A home directory is outside, and which one is unknown. */
	bool is_home = text[0] == '~';
	struct w_touch touch = {.kind = W_TOUCH_PATH,
	    .target = text,
	    .len = strlen(text),
	    .word = from->word,
	    .param = from->param,
	    .why = from->why};

	if ((effect->bit & (W_EFFECT_NET | W_EFFECT_PUBLISH)) != 0)
		w_analyzer_host(
		    analyzer, effect->bit, text, strlen(text), from);
	else if (is_home && (analyzer->context.how & W_INNER_REMOTE) == 0)
		w_analyzer_touch(analyzer, effect->bit, &touch);
	else
		w_analyzer_path(
		    analyzer, effect->bit, text, strlen(text), from);
}

static void
apply_to_match(struct w_analyzer *analyzer, const struct w_effect *effect,
    const struct w_match *match)
{
	const struct w_param *param = match->param;
	struct w_source_place from = {
	    .param = param, .is_possible = effect->is_possible};
	unsigned arity = param->arity > 0 ? param->arity : 1;

	for (size_t i = 0; i < match->count; i++) {
		const struct w_value_type *type =
		    &param->values[i < arity ? i : arity - 1];
		const char *text = analyzer->analysis->argv[match->word + i] +
				   (i == 0 ? match->offset : 0);

		from.word = match->word + i;
		if (effect->is_directory) {
			size_t len = directory_len(text);
			bool is_placed =
			    w_analyzer_is_placed(analyzer, text, strlen(text));

			w_analyzer_path(analyzer, effect->bit,
			    is_placed  ? NULL
			    : len == 0 ? "."
				       : text,
			    len == 0 ? 1 : len, &from);
		} else {
			w_analyzer_value_effect(
			    analyzer, effect->bit, type, text, &from);
		}
		if (type->kind == W_VALUE_COMMAND)
			return;
	}
}

static void
apply_to_param(struct w_analyzer *analyzer, const struct w_effect *effect)
{
	const struct w_argv_parse *parse = &analyzer->analysis->parse;
	const struct w_param *param = &parse->grammar->params[effect->param];
	const struct w_source_place from = {.word = analyzer->analysis->argc,
	    .param = param,
	    .is_possible = effect->is_possible};
	const char *text =
	    effect->text != NULL ? effect->text : param->standard;
	const struct w_match *match;
	size_t at = 0;
	bool is_given = false;

	for (match = next_match(parse, effect->param, &at); match != NULL;
	     match = next_match(parse, effect->param, &at)) {
		is_given = is_given || match->count > 0;
		if (param->values != NULL)
			apply_to_match(analyzer, effect, match);
	}
	if (!is_given && text != NULL && effect->is_directory)
		w_analyzer_path(analyzer, effect->bit,
		    directory_len(text) > 0 ? text : ".",
		    directory_len(text) > 0 ? directory_len(text) : 1, &from);
	else if (!is_given && text != NULL)
		apply_to_text(analyzer, effect, text, &from);
}

static void
effect_rule_apply(struct w_analyzer *analyzer, const struct w_effect *effect,
    const struct w_source_place *cause)
{
	struct w_source_place from = *cause;

	from.is_possible |= effect->is_possible;
	switch (effect->kind) {
	case W_TARGET_NONE:
		w_analyzer_effects(analyzer, effect->bit, &from);
		break;
	case W_TARGET_TEXT:
		apply_to_text(analyzer, effect, effect->text, &from);
		break;
	case W_TARGET_PARAM:
		apply_to_param(analyzer, effect);
		break;
	}
}

static size_t
given_of(const struct w_argv_parse *parse, const size_t *places, size_t count)
{
	size_t given = 0;

	for (size_t i = 0; i < count; i++)
		given += parse->is_given[places[i]] ? 1 : 0;
	return given;
}

/* Whether it is given and all of its values match. A value known only at run
 * time matches nothing. */
static bool
is_excepted(
    const struct w_analyzer *analyzer, const struct w_grammar_except *except)
{
	const struct w_argv_parse *parse = &analyzer->analysis->parse;
	const struct w_match *match;
	size_t at = 0;
	bool is_given = false;

	for (match = next_match(parse, except->param, &at); match != NULL;
	     match = next_match(parse, except->param, &at)) {
		const char *text =
		    match->count == 0
			? ""
			: analyzer->analysis->argv[match->word] + match->offset;

		if (w_analyzer_is_placed(analyzer, text, strlen(text)) ||
		    !w_match_glob(except->glob, text))
			return false;
		is_given = true;
	}
	return is_given && (analyzer->context.how & W_INNER_APPENDED) == 0;
}

bool
w_analyzer_has_terminal(const struct w_analyzer *analyzer)
{
	return (analyzer->context.how & W_INNER_TERMINAL) != 0 &&
	       (analyzer->context.how & W_INNER_REMOTE) == 0;
}

bool
w_analyzer_rule_holds(
    const struct w_analyzer *analyzer, const struct w_grammar_rule *rule)
{
	const struct w_argv_parse *parse = &analyzer->analysis->parse;

	if (rule->needs_terminal && !w_analyzer_has_terminal(analyzer))
		return false;
	if (rule->has_count > 0 &&
	    given_of(parse, rule->has, rule->has_count) == 0)
		return false;
	if (given_of(parse, rule->all, rule->all_count) != rule->all_count)
		return false;
	if (given_of(parse, rule->lacks, rule->lacks_count) > 0)
		return false;
	for (size_t i = 0; i < rule->except_count; i++) {
		if (is_excepted(analyzer, &rule->excepts[i]))
			return false;
	}
	return true;
}

/* The use of the option that triggered the rule, if there is just one. */
static struct w_source_place
cause_of(const struct w_analyzer *analyzer, const struct w_grammar_rule *rule)
{
	const struct w_argv_parse *parse = &analyzer->analysis->parse;
	struct w_source_place from = {.word = analyzer->analysis->argc};

	if (rule->needs_terminal)
		from.why = "what it starts on a terminal";
	for (size_t i = 0; i < rule->has_count; i++) {
		size_t at = 0;
		const struct w_match *match =
		    next_match(parse, rule->has[i], &at);

		if (match == NULL)
			continue;
		from.word = match->flag_word;
		from.param = match->param;
		break;
	}
	return from;
}

void
w_analyzer_rules(struct w_analyzer *analyzer)
{
	const struct w_grammar *grammar = analyzer->analysis->parse.grammar;

	for (size_t i = 0; i < grammar->rule_count; i++) {
		const struct w_grammar_rule *rule = &grammar->rules[i];

		if (!w_analyzer_rule_holds(analyzer, rule))
			continue;
		struct w_source_place from = cause_of(analyzer, rule);
		for (size_t k = 0; k < rule->effect_count; k++)
			effect_rule_apply(analyzer, &rule->effects[k], &from);
	}
}

/* A value that comes when it runs may be any of the cases. A path may then be
 * that of a host ("tar -f"), but is taken for a file. */
static bool
is_guess(const struct w_param *param, const struct w_effect *effect)
{
	const bool is_path =
	    param->values != NULL && param->values[0].kind == W_VALUE_PATH;

	return is_path ||
	       (effect->bit & (W_EFFECT_NET | W_EFFECT_PUBLISH)) == 0;
}

/* The text of a value as cases see it: a path in the home directory is an
 * absolute one, whatever that directory is called. NULL: it is known only when
 * it runs. */
static const char *
text_for_cases(struct w_analyzer *analyzer, const char *text)
{
	const struct w_command_context *context = &analyzer->context;
	const size_t len = strlen(text);
	const struct w_unseen *home = w_analyzer_unseen(analyzer, text, len);

	if (!w_analyzer_is_placed(analyzer, text, len))
		return text;
	if (home == NULL || home->kind != W_UNSEEN_HOME || home->at != text ||
	    (context->how & W_INNER_PLACED) != 0 ||
	    w_analyzer_unseen(analyzer, text + home->len, len - home->len) !=
		NULL)
		return NULL;
	char *path = w_analyzer_alloc(analyzer, len + 2, 1);
	if (path != NULL)
		(void)snprintf(path, len + 2, "/%s", text);
	return path;
}

bool
w_analyzer_is_no_address(const struct w_analyzer *analyzer, const char *text)
{
	const struct w_command_context *context = &analyzer->context;
	const size_t len = strlen(text);
	const struct w_unseen *behind = context->unseen + context->unseen_count;
	const struct w_unseen *one = w_analyzer_unseen(analyzer, text, len);

	if (one == NULL || (context->how & W_INNER_PLACED) != 0 ||
	    strstr(text, "//") != NULL)
		return false;
	for (; one < behind && one->at < text + len; one++) {
		if (one->kind == W_UNSEEN_FREE)
			return false;
	}
	return true;
}

void
w_analyzer_cases(struct w_analyzer *analyzer, const struct w_match *match)
{
	const struct w_param *param = match->param;
	struct w_source_place from = {.word = match->word, .param = param};

	if (param->case_count == 0)
		return;
	const char *text =
	    match->count == 0
		? ""
		: analyzer->analysis->argv[match->word] + match->offset;
	const char *seen = text_for_cases(analyzer, text);
	const bool is_placed = seen == NULL;
	const bool is_no_address = w_analyzer_is_no_address(analyzer, text);
	for (size_t i = 0; i < param->case_count; i++) {
		const struct w_value_case *one = &param->cases[i];

		if (is_placed ? is_no_address && strstr(one->glob, "//") != NULL
			      : !w_match_glob(one->glob, seen))
			continue;
		for (size_t k = 0; k < one->effect_count; k++) {
			from.is_possible =
			    is_placed && is_guess(param, &one->effects[k]);
			effect_rule_apply(analyzer, &one->effects[k], &from);
		}
		if (!is_placed)
			return;
	}
}

bool
w_analyzer_has_operand(
    const struct w_analyzer *analyzer, const struct w_param *param)
{
	const struct w_argv_parse *parse = &analyzer->analysis->parse;

	return given_of(parse, param->unless, param->unless_count) == 0 &&
	       (param->only_count == 0 ||
		   given_of(parse, param->only, param->only_count) > 0);
}

void
w_analyzer_defaults(struct w_analyzer *analyzer)
{
	const struct w_argv_parse *parse = &analyzer->analysis->parse;

	for (size_t i = 0; i < parse->grammar->operand_count; i++) {
		size_t place = parse->grammar->operands[i];
		const struct w_param *param = &parse->grammar->params[place];
		const struct w_source_place from = {
		    .word = analyzer->analysis->argc, .param = param};

		if (param->standard == NULL || param->values == NULL ||
		    parse->is_given[place] ||
		    !w_analyzer_has_operand(analyzer, param))
			continue;
		if (param->values[0].kind == W_VALUE_PATH)
			w_analyzer_path(analyzer, param->values[0].access,
			    param->standard, strlen(param->standard), &from);
	}
}

/* Only variables that are known to be set: the inherited environment is handled
 * with the request. */
void
w_analyzer_own_variables(struct w_analyzer *analyzer)
{
	const struct w_grammar *grammar = analyzer->analysis->parse.grammar;
	const struct w_variable_set *set;

	if (grammar->variable_count == 0)
		return;
	for (set = analyzer->context.variables; set != NULL; set = set->next) {
		const struct w_touch touch = {.kind = W_TOUCH_VARIABLE,
		    .target = set->name,
		    .len = strlen(set->name),
		    .word = analyzer->analysis->argc,
		    .is_possible = true};

		for (size_t i = 0; i < grammar->variable_count; i++) {
			if (w_match_glob(grammar->variables[i].glob, set->name))
				w_analyzer_touch(analyzer,
				    grammar->variables[i].effects, &touch);
		}
	}
}
