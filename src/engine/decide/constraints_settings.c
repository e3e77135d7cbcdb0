/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Commands of git that set something harmless in .git/config, such as the
 * upstream of a new branch. Their descriptions say that they write
 * .git/config.lock, as git does; those that set anything else write
 * .git/config, which the walls protect. The former get a copy to change, see
 * run/resolve/settings_copy.h.
 */

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/decide/constraints.h"

static const char lock[] = "/.git/config.lock";
static const char whole[] = "/.git/config";

static bool
ends_with(const char *path, const char *end)
{
	const size_t len = strlen(path);
	const size_t end_len = strlen(end);

	return len > end_len && strcmp(path + len - end_len, end) == 0;
}

/* Whether a command is understood to set more than that. It must meet the wall
 * then, instead of being told later that nothing came of it. */
static bool
writes_whole(const struct w_policy_facts *facts)
{
	for (size_t i = 0; i < facts->count; i++) {
		const struct w_policy_command *command = &facts->commands[i];

		for (size_t k = 0; k < command->analysis->touch_count; k++) {
			if (command->analysis->touches[k].effect ==
				W_EFFECT_WRITE &&
			    command->paths[k].resolved != NULL &&
			    ends_with(command->paths[k].resolved, whole))
				return true;
		}
	}
	return false;
}

/* Cuts the path of a lock to the directory in which git was to work. */
static bool
cut_lock(const char *path, char out_dir[PATH_MAX])
{
	const size_t len = strlen(path);
	const size_t end = sizeof(lock) - 1;

	if (len >= PATH_MAX || !ends_with(path, lock))
		return false;
	memcpy(out_dir, path, len - end);
	out_dir[len - end] = '\0';
	return true;
}

/* Finds the top of the repository as git does, inside the roots. */
static bool
find_top(const struct w_constraints *constraints, char dir[PATH_MAX])
{
	char git[PATH_MAX + sizeof("/.git")];
	struct stat found;

	while (w_constraints_is_in_roots(constraints, dir)) {
		(void)snprintf(git, sizeof(git), "%s/.git", dir);
		if (lstat(git, &found) == 0)
			return S_ISDIR(found.st_mode);
		char *slash = strrchr(dir, '/');
		if (slash == NULL || slash == dir)
			return false;
		*slash = '\0';
	}
	return false;
}

/* The top becomes writable as a whole: protection applies at the top of what is
 * writable, so .git by itself would be without. */
static const char *
settings_of(struct w_constraints_list *list, const char *top)
{
	char config[PATH_MAX + sizeof("/.git/config")];

	w_constraints_list_copy(list, top);
	const int len = snprintf(config, sizeof(config), "%s/.git/config", top);
	return w_arena_text(&list->constraints->arena, config, (size_t)len);
}

void
w_constraints_settings(
    const struct w_constraints_walls *walls, struct w_constraints_list *list)
{
	const struct w_policy_facts *facts = walls->facts;
	char dir[PATH_MAX];

	if (writes_whole(facts))
		return;
	for (size_t i = 0; i < facts->count; i++) {
		const struct w_policy_command *command = &facts->commands[i];

		for (size_t k = 0; k < command->analysis->touch_count; k++) {
			const char *path = command->paths[k].resolved;

			if (command->analysis->touches[k].effect !=
				W_EFFECT_WRITE ||
			    path == NULL || !cut_lock(path, dir) ||
			    !find_top(walls->constraints, dir))
				continue;
			walls->restriction->settings = settings_of(list, dir);
			return;
		}
	}
}
