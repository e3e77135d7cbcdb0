/* SPDX-License-Identifier: Apache-2.0 */

/* Where a request may change triggers, as far as its analysis tells. */

#include "engine/decide/decider.h"
#include "trigger/trigger.h"

/* A command that names everything it writes changes a trigger only by its
 * name, by a directory, or where git's settings say. */
static enum w_trigger_reach
reach_of(const struct w_policy_command *command)
{
	const unsigned reads =
	    W_EFFECT_READ | W_EFFECT_EXEC | W_EFFECT_NET | W_EFFECT_PUBLISH;
	const unsigned known = reads | W_EFFECT_WRITE | W_EFFECT_DELETE;
	const struct w_analysis *analysis = command->analysis;
	bool has_target = false;

	if (!analysis->is_understood || command->program.is_own ||
	    (analysis->effects & ~known) != 0)
		return W_TRIGGER_ANYWHERE;
	if ((analysis->effects & ~reads) == 0)
		return W_TRIGGER_NOWHERE;
	for (size_t i = 0; i < analysis->touch_count; i++) {
		const struct w_policy_path *path = &command->paths[i];

		if ((analysis->touches[i].effect & reads) != 0)
			continue;
		has_target = true;
		if (path->resolved == NULL || path->is_directory ||
		    w_trigger_in_path(path->resolved) != NULL)
			return W_TRIGGER_ANYWHERE;
	}
	return has_target ? W_TRIGGER_NAMED : W_TRIGGER_ANYWHERE;
}

enum w_trigger_reach
w_decider_reach(const struct w_policy_facts *facts)
{
	enum w_trigger_reach reach =
	    facts->count == 0 ? W_TRIGGER_ANYWHERE : W_TRIGGER_NOWHERE;

	for (size_t i = 0; i < facts->count; i++) {
		const enum w_trigger_reach one = reach_of(&facts->commands[i]);

		if (one < reach)
			reach = one;
	}
	return reach;
}
