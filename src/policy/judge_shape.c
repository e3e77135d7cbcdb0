/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Shapes: the words of a command. What "..." at the end stands for depends on
 * the rule: one that denies or asks means whatever words follow, or stand in
 * between where the description tells which are options; one that allows means
 * what adds nothing to what the words before it do by themselves. The same goes
 * for what no word says: a redirection, a directory or variables around the
 * command. Reading adds nothing; all else has to be the same effect on the same
 * thing, or on nothing in particular.
 */

#include <string.h>

#include "policy/judge_state.h"

static bool
is_word(const char *want, const char *have)
{
	return strcmp(want, "*") == 0 || strcmp(want, have) == 0;
}

static bool
has_words(
    const struct w_trial *trial, const struct w_shape *shape, bool is_broad)
{
	const struct w_meaning *meaning = trial->command->meaning;

	if (meaning->shell != NULL || shape->count == 0 ||
	    meaning->argc < shape->count ||
	    (!shape->is_open && meaning->argc > shape->count))
		return false;
	for (size_t i = 1; i < shape->count; i++) {
		if (!is_word(shape->words[i], meaning->argv[i]))
			return false;
	}
	return w_program_fits(trial, shape->words[0], is_broad);
}

/* ---- for rules that deny or ask: the same with words in between ---- */

/* The sub-command that the words name, from *at on, which is then behind them.
 */
static const struct w_command_node *
node_of(
    const struct w_command_node *root, const struct w_shape *shape, size_t *at)
{
	const struct w_command_node *node = root;

	for (; *at < shape->count; (*at)++) {
		const char *word = shape->words[*at];
		const struct w_command_node *child =
		    w_command_child(node, word, strlen(word));

		if (child == NULL)
			break;
		node = child;
	}
	return node;
}

static bool
is_beneath(
    const struct w_command_node *node, const struct w_command_node *above)
{
	while (node != NULL && node != above)
		node = node->parent;
	return node != NULL;
}

/* Options may stand anywhere; other words come in their order. */
static bool
has_scattered(
    const struct w_meaning *meaning, const struct w_shape *shape, size_t from)
{
	size_t behind = 1;

	for (size_t i = from; i < shape->count; i++) {
		const char *want = shape->words[i];
		bool is_option = want[0] == '-';
		size_t at = is_option ? 1 : behind;

		while (at < meaning->argc && !is_word(want, meaning->argv[at]))
			at++;
		if (at == meaning->argc)
			return false;
		if (!is_option)
			behind = at + 1;
	}
	return true;
}

/* "git push --force ..." is about "git -C x push origin --force" too. */
static bool
has_words_somewhere(const struct w_trial *trial, const struct w_shape *shape)
{
	const struct w_meaning *meaning = trial->command->meaning;
	const struct w_command_node *node = meaning->parse.node;
	size_t at = 1;

	if (!shape->is_open || shape->count == 0 ||
	    meaning->parse.form == NULL || node == NULL)
		return false;
	const struct w_command_node *named =
	    node_of(w_command_root(node->command), shape, &at);
	return is_beneath(node, named) && has_scattered(meaning, shape, at) &&
	       w_program_fits(trial, shape->words[0], true);
}

/* ---- for rules that allow ---- */

/* What so many words of the command mean by themselves. NULL: no memory. */
static const struct w_meaning *
prefix_of(struct w_trial *trial, size_t count)
{
	const struct w_meaning *meaning = trial->command->meaning;
	const struct w_meaning_input input = {
	    .argv = meaning->argv, .argc = count};

	if (trial->prefix != NULL && trial->words == count)
		return trial->prefix;
	w_trial_done(trial);
	if (w_meaning_new(trial->c->source, &input, &trial->prefix, NULL) !=
	    WRIT_OK)
		trial->has_failed = true;
	trial->words = count;
	return trial->prefix;
}

static bool
is_same_target(const struct w_touch *known, const struct w_touch *touch)
{
	if (known->target == NULL)
		return true;
	return known->kind == touch->kind && touch->target != NULL &&
	       known->len == touch->len &&
	       memcmp(known->target, touch->target, touch->len) == 0;
}

static bool
does(const struct w_meaning *prefix, const struct w_touch *touch)
{
	for (size_t i = 0; i < prefix->touch_count; i++) {
		const struct w_touch *known = &prefix->touches[i];

		if (known->effect == touch->effect &&
		    is_same_target(known, touch))
			return true;
	}
	return false;
}

/* Of a request by itself the words are all there is. */
static bool
is_bare(const struct w_trial *trial)
{
	return trial->place == 0 &&
	       (trial->c->env == NULL || trial->c->env[0] == NULL);
}

static bool
adds_nothing(struct w_trial *trial, const struct w_shape *shape)
{
	const struct w_meaning *meaning = trial->command->meaning;
	bool has_more = meaning->argc > shape->count;

	if (!has_more && is_bare(trial))
		return true;
	if (trial->c->source == NULL ||
	    (has_more && !meaning->is_itself_understood))
		return false;
	const struct w_meaning *prefix = prefix_of(trial, shape->count);
	if (prefix == NULL)
		return false;
	for (size_t i = 0; i < meaning->touch_count; i++) {
		const struct w_touch *touch = &meaning->touches[i];

		/* Words that only lack others do nothing yet. */
		if (touch->effect != W_EFFECT_READ &&
		    ((has_more && !prefix->is_itself_understood) ||
			!does(prefix, touch)))
			return false;
	}
	return true;
}

bool
w_shapes_fit(struct w_trial *trial, const struct w_rule *rule)
{
	bool is_broad = w_rule_is_broad(rule);

	for (size_t i = 0; i < rule->shape_count; i++) {
		const struct w_shape *shape = &rule->shapes[i];

		if (has_words(trial, shape, is_broad) &&
		    (is_broad || adds_nothing(trial, shape)))
			return true;
		if (is_broad && has_words_somewhere(trial, shape))
			return true;
	}
	return false;
}
