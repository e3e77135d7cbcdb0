/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Session directories: PARENT/ID, mode 0700. An id has the format of a run id,
 * so they sort by time.
 */

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>

#include "base/auto.h"
#include "base/encode.h"
#include "manifest/session/session_state.h"

#define TRIES 8

static void
new_id(char out_id[W_ID_LEN + 1])
{
	uint8_t random[10] = {0};
	struct timespec now;

	/* Without random bytes mkdir() still ensures that it is new. */
	(void)!getrandom(random, sizeof(random), GRND_NONBLOCK);
	(void)clock_gettime(CLOCK_REALTIME, &now);
	w_id_format(
	    (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000,
	    random, out_id);
}

int
w_manifest_session_make_dirs(const char *path)
{
	W_AUTO_FREE char *above = strdup(path);

	if (above == NULL)
		return ENOMEM;
	if (above[0] == '\0')
		return ENOENT;
	for (char *at = above + 1; *at != '\0'; at++) {
		if (*at != '/')
			continue;
		*at = '\0';
		int rc = mkdir(above, 0700);
		*at = '/';
		if (rc < 0 && errno != EEXIST)
			return errno;
	}
	return mkdir(above, 0700) == 0 || errno == EEXIST ? 0 : errno;
}

static char *
join(const char *parent, const char *name)
{
	struct w_buf path;

	w_buf_init(&path, PATH_MAX - 1);
	w_buf_add_str(&path, parent);
	w_buf_add_char(&path, '/');
	w_buf_add_str(&path, name);
	return w_buf_take(&path, NULL);
}

static writ_status
fail_path(const char *parent, writ_error *err)
{
	if (strlen(parent) > PATH_MAX - W_ID_LEN - 2)
		return w_fail(err, WRIT_E_INVALID, W_MANIFEST_SESSION_STAGE,
		    ENAMETOOLONG, "no session can be made in '%s'", parent);
	return w_fail_nomem(err, W_MANIFEST_SESSION_STAGE);
}

writ_status
w_manifest_session_make(const char *parent, char **out_dir, writ_error *err)
{
	const int made = w_manifest_session_make_dirs(parent);
	int error = EEXIST;

	if (made == ENOMEM)
		return w_fail_nomem(err, W_MANIFEST_SESSION_STAGE);
	if (made != 0)
		return w_fail(err, WRIT_E_SYSTEM, W_MANIFEST_SESSION_STAGE,
		    made, "cannot make '%s'", parent);
	for (int i = 0; i < TRIES && error == EEXIST; i++) {
		char id[W_ID_LEN + 1];

		new_id(id);
		W_AUTO_FREE char *dir = join(parent, id);
		if (dir == NULL)
			return fail_path(parent, err);
		error = mkdir(dir, 0700) == 0 ? 0 : errno;
		if (error == 0) {
			*out_dir = w_take_ptr(&dir);
			return WRIT_OK;
		}
	}
	return w_fail(err, WRIT_E_SYSTEM, W_MANIFEST_SESSION_STAGE, error,
	    "cannot make a session in '%s'", parent);
}

/* Letters, digits, '-', '_', and '.' except at the start: so it is no path, no
 * ".." and no option. */
static bool
session_dir_is_id(const char *text)
{
	if (!isalnum((unsigned char)text[0]))
		return false;
	for (const char *at = text; *at != '\0'; at++)
		if (!isalnum((unsigned char)*at) && strchr("-_.", *at) == NULL)
			return false;
	return strlen(text) <= NAME_MAX;
}

writ_status
w_manifest_session_find(
    const char *parent, const char *given, char **out_dir, writ_error *err)
{
	char *dir = NULL;

	if (strchr(given, '/') != NULL) {
		dir = strdup(given);
	} else if (session_dir_is_id(given)) {
		dir = join(parent, given);
	} else {
		(void)w_fail(err, WRIT_E_INVALID, W_MANIFEST_SESSION_STAGE, 0,
		    "'%s' is not the id of a session", given);
		w_suggest(err, "write a directory with a slash: './NAME'");
		return WRIT_E_INVALID;
	}
	if (dir == NULL)
		return fail_path(parent, err);
	*out_dir = dir;
	return WRIT_OK;
}
