/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The rule that an approval becomes: what was asked for, and no more than a
 * careful person would mean by it.
 *
 * Each command has a shape of its own. What names the thing that it works on
 * stays as it was written: sub-commands, paths, hosts, options with an effect,
 * and the first operand. What follows may be left open ("...") when the
 * description knows it, nothing of it can name another such thing, and more
 * than the program is fixed. Everything else is allowed word by word.
 */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/encode.h"
#include "base/words.h"
#include "policy/judge_state.h"
#include "policy/reading.h"

#define SHAPES_MAX 8
#define WORDS_MAX  1000
#define SHAPE_MAX  ((size_t)64 << 10)

/* ---- how many words have to stay ---- */

static size_t
larger(size_t one, size_t other)
{
	return one > other ? one : other;
}

/* Values that are nothing but words: any other may be as good. */
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

static size_t
end_of(const struct w_match *match)
{
	size_t end = match->count == 0 ? 0 : match->word + match->count;

	return larger(match->flag_word + 1, end);
}

/* Words that are of no argument: the sub-command's, and "--". */
static size_t
last_bare(const struct w_parse *parse)
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
first_operand(const struct w_parse *parse)
{
	for (size_t i = 0; i < parse->count; i++) {
		if (parse->matches[i].param->kind == W_PARAM_OPERAND)
			return &parse->matches[i];
	}
	return NULL;
}

static size_t
words_kept(const struct w_meaning *meaning)
{
	const struct w_parse *parse = &meaning->parse;
	const struct w_match *operand = first_operand(parse);
	size_t count = last_bare(parse);

	if (operand != NULL)
		count = larger(count, operand->word + 1);
	for (size_t i = 0; i < parse->count; i++) {
		if (!is_mere_text(parse->matches[i].param))
			count = larger(count, end_of(&parse->matches[i]));
	}
	for (size_t i = 0; i < meaning->touch_count; i++) {
		const struct w_touch *touch = &meaning->touches[i];

		if (touch->effect != W_EFFECT_READ && touch->word > 0 &&
		    touch->word < meaning->argc)
			count = larger(count, touch->word + 1);
	}
	return count;
}

/* Whether words behind could not name another thing to work on. */
static bool
may_be_open(const struct w_meaning *meaning)
{
	const struct w_parse *parse = &meaning->parse;
	const struct w_match *operand = first_operand(parse);

	/* They may be for a program that nobody has looked into. */
	if ((meaning->effects & W_EFFECT_EXEC) != 0)
		return false;
	if (parse->form->operand_count == 0)
		return true;
	return operand != NULL && !operand->param->is_repeatable &&
	       operand->param == &parse->form->params[parse->form->operands[0]];
}

/* ---- shapes ---- */

/* A rule that allows one shape, held against one command. */
static bool
is_good(const struct w_case *c, size_t place, const struct w_shape *shape)
{
	struct w_policy none = {.rule_count = 0};
	const struct w_bench_seat seat = {.policy = &none};
	const struct w_rule rule = {.verdict = W_ALLOW,
	    .is_shell = -1,
	    .shapes = shape,
	    .shape_count = 1};
	struct w_trial trial = {.c = c,
	    .seat = &seat,
	    .place = place,
	    .command = &c->commands[place]};
	bool fits = w_shapes_fit(&trial, &rule);

	w_trial_done(&trial);
	return fits;
}

/* The program as `program` means it: its file, where a name is not enough. */
static void
add_program(struct w_buf *buf, const struct w_case_command *command)
{
	const struct w_case_program *program = &command->program;
	const char *name = command->meaning->argv[0];

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

/* Words that mean something else in a shape, or cannot be written. */
static bool
is_writable(const struct w_meaning *meaning, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *word = meaning->argv[i];

		if (!w_utf8_valid(word, strlen(word)) ||
		    strcmp(word, "...") == 0 ||
		    (i > 0 && strcmp(word, "*") == 0))
			return false;
	}
	return true;
}

