/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The rule that an approval becomes: what was asked for, and no more than a
 * careful person would mean by it.
 *
 * Each command gets its own shape. Words that name the object of the command
 * stay as written: sub-commands, paths, hosts, options with an effect, and the
 * first operand. The rest may be left open ("...") if the description knows it,
 * none of it can name another object, and more than the program is fixed. One
 * step further goes a sub-command with a list of names (`pip install six`): it
 * means other names too, unless it publishes or cannot be undone. Otherwise the
 * command is allowed word by word.
 */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/encode.h"
#include "base/words.h"
#include "policy/evaluate/evaluation.h"
#include "policy/read/policy_reader.h"

#define SHAPES_MAX 8
#define WORDS_MAX  1000
#define SHAPE_MAX  ((size_t)64 << 10)

/* ---- how many words are kept ---- */

static size_t
larger(size_t one, size_t other)
{
	return one > other ? one : other;
}

/* Values without a meaning to the policy: any other value is as good. */
static bool
is_mere_text(const struct w_param *param)
{
	if (param->values == NULL)
		return true;
	return param->values->kind == W_VALUE_TEXT ||
	       param->values->kind == W_VALUE_INTEGER ||
	       param->values->kind == W_VALUE_NUMBER ||
	       param->values->kind == W_VALUE_CHOICE ||
	       param->values->kind == W_VALUE_REVISION ||
	       param->values->kind == W_VALUE_REGEX ||
	       param->values->kind == W_VALUE_GLOB ||
	       param->values->kind == W_VALUE_DURATION ||
	       param->values->kind == W_VALUE_SIZE;
}

/* Returns the position after the last word that belongs to no argument: a
 * sub-command or "--". */
static size_t
last_bare(const struct w_argv_parse *parse)
{
	for (size_t word = parse->argc; word > 1; word--) {
		bool is_used = false;

		for (size_t i = 0; i < parse->count && !is_used; i++) {
			const struct w_match *match = &parse->matches[i];

			is_used = match->flag_word == word - 1 ||
				  (word - 1 >= match->word &&
				      word - 1 < match->word + match->count);
		}
		if (!is_used)
			return word;
	}
	return 1;
}

static const struct w_match *
first_operand(const struct w_argv_parse *parse)
{
	for (size_t i = 0; i < parse->count; i++) {
		if (parse->matches[i].param->kind == W_PARAM_OPERAND)
			return &parse->matches[i];
	}
	return NULL;
}

/* Whether the operands are a list of names without a meaning of their own:
 * packages, not paths or hosts. */
static bool
is_list_of_names(const struct w_analysis *analysis)
{
	const unsigned grave =
	    W_EFFECT_PUBLISH | W_EFFECT_PRIV | W_EFFECT_IRREVERSIBLE;
	const struct w_match *operand = first_operand(&analysis->parse);

	if (operand == NULL || !operand->param->is_repeatable ||
	    operand->param->values == NULL ||
	    operand->param->values->kind != W_VALUE_TEXT ||
	    (analysis->effects & grave) != 0)
		return false;
	for (size_t i = 0; i < analysis->touch_count; i++) {
		const struct w_touch *touch = &analysis->touches[i];

		/* `pip install https://...` names a host. */
		if (touch->word >= operand->word &&
		    touch->word < operand->word + operand->count)
			return false;
	}
	return true;
}

static size_t
words_kept(const struct w_analysis *analysis)
{
	const struct w_argv_parse *parse = &analysis->parse;
	const struct w_match *operand = first_operand(parse);
	size_t count = last_bare(parse);

	if (operand != NULL && !is_list_of_names(analysis))
		count = larger(count, operand->word + 1);
	for (size_t i = 0; i < parse->count; i++) {
		const struct w_match *match = &parse->matches[i];

		if (is_mere_text(match->param))
			continue;
		count = larger(count, match->flag_word + 1);
		if (match->count > 0)
			count = larger(count, match->word + match->count);
	}
	for (size_t i = 0; i < analysis->touch_count; i++) {
		const struct w_touch *touch = &analysis->touches[i];

		if (touch->effect != W_EFFECT_READ && touch->word > 0 &&
		    touch->word < analysis->argc)
			count = larger(count, touch->word + 1);
	}
	return count;
}

