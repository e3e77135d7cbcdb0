/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Questions whose yes could not be carried out: the walls would refuse what a
 * person agreed to. They are refused with the reason instead of being put.
 */

#include <stdio.h>
#include <string.h>

#include "engine/decide/decider.h"
#include "os/resolve.h"

static bool
is_listed(const char *path, const char *const *dirs)
{
	for (; dirs != NULL && *dirs != NULL; dirs++) {
		if (w_resolve_is_in(path, *dirs))
			return true;
	}
	return false;
}

/* The sandbox makes neither the home directory nor what is around it
 * writable. */
static const char *
too_wide(const struct w_decider *decider)
{
	const char *const *write = decider->restriction.write;
	const char *home = decider->facts.home;

	for (; home != NULL && write != NULL && *write != NULL; write++) {
		if (w_resolve_is_in(home, *write))
			return *write;
	}
	return NULL;
}

/* A path outside that a word names, and that would not become writable since
 * the command runs code: what that writes is not known beforehand. */
static const char *
out_of_reach(const struct w_policy_command *command,
    const struct w_restriction *restriction)
{
	static const char *const elsewhere[] = {
	    "/tmp", "/var/tmp", "/dev", "/proc", "/sys", "/run", NULL};
	const unsigned writes = W_EFFECT_WRITE | W_EFFECT_DELETE;
	const struct w_analysis *analysis = command->analysis;

	if (command->is_remote || !analysis->is_understood)
		return NULL;
	for (size_t i = 0; i < analysis->touch_count; i++) {
		const struct w_touch *touch = &analysis->touches[i];
		const char *path = command->paths[i].resolved;

		if ((touch->effect & writes) != 0 &&
		    touch->kind == W_TOUCH_PATH && touch->param != NULL &&
		    path != NULL && !is_listed(path, elsewhere) &&
		    !is_listed(path, restriction->write))
			return path;
	}
	return NULL;
}

bool
w_decider_is_void(const struct w_decider *decider, char *text, size_t size)
{
	const struct w_restriction *restriction = &decider->restriction;

	if (!w_walls_can_write(decider->constraints.walls) ||
	    !restriction->has_write || decider->call != NULL)
		return false;
	const char *path = too_wide(decider);
	if (path != NULL) {
		(void)snprintf(text, size,
		    "nobody is asked: a yes could not be carried out, since "
		    "the sandbox never makes '%.200s' writable",
		    path);
		return true;
	}
	for (size_t i = 0; i < decider->facts.count; i++) {
		path = out_of_reach(&decider->facts.commands[i], restriction);
		if (path == NULL)
			continue;
		(void)snprintf(text, size,
		    "nobody is asked: it runs code, so a yes would not make "
		    "'%.200s' writable; ask for the directory (--write, "
		    "\"write\")",
		    path);
		return true;
	}
	return false;
}
