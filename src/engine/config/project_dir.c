/* SPDX-License-Identifier: Apache-2.0 */

/* Which project a directory belongs to: the same for policies and modules. */

#include "engine/config/project_dir.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "os/resolve.h"
#include "run/resolve/identity.h"

#define STAGE "project"

static const char inside[] = "/" W_PROJECT_DIR;

/* Whether a directory has one. path begins with the directory and has room for
 * the name in it; what follows is overwritten. */
static bool
has_project(char *path, size_t len)
{
	struct stat st;

	memcpy(path + len, inside, sizeof(inside));
	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

writ_status
w_project_find(
    const char *cwd, const char *home, char **out_dir, writ_error *err)
{
	const size_t home_len = home == NULL ? 0 : strlen(home);
	size_t len = cwd == NULL ? 0 : strlen(cwd);
	const size_t start = len;

	char path[PATH_MAX + sizeof(inside)];

	*out_dir = NULL;
	if (len > 0)
		memcpy(path, cwd, len < PATH_MAX ? len : PATH_MAX);
	while (len > 0) {
		const bool is_home =
		    len == home_len && strncmp(cwd, home, home_len) == 0;

		if (is_home && len != start)
			return WRIT_OK;
		if (len < PATH_MAX && has_project(path, len)) {
			*out_dir = strndup(cwd, len);
			return *out_dir == NULL ? w_fail_nomem(err, STAGE)
						: WRIT_OK;
		}
		while (len > 0 && cwd[len - 1] != '/')
			len--;
		if (len > 0)
			len--;
	}
	return WRIT_OK;
}

writ_status
w_home_find(char **out_home, writ_error *err)
{
	const char *home = secure_getenv("HOME");
	struct w_account account = {0};

	if (home == NULL || home[0] != '/') {
		writ_status status = w_account_find(geteuid(), &account, err);

		if (status != WRIT_OK)
			return status;
		home = account.home;
	}
	errno = 0;
	*out_home = home == NULL ? NULL : w_resolve_real(home);
	const bool is_short = errno == ENOMEM;
	w_account_done(&account);
	return is_short ? w_fail_nomem(err, STAGE) : WRIT_OK;
}