/* Whether further words could not name another object to work on. */
static bool
may_be_open(const struct w_analysis *analysis)
{
	const struct w_argv_parse *parse = &analysis->parse;
	const struct w_match *operand = first_operand(parse);

	/* They may be arguments of a program that was not analyzed. */
	if ((analysis->effects & W_EFFECT_EXEC) != 0)
		return false;
	if (parse->grammar->operand_count == 0)
		return true;
	return operand != NULL &&
	       (!operand->param->is_repeatable || is_list_of_names(analysis)) &&
	       operand->param ==
		   &parse->grammar->params[parse->grammar->operands[0]];
}

/* ---- shapes ---- */

/* Whether a rule that allows this shape would match the command. */
static bool
is_good(const struct w_policy_facts *facts, size_t place,
    const struct w_shape *shape)
{
	struct w_policy none = {.rule_count = 0};
	const struct w_policy_tier tier = {.policy = &none};
	const struct w_rule rule = {.verdict = W_ALLOW,
	    .is_shell = -1,
	    .shapes = shape,
	    .shape_count = 1};
	struct w_evaluation evaluation = {.facts = facts,
	    .tier = &tier,
	    .command_index = place,
	    .command = &facts->commands[place]};
	bool fits = w_rule_matches_shapes(&evaluation, &rule);

	w_evaluation_done(&evaluation);
	return fits;
}

/* Writes the program as the key `program` expects it: by its path where the
 * name alone does not match. */
static void
add_program(struct w_buf *buf, const struct w_policy_command *command)
{
	const struct w_policy_program *program = &command->program;
	const char *name = command->analysis->argv[0];

	if (strchr(name, '/') != NULL && program->spelled != NULL)
		name = program->spelled;
	else if (program->is_own && program->path != NULL)
		name = program->path;
	for (; *name != '\0'; name++) {
		if (strchr("*?[", *name) != NULL)
			w_buf_add_fmt(buf, "[%c]", *name);
		else
			w_buf_add_char(buf, *name);
	}
}

/* Whether the words can be written in a shape: valid UTF-8, no wildcards. */
static bool
is_writable(const struct w_analysis *analysis, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *word = analysis->argv[i];

		if (!w_utf8_valid(word, strlen(word)) ||
		    strcmp(word, "...") == 0 ||
		    (i > 0 && strcmp(word, "*") == 0))
			return false;
	}
	return true;
}

/* Chooses an open shape if possible, else a closed one. false: neither matches.
 */
static bool
choose_shape(
    const struct w_policy_facts *facts, size_t place, struct w_shape *shape)
{
	const struct w_analysis *analysis = facts->commands[place].analysis;

	shape->is_open = true;
	if (analysis->is_understood && analysis->inner_count == 0 &&
	    analysis->parse.grammar != NULL && may_be_open(analysis)) {
		shape->count = words_kept(analysis);
		if (shape->count > 1 && is_good(facts, place, shape))
			return true;
	}
	shape->count = analysis->argc;
	shape->is_open = false;
	return is_good(facts, place, shape);
}

/* Appends the shape of one command. false: it has none. */
static bool
add_shape(struct w_buf *buf, const struct w_policy_facts *facts, size_t place)
{
	const struct w_policy_command *command = &facts->commands[place];
	const struct w_analysis *analysis = command->analysis;
	W_AUTO_FREE const char **words =
	    calloc(analysis->argc + 1, sizeof(*words));
	W_AUTO_BUF struct w_buf program;
	struct w_shape shape = {.words = words};

	w_buf_init(&program, SHAPE_MAX);
	if (words == NULL || analysis->argc == 0 || analysis->argc > WORDS_MAX)
		return false;
	memcpy(words, analysis->argv, analysis->argc * sizeof(*words));
	add_program(&program, command);
	words[0] = program.data;
	if (!choose_shape(facts, place, &shape) ||
	    !is_writable(analysis, shape.count))
		return false;
	for (size_t i = 0; i < shape.count; i++) {
		if (i > 0)
			w_buf_add_char(buf, ' ');
		w_words_quote(buf, shape.words[i]);
	}
	if (shape.is_open)
		w_buf_add_str(buf, " ...");
	return !buf->failed && !program.failed;
}

