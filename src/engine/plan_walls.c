/* SPDX-License-Identifier: Apache-2.0 */

/* What the kernel is to hold of a decision. */

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/plan.h"
#include "exec/request_check.h"
#include "os/resolve.h"

#define STAGE "policy"

/* ---- writing ---- */

static bool
is_understood(const struct w_case *c)
{
	const unsigned open = W_EFFECT_CODE | W_EFFECT_EXEC;

	for (size_t i = 0; i < c->count; i++) {
		const struct w_case_command *command = &c->commands[i];

		if (!command->meaning->is_understood ||
		    (command->meaning->effects & open) != 0 ||
		    command->program.is_own)
			return false;
	}
	return true;
}

static bool
is_writing(const struct w_touch *touch)
{
	return (touch->effect & (W_EFFECT_WRITE | W_EFFECT_DELETE)) != 0 &&
	       (touch->kind == W_TOUCH_PATH || touch->kind == W_TOUCH_UNNAMED);
}

static bool
is_in_any(const char *path, const char *const *dirs)
{
	for (; *dirs != NULL; dirs++) {
		if (w_resolve_is_in(path, *dirs))
			return true;
	}
	return false;
}

/* What runs may write anyway, or this request by its own word. */
static bool
is_inside(const struct w_plan *plan, const char *path)
{
	return is_in_any(path, plan->roots) ||
	       is_in_any(path, plan->asked_write) ||
	       (plan->profile_write != NULL &&
		   is_in_any(path, plan->profile_write));
}

/* A run has these for itself, or the walls leave them as they are. */
static bool
is_private(const char *path)
{
	static const char *const dirs[] = {
	    "/tmp", "/var/tmp", "/dev", "/proc", "/sys", "/run", NULL};

	return is_in_any(path, dirs);
}

/* Cuts a path to the directory above it that exists. */
static void
cut_to_existing(char path[PATH_MAX])
{
	struct stat st;

	do {
		char *slash = strrchr(path, '/');

		slash[slash == path ? 1 : 0] = '\0';
	} while (path[1] != '\0' && stat(path, &st) < 0);
}

/* What is above a root is not to be had by deleting that. */
static bool
is_root(const struct w_plan *plan, const char *path)
{
	const char *const *roots = plan->roots;

	for (; *roots != NULL; roots++) {
		if (strcmp(path, *roots) == 0)
			return true;
	}
	return false;
}

/* What has to be writable so that the path can be written: itself, or for one
 * that comes, goes or is replaced the directory that it is in. */
static void
add_path(const struct w_plan_walls *walls, struct w_plan_list *list,
    const struct w_case_path *path, bool is_replaced)
{
	char place[PATH_MAX];

	if (strlen(path->resolved) >= sizeof(place) ||
	    (!is_inside(list->plan, path->resolved) &&
		(is_private(path->resolved) || !w_plan_is_meant(walls, path))))
		return;
	(void)strcpy(place, path->resolved);
	if ((!path->exists || is_replaced) &&
	    !is_root(list->plan, path->resolved))
		cut_to_existing(place);
	if (strcmp(place, "/") != 0)
		w_plan_list_copy(list, place);
}

/* Who deletes may rename one thing over another. */
static bool
deletes(const struct w_meaning *meaning)
{
	for (size_t i = 0; i < meaning->touch_count; i++) {
		if (meaning->touches[i].effect == W_EFFECT_DELETE)
			return true;
	}
	return false;
}

/* false: there is something that it writes nobody knows where. */
static bool
add_command(const struct w_plan_walls *walls, struct w_plan_list *list,
    const struct w_case_command *command)
{
	const struct w_meaning *meaning = command->meaning;
	const bool renames = deletes(meaning);

	for (size_t i = 0; i < meaning->touch_count && !command->is_remote;
	     i++) {
		const struct w_touch *touch = &meaning->touches[i];
		const struct w_case_path *path = &command->paths[i];

		if (!is_writing(touch))
			continue;
		if (path->resolved == NULL)
			return false;
		add_path(walls, list, path,
		    touch->effect == W_EFFECT_DELETE ||
			(renames && !path->is_directory));
	}
	return true;
}

/* A place within another says nothing, and would stand in the way of renaming
 * if it were mounted by itself. */