static void
add_words(struct w_buf *buf, const struct w_shape *shape)
{
	for (size_t i = 0; i < shape->count; i++) {
		if (i > 0)
			w_buf_add_char(buf, ' ');
		w_words_quote(buf, shape->words[i]);
	}
	if (shape->is_open)
		w_buf_add_str(buf, " ...");
}

/* As far open as can be; or closed. false: not even that holds. */
static bool
choose(const struct w_case *c, size_t place, struct w_shape *shape)
{
	const struct w_meaning *meaning = c->commands[place].meaning;

	shape->is_open = true;
	if (meaning->is_understood && meaning->inner_count == 0 &&
	    meaning->parse.form != NULL && may_be_open(meaning)) {
		shape->count = words_kept(meaning);
		if (shape->count > 1 && is_good(c, place, shape))
			return true;
	}
	shape->count = meaning->argc;
	shape->is_open = false;
	return is_good(c, place, shape);
}

/* Appends the shape's text. false: it has none. */
static bool
add_shape(struct w_buf *buf, const struct w_case *c, size_t place)
{
	const struct w_case_command *command = &c->commands[place];
	const struct w_meaning *meaning = command->meaning;
	W_AUTO_FREE const char **words =
	    calloc(meaning->argc + 1, sizeof(*words));
	W_AUTO_BUF struct w_buf program;
	struct w_shape shape = {.words = words};

	w_buf_init(&program, SHAPE_MAX);
	if (words == NULL || meaning->argc == 0 || meaning->argc > WORDS_MAX)
		return false;
	memcpy(words, meaning->argv, meaning->argc * sizeof(*words));
	add_program(&program, command);
	words[0] = program.data;
	if (!choose(c, place, &shape) || !is_writable(meaning, shape.count))
		return false;
	add_words(buf, &shape);
	return !buf->failed && !program.failed;
}

/* ---- the rule ---- */

static void
add_shell(struct w_buf *buf, const char *text)
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
is_same_command(const struct w_case *c, size_t one, size_t other)
{
	const struct w_meaning *left = c->commands[one].meaning;
	const struct w_meaning *right = c->commands[other].meaning;

	if (left->argc != right->argc)
		return false;
	for (size_t i = 0; i < left->argc; i++) {
		if (strcmp(left->argv[i], right->argv[i]) != 0)
			return false;
	}
	return true;
}

static bool
is_repeated(const struct w_case *c, size_t place)
{
	for (size_t i = 0; i < place; i++) {
		if (is_same_command(c, i, place))
			return true;
	}
	return false;
}

/* false: one of the commands has no shape. */
static bool
add_shapes(struct w_buf *buf, const struct w_case *c)
{
	W_AUTO_BUF struct w_buf shape;

	w_buf_init(&shape, SHAPE_MAX);
	w_buf_add_str(buf, c->count > 1 ? "allow: { shape: [" : "allow: ");
	for (size_t i = 0; i < c->count; i++) {
		shape.len = 0;
		if (is_repeated(c, i))
			continue;
		/* A shape cannot say that it is about another machine. */
		if (c->commands[i].is_remote || !add_shape(&shape, c, i))
			return false;
		if (i > 0)
			w_buf_add_str(buf, ", ");
		w_flow_add_text(buf, shape.data);
	}
	if (c->count > 1)
		w_buf_add_str(buf, "] }");
	return true;
}

void
w_policy_generalise(struct w_buf *buf, const struct w_case *c)
{
	W_AUTO_BUF struct w_buf rule;

	w_buf_init(&rule, W_POLICY_TEXT_MAX);
	if (c->shell != NULL)
		add_shell(&rule, c->shell);
	else if (c->count == 0 || c->count > SHAPES_MAX ||
		 !add_shapes(&rule, c))
		return;
	if (!rule.failed)
		w_buf_add(buf, rule.data, rule.len);
}
