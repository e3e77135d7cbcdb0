/* SPDX-License-Identifier: Apache-2.0 */

/* Splits a command into the items that rules are matched against:
 * docs/policy.md, "What is judged". */

#include <string.h>

#include "command/analysis/address.h"
#include "policy/evaluate/evaluation.h"
#include "policy/hosts/host_touch.h"

/* Items besides the touches, at most: unknown, code, the command itself,
 * approval. */
#define BESIDES 4

/* The weakest sandbox that hides secrets, as in struct w_policy_facts. */
#define WALLS_READONLY 2

static struct w_evaluation_item *
evaluation_items_add(
    struct w_evaluation *evaluation, unsigned effect, size_t touch)
{
	struct w_evaluation_item *item =
	    &evaluation->items[evaluation->count++];

	*item = (struct w_evaluation_item){.effect = effect, .touch = touch};
	evaluation->effects |= effect;
	return item;
}

/* Where only listed hosts are reached, nothing is opened for a touch that names
 * none of them: it reaches what others have opened, or this run's own loopback.
 */
static bool
opens_nothing(const struct w_policy_facts *facts,
    const struct w_analysis *analysis, const struct w_touch *touch)
{
	const enum w_policy_network network =
	    facts->has_usual ? facts->usual_network : facts->network;

	/* The machine's loopback is meant where the request names it. */
	const bool is_of_words = touch->word < analysis->argc;

	return network == W_POLICY_NETWORK_HOSTS &&
	       touch->effect == W_EFFECT_NET &&
	       (touch->is_possible || touch->kind != W_TOUCH_HOST ||
		   touch->target == NULL ||
		   (is_of_words &&
		       w_address_is_loopback(touch->target, touch->len)));
}

/* Where only hosts are reached that the caller has given, what is sent there is
 * given too. */
static bool
is_host_given(const struct w_policy_facts *facts, const struct w_touch *touch)
{
	if (facts->given_hosts == NULL ||
	    facts->network != W_POLICY_NETWORK_HOSTS)
		return false;
	return touch->effect == W_EFFECT_PUBLISH ||
	       (touch->effect == W_EFFECT_NET &&
		   w_host_list_has_touch(facts->given_hosts, touch));
}

static void
evaluation_items_add_touches(struct w_evaluation *evaluation)
{
	const struct w_policy_command *command = evaluation->command;
	const struct w_analysis *analysis = command->analysis;

	for (size_t i = 0; i < analysis->touch_count; i++) {
		const struct w_touch *touch = &analysis->touches[i];
		struct w_evaluation_item *item =
		    evaluation_items_add(evaluation, touch->effect, i);

		/* Files on another machine are not ours. */
		if (command->paths != NULL && !command->is_remote &&
		    command->paths[i].spelled != NULL)
			item->path = &command->paths[i];
		/* Starting an own program is covered by its `code` item. */
		item->is_implied = command->program.is_own &&
				   touch->effect == W_EFFECT_EXEC &&
				   touch->word == 0;
		item->is_given =
		    (item->path != NULL && item->path->is_given) ||
		    (evaluation->facts->is_network_given &&
			(touch->effect & (W_EFFECT_NET | W_EFFECT_PUBLISH)) !=
			    0) ||
		    is_host_given(evaluation->facts, touch) ||
		    opens_nothing(evaluation->facts, analysis, touch);
	}
}

/* Whether a path is known only when the shell runs. Rules cannot see where it
 * leads. A sandbox hides what must not be read and keeps what must not be
 * written, without one nothing does. */
static bool
has_unseen_path(const struct w_evaluation *evaluation)
{
	const struct w_policy_facts *facts = evaluation->facts;
	const struct w_analysis *analysis = evaluation->command->analysis;
	const unsigned walls =
	    facts->has_usual ? facts->usual_walls : facts->walls;

	for (size_t i = 0; walls < WALLS_READONLY && i < analysis->touch_count;
	     i++) {
		if (analysis->touches[i].is_partial)
			return true;
	}
	return false;
}

static void
add_besides(struct w_evaluation *evaluation)
{
	const struct w_policy_command *command = evaluation->command;
	const struct w_analysis *analysis = command->analysis;
	size_t itself = analysis->touch_count;
	bool is_own = command->program.is_own;

	if (is_own && (evaluation->effects & W_EFFECT_CODE) == 0)
		(void)evaluation_items_add(evaluation, W_EFFECT_CODE, itself);
	if ((!analysis->is_itself_understood && !is_own) ||
	    has_unseen_path(evaluation))
		(void)evaluation_items_add(
		    evaluation, W_EFFECT_UNKNOWN, itself);
	for (size_t i = 0; i < evaluation->count; i++) {
		if (!evaluation->items[i].is_given)
			return;
	}
	/* It has no effect of its own, so it needs an item for itself. A shell
	 * command does what its commands do. */
	if (analysis->shell != NULL && analysis->inner_count > 0)
		evaluation_items_add(evaluation, 0, itself)->is_implied = true;
	else
		(void)evaluation_items_add(evaluation, W_EFFECT_READ, itself);
}

/* These belong to the whole request; they are items of its first command. */
static void
add_more(struct w_evaluation *evaluation)
{
	const size_t itself = evaluation->command->analysis->touch_count;
	const char *const *more = evaluation->facts->more;

	if (evaluation->command_index > 0)
		return;
	for (; more != NULL && *more != NULL; more++)
		evaluation_items_add(evaluation, W_EFFECT_MORE, itself)->more =
		    *more;
	if (evaluation->facts->needs_approval)
		evaluation_items_add(evaluation, W_EFFECT_APPROVAL, itself)
		    ->more = evaluation->facts->module;
}

/* Whether one of the arguments is a shell command. */
static bool
has_shell_text(const struct w_argv_parse *parse)
{
	for (size_t i = 0; parse->grammar != NULL && i < parse->count; i++) {
		const struct w_value_type *type =
		    parse->matches[i].param->values;

		if (type != NULL && type->kind == W_VALUE_SCRIPT &&
		    type->script == W_SCRIPT_SH)
			return true;
	}
	return false;
}

void
w_evaluation_done(struct w_evaluation *evaluation)
{
	w_analysis_free(evaluation->prefix);
	evaluation->prefix = NULL;
	evaluation->words = 0;
}

bool
w_evaluation_add_items(struct w_evaluation *evaluation, size_t command_index)
{
	const struct w_policy_command *command =
	    &evaluation->facts->commands[command_index];
	const char *const *more = evaluation->facts->more;
	size_t count = command->analysis->touch_count + BESIDES;

	w_evaluation_done(evaluation);
	for (; more != NULL && *more != NULL; more++)
		count++;
	if (count > evaluation->cap) {
		evaluation->items = w_arena_alloc(
		    evaluation->arena, count, sizeof(*evaluation->items));
		evaluation->cap = evaluation->items == NULL ? 0 : count;
		if (evaluation->items == NULL)
			return false;
	}
	evaluation->command_index = command_index;
	evaluation->command = command;
	evaluation->count = 0;
	evaluation->effects = 0;
	evaluation->is_shell =
	    command->is_shell || has_shell_text(&command->analysis->parse);
	evaluation_items_add_touches(evaluation);
	add_besides(evaluation);
	add_more(evaluation);
	return true;
}
