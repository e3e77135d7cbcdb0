/* SPDX-License-Identifier: Apache-2.0 */

/* Creates and removes the private directory of a run. */

#include "run/resolve/scratch.h"

#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "base/auto.h"
#include "os/file.h"

enum {
	REMOVE_TRIES = 3
};

static const char *const parents[] = {"/dev/shm", "/tmp"};

/* Whether /dev/shm is a tmpfs. */
static bool
has_memory(void)
{
	struct statfs fs;

	return statfs(parents[0], &fs) == 0 && fs.f_type == TMPFS_MAGIC;
}

/* NULL with errno; *out_parent is the directory that was tried. */
static char *
make_in(const char *parent, const char **out_parent)
{
	static const char name[] = "/writ-XXXXXX";
	W_AUTO_FREE char *path = malloc(strlen(parent) + sizeof(name));

	*out_parent = parent;
	if (path == NULL)
		return NULL;
	(void)stpcpy(stpcpy(path, parent), name);
	return mkdtemp(path) == NULL ? NULL : w_take_ptr(&path);
}

static char *
make_anywhere(struct w_scratch_place *place, const char **out_parent)
{
	char *path = NULL;

	if (!place->is_known) {
		place->has_memory = has_memory();
		place->is_known = true;
	}
	errno = ENOENT;
	if (place->has_memory)
		path = make_in(parents[0], out_parent);
	/* Falls back when it is inaccessible, but not when it is full. */
	if (path == NULL && (errno == ENOENT || errno == EACCES ||
				errno == EPERM || errno == EROFS))
		path = make_in(parents[1], out_parent);
	return path;
}

writ_status
w_scratch_make(const struct w_identity *identity, struct w_scratch_place *place,
    char **out_path, writ_error *err)
{
	struct w_scratch_place anew = {0};
	const char *parent = NULL;
	W_AUTO_FREE char *path =
	    make_anywhere(place == NULL ? &anew : place, &parent);

	if (path == NULL && errno == ENOMEM)
		return w_fail_nomem(err, "scratch");
	if (path == NULL)
		return w_fail(err, WRIT_E_SYSTEM, "scratch", errno,
		    "cannot make a private directory in '%s'", parent);
	if (identity->is_set && chown(path, identity->uid, identity->gid) < 0) {
		int error = errno;

		(void)rmdir(path);
		return w_fail(err, WRIT_E_SYSTEM, "scratch", error,
		    "cannot hand over the private directory '%s'", path);
	}
	*out_path = w_take_ptr(&path);
	return WRIT_OK;
}

void
w_scratch_remove(char *path)
{
	/* Retried, because a transient lack of memory would leave the directory
	 * for good. */
	for (int i = 0; path != NULL && i < REMOVE_TRIES; i++) {
		/* Usually it is empty. */
		if (rmdir(path) == 0 || errno == ENOENT ||
		    w_file_remove_tree(path))
			break;
	}
	free(path);
}
