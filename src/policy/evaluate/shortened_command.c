/* SPDX-License-Identifier: Apache-2.0 */

/* Commands with words left out: whether they are still the same command, and
 * whether the policy allows them. */

#include "policy/evaluate/shortened_command.h"

#include <string.h>

/* ---- facts of the shortened command ---- */

struct shortened {
	const struct w_policy_facts *from;
	struct w_arena arena;
	struct w_policy_command *commands;
	size_t count;
	bool has_failed; /* no memory */
};

static size_t
count_commands(const struct w_analysis *analysis)
{
	size_t count = 1;

	for (size_t i = 0; i < analysis->inner_count; i++)
		count += count_commands(analysis->inner[i].analysis);
	return count;
}

static const struct w_policy_path *
shortened_command_path_of(
    const struct w_policy_facts *facts, const struct w_touch *touch)
{
	for (size_t i = 0; i < facts->count; i++) {
		const struct w_analysis *analysis = facts->commands[i].analysis;

		for (size_t k = 0; k < analysis->touch_count; k++) {
			const struct w_touch *known = &analysis->touches[k];

			if (facts->commands[i].paths != NULL &&
			    known->kind == W_TOUCH_PATH &&
			    known->target != NULL && known->len == touch->len &&
			    memcmp(known->target, touch->target, touch->len) ==
				0)
				return &facts->commands[i].paths[k];
		}
	}
	return NULL;
}

static bool
shortened_command_add_paths(
    struct shortened *shortened, struct w_policy_command *command)
{
	const struct w_analysis *analysis = command->analysis;
	struct w_policy_path *paths = w_arena_alloc(
	    &shortened->arena, analysis->touch_count + 1, sizeof(*paths));

	command->paths = paths;
	for (size_t i = 0; paths != NULL && i < analysis->touch_count; i++) {
		const struct w_touch *touch = &analysis->touches[i];

		if (touch->kind != W_TOUCH_PATH || touch->target == NULL)
			continue;
		const struct w_policy_path *known =
		    shortened_command_path_of(shortened->from, touch);
		if (known != NULL)
			paths[i] = *known;
	}
	shortened->has_failed = paths == NULL;
	return paths != NULL;
}

/* The matching command of the original; NULL: none. */
static const struct w_policy_command *
command_like(
    const struct w_policy_facts *facts, const struct w_analysis *analysis)
{
	for (size_t i = 0; i < facts->count; i++) {
		const struct w_analysis *known = facts->commands[i].analysis;

		if (known->argc > 0 && analysis->argc > 0 &&
		    strcmp(known->argv[0], analysis->argv[0]) == 0)
			return &facts->commands[i];
	}
	return NULL;
}

/* Recursion is bounded by the nesting limit of analysis. false: no memory, or
 * the command is new. */
static bool
shortened_command_add_command(struct shortened *shortened,
    const struct w_analysis *analysis, unsigned how, bool is_shell)
{
	const struct w_policy_command *known =
	    command_like(shortened->from, analysis);
	struct w_policy_command *command =
	    &shortened->commands[shortened->count++];

	if (known == NULL)
		return false;
	*command = (struct w_policy_command){.analysis = analysis,
	    .program = known->program,
	    .is_shell = is_shell,
	    .is_remote = (how & W_INNER_REMOTE) != 0,
	    .is_builtin = known->is_builtin};
	if (!shortened_command_add_paths(shortened, command))
		return false;
	for (size_t i = 0; i < analysis->inner_count; i++) {
		const struct w_inner *inner = &analysis->inner[i];

		if (!shortened_command_add_command(shortened, inner->analysis,
			how | inner->how, is_shell || inner->is_shell))
			return false;
	}
	return true;
}

/* ---- the same command? ---- */

/* Finds where the words of a command begin in the whole argv; false: they were
 * generated. */
static bool
begins_at(const struct w_analysis *whole, const struct w_analysis *analysis,
    size_t *out_at)
{
	if (analysis->argv < whole->argv ||
	    analysis->argv >= whole->argv + whole->argc)
		return false;
	*out_at = (size_t)(analysis->argv - whole->argv);
	return true;
}

static bool
has_match(const struct w_argv_parse *parse, const struct w_match *match)
{
	for (size_t i = 0; i < parse->count; i++) {
		const struct w_match *other = &parse->matches[i];

		if (other->param == match->param &&
		    other->word == match->word &&
		    other->flag_word == match->flag_word &&
		    other->offset == match->offset &&
		    other->count == match->count)
			return true;
	}
	return false;
}

