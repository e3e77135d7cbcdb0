/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Default directories: by the XDG rules, beneath the home directory, or
 * system-wide. Nothing is created or inspected.
 */

#include "engine/config/config_place.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PASSWD_ROOM 16384 /* one entry of the user database */

const char *
w_config_variable(const char *name)
{
	const char *value = secure_getenv(name);

	return value == NULL || value[0] == '\0' ? NULL : value;
}

/* Variables of other programs: a relative path must be ignored. */
static const char *
absolute_variable(const char *name)
{
	const char *value = w_config_variable(name);

	return value == NULL || value[0] != '/' ? NULL : value;
}

char *
w_config_join(const char *dir, const char *name)
{
	size_t len = strlen(dir);
	char *path;

	while (len > 0 && dir[len - 1] == '/')
		len--;
	if (asprintf(&path, "%.*s/%s", (int)len, dir, name) < 0)
		return NULL;
	return path;
}

static writ_status
hand_out(char *made, char **out_path, writ_error *err)
{
	if (made == NULL)
		return w_fail_nomem(err, "config");
	*out_path = made;
	return WRIT_OK;
}

static writ_status
fail_homeless(
    const struct w_config_place *place, int sys_errno, writ_error *err)
{
	(void)w_fail(err, sys_errno == 0 ? WRIT_E_INVALID : WRIT_E_SYSTEM,
	    "config", sys_errno,
	    "cannot place %s: user %lu has no home directory", place->key,
	    (unsigned long)geteuid());
	w_suggest(err, "set %s or HOME", place->env);
	return sys_errno == 0 ? WRIT_E_INVALID : WRIT_E_SYSTEM;
}

/* The home directory of the user database, if HOME is not set. */
static writ_status
join_passwd_home(const struct w_config_place *place, char *room,
    char **out_path, writ_error *err)
{
	struct passwd entry;
	struct passwd *found = NULL;
	int failed = getpwuid_r(geteuid(), &entry, room, PASSWD_ROOM, &found);

	/* Some databases report a missing user by ENOENT or ESRCH. */
	if (failed != 0 && failed != ENOENT && failed != ESRCH)
		return fail_homeless(place, failed, err);
	if (found == NULL || found->pw_dir == NULL || found->pw_dir[0] != '/')
		return fail_homeless(place, 0, err);
	return hand_out(
	    w_config_join(found->pw_dir, place->home), out_path, err);
}

static writ_status
find_home(const struct w_config_place *place, char **out_path, writ_error *err)
{
	const char *home = absolute_variable("HOME");

	if (home != NULL)
		return hand_out(
		    w_config_join(home, place->home), out_path, err);
	char *room = malloc(PASSWD_ROOM);
	if (room == NULL)
		return w_fail_nomem(err, "config");
	writ_status status = join_passwd_home(place, room, out_path, err);
	free(room);
	return status;
}

writ_status
w_config_place_default(
    const struct w_config_place *place, char **out_path, writ_error *err)
{
	const char *xdg =
	    place->xdg == NULL ? NULL : absolute_variable(place->xdg);

	if (place->system != NULL && (!place->root_only || geteuid() == 0))
		return hand_out(strdup(place->system), out_path, err);
	if (xdg != NULL)
		return hand_out(w_config_join(xdg, "writ"), out_path, err);
	return find_home(place, out_path, err);
}
