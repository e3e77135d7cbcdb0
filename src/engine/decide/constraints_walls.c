/* SPDX-License-Identifier: Apache-2.0 */

/* Turns a decision into restrictions that the kernel enforces. */

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/decide/constraints.h"
#include "os/resolve.h"
#include "run/home/home_paths.h"
#include "run/resolve/request_check.h"
#include "run/run_session.h"

#define STAGE "policy"

/* ---- writing ---- */

static bool
is_understood(const struct w_policy_facts *facts)
{
	const unsigned open = W_EFFECT_CODE | W_EFFECT_EXEC;

	for (size_t i = 0; i < facts->count; i++) {
		const struct w_policy_command *command = &facts->commands[i];

		if (!command->analysis->is_understood ||
		    (command->analysis->effects & open) != 0 ||
		    command->program.is_own)
			return false;
	}
	return true;
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

/* What any run may write, or this request because it asked. */
static bool
constraints_walls_is_inside(
    const struct w_constraints *constraints, const char *path)
{
	return is_in_any(path, constraints->roots) ||
	       is_in_any(path, constraints->asked_write) ||
	       (constraints->profile_write != NULL &&
		   is_in_any(path, constraints->profile_write));
}

/* Private to each run, or left alone by the sandbox. */
static bool
constraints_walls_is_private(const char *path)
{
	static const char *const dirs[] = {
	    "/tmp", "/var/tmp", "/dev", "/proc", "/sys", "/run", NULL};

	return is_in_any(path, dirs);
}

/* Cuts a path to the nearest existing directory above it. */
static void
cut_to_existing(char path[PATH_MAX])
{
	struct stat st;

	do {
		char *slash = strrchr(path, '/');

		slash[slash == path ? 1 : 0] = '\0';
	} while (path[1] != '\0' && stat(path, &st) < 0);
}

/* Deleting a root must not make its parent writable. */
static bool
is_root(const struct w_constraints *constraints, const char *path)
{
	const char *const *roots = constraints->roots;

	for (; *roots != NULL; roots++) {
		if (strcmp(path, *roots) == 0)
			return true;
	}
	return false;
}

/* Whether a path is in the session's layer over HOME, where it can be written
 * without reaching the person's file. A rule that names the place means the
 * person's. */
static bool
is_layered(const struct w_constraints_walls *walls,
    const struct w_policy_command *command, const struct w_policy_path *path)
{
	const struct writ_session *session = walls->request->in_session;
	struct w_constraints_walls by_rule = *walls;

	by_rule.is_agreed = false;
	return session != NULL &&
	       walls->constraints->walls == W_WALLS_WORKSPACE &&
	       walls->request->env_mode != WRIT_ENV_ISOLATED &&
	       w_dotdirs_is_writable(session->walls, path->resolved) &&
	       !w_constraints_may_write(&by_rule, command, path);
}

/* Adds what must be writable so that the path can be written: the path
 * itself, or its directory if the path is created, deleted or replaced. No
 * description says which programs replace what they write (ln -f, install,
 * rsync), so a file in the roots is taken as replaced. */
static void
constraints_walls_add_path(const struct w_constraints_walls *walls,
    struct w_constraints_list *list, const struct w_policy_command *command,
    const struct w_policy_path *path, bool is_replaced)
{
	char place[PATH_MAX];

	if (!constraints_walls_is_inside(list->constraints, path->resolved) &&
	    is_layered(walls, command, path)) {
		walls->restriction->writes_home = true;
		return;
	}
	if (strlen(path->resolved) >= sizeof(place) ||
	    (!constraints_walls_is_inside(list->constraints, path->resolved) &&
		(constraints_walls_is_private(path->resolved) ||
		    !w_constraints_may_write(walls, command, path))))
		return;
	(void)strcpy(place, path->resolved);
	if (!path->is_directory && is_in_any(place, list->constraints->roots))
		is_replaced = true;
	if ((!path->exists || is_replaced) &&
	    !is_root(list->constraints, path->resolved))
		cut_to_existing(place);
	if (strcmp(place, "/") != 0)
		w_constraints_list_copy(list, place);
}

/* A link in the roots may be replaced, or the file it leads to written. */
static void
add_link(struct w_constraints_list *list, const struct w_policy_path *path)
{
	struct w_resolved_path entry;

	if (strcmp(path->spelled, path->resolved) == 0)
		return;
	w_resolve(AT_FDCWD, path->spelled, true, &entry);
	if (entry.path[0] == '\0' || is_root(list->constraints, entry.path) ||
	    !is_in_any(entry.path, list->constraints->roots))
		return;
	cut_to_existing(entry.path);
	w_constraints_list_copy(list, entry.path);
}

/* false: the command writes to an unknown place. */
static bool
constraints_walls_add_command(const struct w_constraints_walls *walls,
    struct w_constraints_list *list, const struct w_policy_command *command)
{
	const struct w_analysis *analysis = command->analysis;
	const unsigned writes = W_EFFECT_WRITE | W_EFFECT_DELETE;
	bool renames = false;

	/* A command that deletes may rename one file over another. */
	for (size_t i = 0; i < analysis->touch_count; i++)
		renames |= analysis->touches[i].effect == W_EFFECT_DELETE;

	for (size_t i = 0; i < analysis->touch_count && !command->is_remote;
	     i++) {
		const struct w_touch *touch = &analysis->touches[i];
		const struct w_policy_path *path = &command->paths[i];

		if ((touch->effect & writes) == 0 ||
		    (touch->kind != W_TOUCH_PATH &&
			touch->kind != W_TOUCH_UNNAMED))
			continue;
		if (path->resolved == NULL)
			return false;
		add_link(list, path);
		constraints_walls_add_path(walls, list, command, path,
		    touch->effect == W_EFFECT_DELETE ||
			(renames && !path->is_directory));
	}
	return true;
}

/* Drops places inside others: they add nothing, and a mount of their own
 * would prevent renames. */
static void
drop_covered(struct w_constraints_list *list)
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

/* Paths that the request names were judged as touches of the command. */
static writ_status
find_asked(const struct w_constraints_walls *walls, writ_error *err)
{
	const struct w_policy_command *first = &walls->facts->commands[0];
	struct w_constraints_list list = {.constraints = walls->constraints};

	for (size_t i = 0; i < first->analysis->touch_count; i++) {
		const char *target = first->analysis->touches[i].target;
		const char *const *asked = walls->request->write;

		for (; asked != NULL && *asked != NULL; asked++) {
			if (*asked == target &&
			    first->paths[i].resolved != NULL)
				w_constraints_list_add(
				    &list, first->paths[i].resolved);
		}
	}
	walls->constraints->asked_write = w_constraints_list_end(&list);
	return walls->constraints->asked_write == NULL
		   ? w_fail_nomem(err, STAGE)
		   : WRIT_OK;
}

/* What a command that runs code writes by its description, once a person has
 * agreed to it: a cache of a package manager, for example. Only directories
 * that are there: for a new one its parent would have to be writable. */
static void
add_agreed(const struct w_constraints_walls *walls,
    struct w_constraints_list *list, const struct w_policy_command *command)
{
	const struct w_analysis *analysis = command->analysis;

	for (size_t i = 0; i < analysis->touch_count && !command->is_remote;
	     i++) {
		const struct w_policy_path *path = &command->paths[i];

		if (analysis->touches[i].effect == W_EFFECT_WRITE &&
		    path->resolved != NULL && path->exists &&
		    path->is_directory)
			constraints_walls_add_path(
			    walls, list, command, path, false);
	}
}

static writ_status
restrict_write(const struct w_constraints_walls *walls, writ_error *err)
{
	struct w_constraints_list list = {.constraints = walls->constraints};
	bool is_known = is_understood(walls->facts);
	writ_status status = find_asked(walls, err);

	if (status != WRIT_OK)
		return status;
	walls->restriction->roots = walls->constraints->roots;
	if (walls->constraints->is_readonly) {
		walls->restriction->has_write = true;
		walls->restriction->write = w_constraints_list_end(&list);
		return walls->restriction->write == NULL
			   ? w_fail_nomem(err, STAGE)
			   : WRIT_OK;
	}
	for (size_t i = 0; i < walls->facts->count && is_known; i++)
		is_known = constraints_walls_add_command(
		    walls, &list, &walls->facts->commands[i]);
	if (!is_known) {
		walls->restriction->writes_home = true;
		list = (struct w_constraints_list){
		    .constraints = walls->constraints};
		w_constraints_list_add_all(&list, walls->constraints->roots);
		w_constraints_list_add_all(
		    &list, walls->constraints->profile_write);
		for (size_t i = 0; i < walls->facts->count && walls->is_agreed;
		     i++)
			add_agreed(walls, &list, &walls->facts->commands[i]);
	}
	w_constraints_settings(walls, &list);
	w_constraints_list_add_all(&list, walls->constraints->asked_write);
	drop_covered(&list);
	walls->restriction->has_write = true;
	walls->restriction->write = w_constraints_list_end(&list);
	return walls->restriction->write == NULL ? w_fail_nomem(err, STAGE)
						 : WRIT_OK;
}

/* ---- programs ---- */

static writ_status
restrict_execute(const struct w_constraints_walls *walls, writ_error *err)
{
	const char *const *files = NULL;
	writ_status status = w_constraints_allowlist(walls, &files, err);

	if (status != WRIT_OK || files == NULL)
		return status;
	walls->restriction->has_execute = true;
	walls->restriction->execute = files;
	return w_constraints_helper_programs(
	    walls, &walls->restriction->helpers, err);
}

static writ_status
hide_denied(const struct w_constraints_walls *walls, writ_error *err)
{
	struct w_constraints_list list = {.constraints = walls->constraints};
	const char *const *files = NULL;
	writ_status status = w_constraints_denied_programs(walls, &files, err);

	if (status != WRIT_OK || files[0] == NULL)
		return status;
	w_constraints_list_add_all(&list, walls->request->hide);
	for (; *files != NULL && list.count < W_REQUEST_PATHS_MAX; files++)
		w_constraints_list_add(&list, *files);
	walls->request->hide = w_constraints_list_end(&list);
	return walls->request->hide == NULL ? w_fail_nomem(err, STAGE)
					    : WRIT_OK;
}

writ_status
w_constraints_restrict(const struct w_constraints_walls *walls, writ_error *err)
{
	static const writ_network networks[] = {
	    [W_NETWORK_OFF] = WRIT_NETWORK_OFF,
	    [W_NETWORK_LOOPBACK] = WRIT_NETWORK_LOOPBACK,
	    [W_NETWORK_HOSTS] = WRIT_NETWORK_HOSTS,
	    [W_NETWORK_HOST] = WRIT_NETWORK_HOST,
	};
	const struct w_constraints *constraints = walls->constraints;
	writ_status status = WRIT_OK;

	walls->request->sandbox = constraints->profile;
	if (constraints->walls <= W_WALLS_ENV)
		return WRIT_OK;
	walls->request->network = networks[walls->facts->network];
	if (walls->facts->network != W_POLICY_NETWORK_HOSTS)
		walls->request->hosts = NULL;
	else
		status = w_constraints_hosts(walls->constraints, walls->facts,
		    walls->request, &walls->request->hosts, err);
	if (status != WRIT_OK)
		return status;
	if (w_walls_can_write(constraints->walls))
		status = restrict_write(walls, err);
	if (status == WRIT_OK)
		status = restrict_execute(walls, err);
	if (status == WRIT_OK)
		status = hide_denied(walls, err);
	if (status == WRIT_OK)
		status = w_constraints_hide_home(walls, err);
	return status;
}