/* The whole command before and after. */
struct pair {
	const struct w_analysis *before;
	const struct w_analysis *after;
	const size_t *places;
};

/* Moves an argument to its new position. places: of the command's words. false:
 * it was left out. Some words of an inner command may be left out. */
static bool
move(const struct w_match *match, const size_t *places, size_t base,
    struct w_match *out_match)
{
	size_t word = places[match->word];
	size_t flag_word = places[match->flag_word];

	if (word == W_WORD_GONE || flag_word == W_WORD_GONE)
		return false;
	*out_match = *match;
	out_match->word = word - base;
	out_match->flag_word = flag_word - base;
	out_match->count = 0;
	for (size_t i = 0; i < match->count; i++)
		out_match->count += places[match->word + i] != W_WORD_GONE;
	return true;
}

static bool
has_same_arguments(const struct pair *pair, const struct w_analysis *before,
    const struct w_analysis *after)
{
	size_t kept = 0;
	size_t from;
	size_t to;

	/* It did not parse before, because of the words left out. */
	if (before->parse.grammar == NULL)
		return true;
	if (after->parse.grammar != before->parse.grammar)
		return false;
	if (!begins_at(pair->before, before, &from) ||
	    !begins_at(pair->after, after, &to))
		return before->argc == after->argc &&
		       before->parse.count == after->parse.count;
	for (size_t i = 0; i < before->parse.count; i++) {
		struct w_match moved;

		if (!move(&before->parse.matches[i], pair->places + from, to,
			&moved))
			continue;
		if (!has_match(&after->parse, &moved))
			return false;
		kept++;
	}
	return kept == after->parse.count;
}

/* Recursion is bounded by the nesting limit of analysis. */
static bool
shortened_command_is_same(const struct pair *pair,
    const struct w_analysis *before, const struct w_analysis *after)
{
	if (!has_same_arguments(pair, before, after))
		return false;
	if (before->parse.grammar == NULL)
		return true;
	if (before->inner_count != after->inner_count)
		return false;
	for (size_t i = 0; i < before->inner_count; i++) {
		if (!shortened_command_is_same(pair, before->inner[i].analysis,
			after->inner[i].analysis))
			return false;
	}
	return true;
}

/* ---- evaluation ---- */

static bool
evaluate_shortened(const struct w_policy_set *policy_set,
    const struct w_policy_facts *facts, const struct w_analysis *analysis,
    bool *out_failed)
{
	struct shortened shortened = {.from = facts};
	struct w_decision decision;
	struct w_policy_facts shorter = *facts;
	bool is_allowed = false;

	shortened.commands = w_arena_alloc(&shortened.arena,
	    count_commands(analysis), sizeof(*shortened.commands));
	if (shortened.commands == NULL) {
		*out_failed = true;
	} else if (shortened_command_add_command(
		       &shortened, analysis, 0, false)) {
		shorter.commands = shortened.commands;
		shorter.count = shortened.count;
		if (w_policy_evaluate(policy_set, &shorter, &decision, NULL) ==
		    WRIT_OK) {
			is_allowed = decision.verdict == W_ALLOW;
			w_decision_done(&decision);
		} else {
			*out_failed = true;
		}
	}
	*out_failed = *out_failed || shortened.has_failed;
	w_arena_done(&shortened.arena);
	return is_allowed;
}

bool
w_shortened_is_allowed(const struct w_policy_set *policy_set,
    const struct w_policy_facts *facts,
    const struct w_shortened_command *shorter, bool *out_failed)
{
	const struct w_analysis_input input = {.argv = shorter->argv,
	    .argc = shorter->argc,
	    .env = facts->env,
	    .has_terminal = facts->has_terminal};
	struct w_analysis *analysis = NULL;

	if (w_analysis_new(facts->source, &input, &analysis, NULL) != WRIT_OK) {
		*out_failed = true;
		return false;
	}
	const struct pair pair = {.before = facts->commands[0].analysis,
	    .after = analysis,
	    .places = shorter->places};
	bool is_allowed =
	    shortened_command_is_same(&pair, pair.before, analysis) &&
	    evaluate_shortened(policy_set, facts, analysis, out_failed);
	w_analysis_free(analysis);
	return is_allowed;
}
