/* SPDX-License-Identifier: Apache-2.0 */

/* Who can change a file. */

#include "os/trust.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "os/resolve.h"

static bool
is_owned_by_another(const struct stat *st)
{
	return st->st_uid != 0 && st->st_uid != geteuid();
}

static bool
is_writable_for_others(const struct stat *st)
{
	return (st->st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

bool
w_trust_is_foreign(const struct stat *st)
{
	return is_owned_by_another(st) || is_writable_for_others(st);
}

bool
w_trust_is_foreign_dir(const struct stat *st)
{
	return is_owned_by_another(st) ||
	       (is_writable_for_others(st) && (st->st_mode & S_ISVTX) == 0);
}

uid_t
w_trust_root_uid(void)
{
	struct stat st;

	return stat("/", &st) < 0 ? 0 : st.st_uid;
}

void
w_trust_name_root(struct stat *st)
{
	if (st->st_uid == w_trust_root_uid())
		st->st_uid = 0;
}

static writ_status
refuse_state(const char *path, const char *dir, writ_error *err)
{
	if (strcmp(path, dir) == 0)
		(void)w_fail(err, WRIT_E_INVALID, "state", 0,
		    "the state directory '%s' can be changed by other users",
		    path);
	else
		(void)w_fail(err, WRIT_E_INVALID, "state", 0,
		    "the state directory '%s' is in '%s', which other users "
		    "can "
		    "change",
		    path, dir);
	w_suggest(err, "give the directory to yourself or root, and: chmod "
		       "go-w; or set WRIT_STATE_DIR to another place");
	return WRIT_E_INVALID;
}

/* Checks each existing directory of the path, from its end up. In a user
 * namespace that does not map root, the owner of "/" is root. */
static writ_status
check_up(const char *path, char dir[PATH_MAX], writ_error *err)
{
	const uid_t root = w_trust_root_uid();
	struct stat st;

	for (;;) {
		const bool is_there = stat(dir, &st) == 0;

		if (!is_there && errno != ENOENT)
			return w_fail(err, WRIT_E_SYSTEM, "state", errno,
			    "cannot look at '%s'", dir);
		if (is_there && st.st_uid == root)
			st.st_uid = 0;
		if (is_there && w_trust_is_foreign_dir(&st))
			return refuse_state(path, dir, err);
		char *slash = strrchr(dir, '/');
		if (slash == NULL || dir[1] == '\0')
			return WRIT_OK;
		slash[slash == dir ? 1 : 0] = '\0';
	}
}

writ_status
w_trust_check_state(const char *path, writ_error *err)
{
	char dir[PATH_MAX];

	/* Settings are absolute paths. */
	if (snprintf(dir, sizeof(dir), "%s", path) >= PATH_MAX)
		return w_fail(err, WRIT_E_INVALID, "state", ENAMETOOLONG,
		    "cannot use the state directory '%s'", path);
	writ_status status = check_up(path, dir, err);
	if (status != WRIT_OK)
		return status;
	W_AUTO_FREE char *real = w_resolve_real(path);
	if (real == NULL || strcmp(real, path) == 0)
		return WRIT_OK;
	(void)snprintf(dir, sizeof(dir), "%s", real);
	return check_up(path, dir, err);
}
