/* SPDX-License-Identifier: Apache-2.0 */

/* From a command to the items that it is judged by: docs/policy.md, "What is
 * judged". */

#include <string.h>

#include "policy/judge_state.h"

/* What it touches, and at most: unknown, code, itself, approval. */
#define BESIDES 4

static struct w_item *
add(struct w_trial *trial, unsigned effect, size_t touch)
{
	struct w_item *item = &trial->items[trial->count++];

	*item = (struct w_item){.effect = effect, .touch = touch};
	trial->effects |= effect;
	return item;
}

/* That an own program is executed is what its item `code` says. */
static bool
is_own_start(const struct w_case_command *command, const struct w_touch *touch)
{
	return command->program.is_own && touch->effect == W_EFFECT_EXEC &&
	       touch->word == 0;
}

static void
add_touches(struct w_trial *trial)
{
	const struct w_case_command *command = trial->command;
	const struct w_meaning *meaning = command->meaning;

	for (size_t i = 0; i < meaning->touch_count; i++) {
		const struct w_touch *touch = &meaning->touches[i];
		struct w_item *item = add(trial, touch->effect, i);

		/* The files of another machine are none of ours. */
		if (command->paths != NULL && !command->is_remote &&
		    command->paths[i].spelled != NULL)
			item->path = &command->paths[i];
		item->is_implied = is_own_start(command, touch);
		item->is_given =
		    (item->path != NULL && item->path->is_given) ||
		    (trial->c->is_network_given &&
			(touch->effect & (W_EFFECT_NET | W_EFFECT_PUBLISH)) !=
			    0);
	}
}

/* Itself, besides what the caller opens for it. */
static bool
does_something(const struct w_trial *trial)
{
	for (size_t i = 0; i < trial->count; i++) {
		if (!trial->items[i].is_given)
			return true;
	}
	return false;
}

static void
add_besides(struct w_trial *trial)
{
	const struct w_case_command *command = trial->command;
	const struct w_meaning *meaning = command->meaning;
	size_t itself = meaning->touch_count;
	bool is_own = command->program.is_own;

	if (is_own && (trial->effects & W_EFFECT_CODE) == 0)
		(void)add(trial, W_EFFECT_CODE, itself);
	if (!meaning->is_itself_understood && !is_own)
		(void)add(trial, W_EFFECT_UNKNOWN, itself);
	if (does_something(trial))
		return;
	/* A text for a shell does what its commands do. */
	if (meaning->shell != NULL && meaning->inner_count > 0)
		add(trial, 0, itself)->is_implied = true;
	else
		(void)add(trial, W_EFFECT_READ, itself);
}

static size_t
count_more(const struct w_case *c)
{
	size_t count = 0;

	while (c->more != NULL && c->more[count] != NULL)
		count++;
	return count;
}

/* Of the request as a whole: told with its first command. */
static void
add_more(struct w_trial *trial)
{
	const size_t itself = trial->command->meaning->touch_count;
	const char *const *more = trial->c->more;

	if (trial->place > 0)
		return;
	for (; more != NULL && *more != NULL; more++)
		add(trial, W_EFFECT_MORE, itself)->more = *more;
	if (trial->c->needs_approval)
		add(trial, W_EFFECT_APPROVAL, itself)->more = trial->c->module;
}

/* Whether one of its words is a text for a shell. */
static bool
has_shell_text(const struct w_parse *parse)
{
	for (size_t i = 0; parse->form != NULL && i < parse->count; i++) {
		const struct w_value_type *type =
		    parse->matches[i].param->values;

		if (type != NULL && type->kind == W_VALUE_SCRIPT &&
		    type->script == W_SCRIPT_SH)
			return true;
	}
	return false;
}

static bool
make_room(struct w_trial *trial, size_t count)
{
	if (count <= trial->cap)
		return true;
	trial->items =
	    w_arena_alloc(trial->arena, count, sizeof(*trial->items));
	trial->cap = trial->items == NULL ? 0 : count;
	return trial->items != NULL;
}

void
w_trial_done(struct w_trial *trial)
{
	w_meaning_free(trial->prefix);
	trial->prefix = NULL;
	trial->words = 0;
}

bool
w_trial_take(struct w_trial *trial, size_t place)
{
	const struct w_case_command *command = &trial->c->commands[place];

	w_trial_done(trial);
	if (!make_room(trial,
		command->meaning->touch_count + BESIDES + count_more(trial->c)))
		return false;
	trial->place = place;
	trial->command = command;
	trial->count = 0;
	trial->effects = 0;
	trial->is_shell =
	    command->is_shell || has_shell_text(&command->meaning->parse);
	add_touches(trial);
	add_besides(trial);
	add_more(trial);
	return true;
}
