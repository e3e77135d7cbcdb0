/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Matches shapes: the words of a command.
 *
 * A trailing "..." depends on the rule. In a rule that denies or asks it means
 * any further words; options may also stand in between, if the description
 * knows them. In a rule that allows, further words must add nothing to what the
 * words before them do. The same applies to what no word shows: a redirection,
 * the directory or variables around the command. Reading adds nothing. Any
 * other effect must occur without the further words too, on the same target or
 * on none in particular. What a further word names is a target of its own:
 * `git fetch ...` is no `git fetch https://example.com/x`.
 */

#include <string.h>

#include "policy/evaluate/evaluation.h"
#include "policy/evaluate/further_words.h"

static bool
match_shape_is_word(const char *want, const char *have)
{
	return strcmp(want, "*") == 0 || strcmp(want, have) == 0;
}

static bool
has_words(const struct w_evaluation *evaluation, const struct w_shape *shape,
    bool is_broad)
{
	const struct w_analysis *analysis = evaluation->command->analysis;

	if (analysis->shell != NULL || shape->count == 0 ||
	    analysis->argc < shape->count ||
	    (!shape->is_open && analysis->argc > shape->count))
		return false;
	for (size_t i = 1; i < shape->count; i++) {
		if (!match_shape_is_word(shape->words[i], analysis->argv[i]))
			return false;
	}
	return w_evaluation_has_program(evaluation, shape->words[0], is_broad);
}

/* ---- for rules that deny or ask: the same with words in between ---- */

/* The sub-command named by the words from *at on; moves *at behind them. */
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

/* Options may stand anywhere; the order of other words matters. */
static bool
has_scattered(
    const struct w_analysis *analysis, const struct w_shape *shape, size_t from)
{
	size_t behind = 1;

	for (size_t i = from; i < shape->count; i++) {
		const char *want = shape->words[i];
		bool is_option = want[0] == '-';
		size_t at = is_option ? 1 : behind;

		while (at < analysis->argc &&
		       !match_shape_is_word(want, analysis->argv[at]))
			at++;
		if (at == analysis->argc)
			return false;
		if (!is_option)
			behind = at + 1;
	}
	return true;
}

/* "git push --force ..." also matches "git -C x push origin --force". */
static bool
has_words_somewhere(
    const struct w_evaluation *evaluation, const struct w_shape *shape)
{
	const struct w_analysis *analysis = evaluation->command->analysis;
	const struct w_command_node *node = analysis->parse.node;
	size_t at = 1;

	if (!shape->is_open || shape->count == 0 ||
	    analysis->parse.grammar == NULL || node == NULL)
		return false;
	const struct w_command_node *named =
	    node_of(w_command_root(node->command), shape, &at);
	while (node != NULL && node != named)
		node = node->parent;
	return node != NULL && has_scattered(analysis, shape, at) &&
	       w_evaluation_has_program(evaluation, shape->words[0], true);
}

/* ---- for rules that allow ---- */

/* Analysis of the first `count` words alone. NULL: no memory. */
static const struct w_analysis *
prefix_of(struct w_evaluation *evaluation, size_t count)
{
	const struct w_analysis *analysis = evaluation->command->analysis;
	const struct w_analysis_input input = {
	    .argv = analysis->argv, .argc = count};

	if (evaluation->prefix != NULL && evaluation->words == count)
		return evaluation->prefix;
	w_evaluation_done(evaluation);
	if (w_analysis_new(evaluation->facts->source, &input,
		&evaluation->prefix, NULL) != WRIT_OK)
		evaluation->has_failed = true;
	evaluation->words = count;
	return evaluation->prefix;
}

/* Whether a path lies in the directory that the command starts in, by its text:
 * `npm test` works on ".", and after `cd js` on "js". */
static bool
is_below_here(const struct w_touch *touch)
{
	const char *path = touch->target;
	const char *end = path + touch->len;

	if (touch->kind != W_TOUCH_PATH || touch->len == 0 || path[0] == '/' ||
	    path[0] == '~')
		return false;
	while (path < end) {
		const char *slash = memchr(path, '/', (size_t)(end - path));
		const size_t len =
		    (size_t)((slash != NULL ? slash : end) - path);

		if (len == 2 && path[0] == '.' && path[1] == '.')
			return false;
		path += len + 1;
	}
	return true;
}

/* The hosts of a package manager are those of the person's own configuration,
 * so the command reaches them with any words. */
static bool
is_same_target(const struct w_touch *known, const struct w_touch *touch)
{
	const bool is_managers = touch->manager != NULL;
	const char *target = is_managers ? touch->manager : touch->target;
	const size_t len = is_managers ? touch->manager_len : touch->len;

	return known->kind == touch->kind && target != NULL &&
	       known->len == len && memcmp(known->target, target, len) == 0;
}

/* Whether the prefix has the same effect on the same target, on a directory
 * that it is in, or on none in particular. The latter is not what a further
 * word names, a redirection or a variable. */
static bool
has_same_effect(const struct w_analysis *prefix, const struct w_touch *touch)
{
	const bool has_own_target =
	    touch->target != NULL && touch->word >= prefix->argc;

	for (size_t i = 0; i < prefix->touch_count; i++) {
		const struct w_touch *known = &prefix->touches[i];

		if (known->effect != touch->effect)
			continue;
		if (known->target == NULL && !has_own_target)
			return true;
		if (known->target == NULL)
			continue;
		if (known->kind == W_TOUCH_PATH && known->len == 1 &&
		    known->target[0] == '.' && touch->target != NULL &&
		    is_below_here(touch))
			return true;
		if (is_same_target(known, touch))
			return true;
	}
	return false;
}

static bool
adds_nothing(struct w_evaluation *evaluation, const struct w_shape *shape)
{
	const struct w_analysis *analysis = evaluation->command->analysis;
	const char *const *env = evaluation->facts->env;
	bool has_more = analysis->argc > shape->count;

	/* The outermost command without variables is nothing but its words. */
	if (!has_more && evaluation->command_index == 0 &&
	    (env == NULL || env[0] == NULL))
		return true;
	if (evaluation->facts->source == NULL ||
	    (has_more && !analysis->is_itself_understood))
		return false;
	const struct w_analysis *prefix = prefix_of(evaluation, shape->count);
	if (prefix == NULL)
		return false;
	if (has_more && !w_further_words_are_plain(analysis, shape->count))
		return false;
	for (size_t i = 0; i < analysis->touch_count; i++) {
		const struct w_touch *touch = &analysis->touches[i];
		/* An incomplete command has no effect yet. */
		if (touch->effect != W_EFFECT_READ &&
		    ((has_more && !prefix->is_itself_understood) ||
			!has_same_effect(prefix, touch)))
			return false;
	}
	return true;
}

bool
w_rule_matches_shapes(
    struct w_evaluation *evaluation, const struct w_rule *rule)
{
	bool is_broad = w_rule_is_broad(rule);

	for (size_t i = 0; i < rule->shape_count; i++) {
		const struct w_shape *shape = &rule->shapes[i];

		if (has_words(evaluation, shape, is_broad) &&
		    (is_broad || adds_nothing(evaluation, shape)))
			return true;
		if (is_broad && has_words_somewhere(evaluation, shape))
			return true;
	}
	return false;
}