/* ---- the rule ---- */

static void
generalise_add_shell(struct w_buf *buf, const char *text)
{
	static const char blanks[] = " \t\r\n";
	W_AUTO_BUF struct w_buf glob;

	w_buf_init(&glob, W_POLICY_TEXT_MAX);
	text += strspn(text, blanks);
	size_t len = strlen(text);
	while (len > 0 && strchr(blanks, text[len - 1]) != NULL)
		len--;
	if (len == 0 || !w_utf8_valid(text, len))
		return;
	for (size_t i = 0; i < len; i++) {
		if (strchr("*?[", text[i]) != NULL)
			w_buf_add_fmt(&glob, "[%c]", text[i]);
		else
			w_buf_add_char(&glob, text[i]);
	}
	w_buf_add_str(buf, "allow: { shell: ");
	w_flow_add_text(buf, glob.data);
	w_buf_add_str(buf, " }");
}

static bool
is_same_command(const struct w_policy_facts *facts, size_t one, size_t other)
{
	const struct w_analysis *left = facts->commands[one].analysis;
	const struct w_analysis *right = facts->commands[other].analysis;

	if (left->argc != right->argc)
		return false;
	for (size_t i = 0; i < left->argc; i++) {
		if (strcmp(left->argv[i], right->argv[i]) != 0)
			return false;
	}
	return true;
}

static bool
generalise_is_repeated(const struct w_policy_facts *facts, size_t place)
{
	for (size_t i = 0; i < place; i++) {
		if (is_same_command(facts, i, place))
			return true;
	}
	return false;
}

/* Of a text for a shell: what changes nothing by itself needs no rule (`cd js`
 * before `npm test`), nor does the text as such. */
static bool
generalise_is_harmless(const struct w_policy_facts *facts, size_t place)
{
	const struct w_policy_command *command = &facts->commands[place];
	const struct w_analysis *analysis = command->analysis;

	if (facts->shell == NULL)
		return false;
	if (place == 0 && analysis->argc == 0)
		return true;
	return analysis->is_itself_understood && !command->program.is_own &&
	       (analysis->effects & ~(unsigned)W_EFFECT_READ) == 0;
}

static size_t
count_shapes(const struct w_policy_facts *facts)
{
	size_t count = 0;

	for (size_t i = 0; i < facts->count; i++)
		count += !generalise_is_harmless(facts, i) &&
			 !generalise_is_repeated(facts, i);
	return count;
}

/* false: one of the commands has no shape. */
static bool
add_shapes(struct w_buf *buf, const struct w_policy_facts *facts)
{
	const size_t count = count_shapes(facts);
	const char *comma = "";
	W_AUTO_BUF struct w_buf shape;

	w_buf_init(&shape, SHAPE_MAX);
	if (count == 0 || count > SHAPES_MAX)
		return false;
	w_buf_add_str(buf, count > 1 ? "allow: { shape: [" : "allow: ");
	for (size_t i = 0; i < facts->count; i++) {
		shape.len = 0;
		if (generalise_is_harmless(facts, i) ||
		    generalise_is_repeated(facts, i))
			continue;
		/* A shape cannot express that the command runs on another
		 * machine. */
		if (facts->commands[i].is_remote ||
		    !add_shape(&shape, facts, i))
			return false;
		w_buf_add_str(buf, comma);
		comma = ", ";
		w_flow_add_text(buf, shape.data);
	}
	if (count > 1)
		w_buf_add_str(buf, "] }");
	return true;
}

void
w_policy_generalise(struct w_buf *buf, const struct w_policy_facts *facts)
{
	W_AUTO_BUF struct w_buf rule;

	w_buf_init(&rule, W_POLICY_TEXT_MAX);
	if (facts->count == 0 || !add_shapes(&rule, facts) || rule.failed)
		return;
	w_buf_add(buf, rule.data, rule.len);
}

void
w_policy_generalise_text(struct w_buf *buf, const struct w_policy_facts *facts)
{
	W_AUTO_BUF struct w_buf rule;

	w_buf_init(&rule, W_POLICY_TEXT_MAX);
	if (facts->shell != NULL)
		generalise_add_shell(&rule, facts->shell);
	if (!rule.failed)
		w_buf_add(buf, rule.data, rule.len);
}