static void
drop_covered(struct w_plan_list *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		bool is_covered = false;

		for (size_t j = 0; j < list->count && !is_covered; j++)
			is_covered =
			    i != j && list->items[j] != NULL &&
			    list->items[i] != NULL &&
			    w_resolve_is_in(list->items[i], list->items[j]);
		if (is_covered)
			list->items[i] = NULL;
	}
	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i] != NULL)
			list->items[kept++] = list->items[i];
	}
	list->count = kept;
}

/* What was asked for by name was judged by name, with the command. */
static writ_status
find_asked(const struct w_plan_walls *walls, writ_error *err)
{
	const struct w_case_command *first = &walls->c->commands[0];
	struct w_plan_list list = {.plan = walls->plan};

	for (size_t i = 0; i < first->meaning->touch_count; i++) {
		const char *target = first->meaning->touches[i].target;
		const char *const *asked = walls->request->write;

		for (; asked != NULL && *asked != NULL; asked++) {
			if (*asked == target &&
			    first->paths[i].resolved != NULL)
				w_plan_list_add(
				    &list, first->paths[i].resolved);
		}
	}
	walls->plan->asked_write = w_plan_list_end(&list);
	return walls->plan->asked_write == NULL ? w_fail_nomem(err, STAGE)
						: WRIT_OK;
}

static writ_status
narrow_write(const struct w_plan_walls *walls, writ_error *err)
{
	struct w_plan_list list = {.plan = walls->plan};
	bool is_known = is_understood(walls->c);
	writ_status status = find_asked(walls, err);

	if (status != WRIT_OK)
		return status;
	for (size_t i = 0; i < walls->c->count && is_known; i++)
		is_known = add_command(walls, &list, &walls->c->commands[i]);
	if (!is_known) {
		list = (struct w_plan_list){.plan = walls->plan};
		w_plan_list_add_all(&list, walls->plan->roots);
		w_plan_list_add_all(&list, walls->plan->profile_write);
	}
	w_plan_list_add_all(&list, walls->plan->asked_write);
	drop_covered(&list);
	walls->narrow->has_write = true;
	walls->narrow->write = w_plan_list_end(&list);
	return walls->narrow->write == NULL ? w_fail_nomem(err, STAGE)
					    : WRIT_OK;
}

/* ---- programs ---- */

static writ_status
narrow_execute(const struct w_plan_walls *walls, writ_error *err)
{
	const char *const *files = NULL;
	writ_status status = w_plan_fence(walls, &files, err);

	if (status != WRIT_OK || files == NULL)
		return status;
	walls->narrow->has_execute = true;
	walls->narrow->execute = files;
	return w_plan_helpers(walls, &walls->narrow->helpers, err);
}

static writ_status
hide_denied(const struct w_plan_walls *walls, writ_error *err)
{
	struct w_plan_list list = {.plan = walls->plan};
	const char *const *files = NULL;
	writ_status status = w_plan_denied(walls, &files, err);

	if (status != WRIT_OK || files[0] == NULL)
		return status;
	w_plan_list_add_all(&list, walls->request->hide);
	for (; *files != NULL && list.count < W_REQUEST_PATHS_MAX; files++)
		w_plan_list_add(&list, *files);
	walls->request->hide = w_plan_list_end(&list);
	return walls->request->hide == NULL ? w_fail_nomem(err, STAGE)
					    : WRIT_OK;
}

writ_status
w_plan_confine(const struct w_plan_walls *walls, writ_error *err)
{
	static const writ_network networks[] = {
	    [W_NETWORK_OFF] = WRIT_NETWORK_OFF,
	    [W_NETWORK_LOOPBACK] = WRIT_NETWORK_LOOPBACK,
	    [W_NETWORK_HOST] = WRIT_NETWORK_HOST,
	};
	const struct w_plan *plan = walls->plan;
	writ_status status = WRIT_OK;

	walls->request->sandbox = plan->profile;
	if (plan->walls <= W_WALLS_ENV)
		return WRIT_OK;
	walls->request->network = networks[walls->c->network];
	if (plan->walls >= W_WALLS_WORKSPACE)
		status = narrow_write(walls, err);
	if (status == WRIT_OK)
		status = narrow_execute(walls, err);
	if (status == WRIT_OK)
		status = hide_denied(walls, err);
	return status;
}
