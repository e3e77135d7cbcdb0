/* SPDX-License-Identifier: Apache-2.0 */

/* Creates files and directories that get their name when they are complete. */

#include "os/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "base/auto.h"

static int
make_temp_name(struct w_stage *stage)
{
	uint64_t random;

	if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return errno == 0 ? EAGAIN : errno;
	(void)snprintf(stage->temp, sizeof(stage->temp),
	    ".writ-%016" PRIx64 ".tmp", random);
	return 0;
}

int
w_stage_file(struct w_stage *stage, int dir_fd, bool is_nameless)
{
	*stage = (struct w_stage){.dir_fd = dir_fd, .fd = -1};
	int error = make_temp_name(stage);

	if (error != 0)
		return error;
	/* File systems without O_TMPFILE fail with different errnos. */
	if (is_nameless)
		stage->fd =
		    openat(dir_fd, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (stage->fd >= 0)
		return 0;
	stage->fd = openat(dir_fd, stage->temp,
	    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	stage->has_temp = stage->fd >= 0;
	return stage->fd < 0 ? errno : 0;
}

int
w_stage_dir(struct w_stage *stage, int dir_fd)
{
	*stage = (struct w_stage){.dir_fd = dir_fd, .fd = -1, .is_dir = true};
	int error = make_temp_name(stage);

	if (error != 0)
		return error;
	if (mkdirat(dir_fd, stage->temp, 0700) < 0)
		return errno;
	stage->has_temp = true;
	stage->fd = openat(dir_fd, stage->temp,
	    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (stage->fd >= 0)
		return 0;
	error = errno;
	w_stage_drop(stage);
	return error;
}

int
w_stage_chown(struct w_stage *stage, uid_t uid, gid_t gid, mode_t mode)
{
	/* fchown() clears set-id bits, so the mode comes last. */
	if ((uid != (uid_t)-1 || gid != (gid_t)-1) &&
	    fchown(stage->fd, uid, gid) < 0)
		return errno;
	return fchmod(stage->fd, mode) < 0 ? errno : 0;
}

static int
link_nameless(struct w_stage *stage, const char *name)
{
	char path[32];

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", stage->fd);
	return linkat(AT_FDCWD, path, stage->dir_fd, name, AT_SYMLINK_FOLLOW) <
		       0
		   ? errno
		   : 0;
}

static int
give_name(struct w_stage *stage, const char *name, bool may_replace)
{
	const unsigned flags = may_replace ? 0 : RENAME_NOREPLACE;

	if (!stage->has_temp && !may_replace)
		return link_nameless(stage, name);
	if (!stage->has_temp) {
		int error = link_nameless(stage, stage->temp);

		if (error != 0)
			return error;
		stage->has_temp = true;
	}
	if (renameat2(stage->dir_fd, stage->temp, stage->dir_fd, name, flags) ==
	    0)
		return 0;
	if (may_replace || (errno != EINVAL && errno != ENOSYS))
		return errno;
	/* Not every file system has RENAME_NOREPLACE; a link does the same. */
	if (!stage->is_dir) {
		if (linkat(stage->dir_fd, stage->temp, stage->dir_fd, name, 0) <
		    0)
			return errno;
		(void)unlinkat(stage->dir_fd, stage->temp, 0);
		return 0;
	}
	/* This can replace nothing but an empty directory. */
	return renameat(stage->dir_fd, stage->temp, stage->dir_fd, name) < 0
		   ? errno
		   : 0;
}

/* A directory without read permission cannot be opened to be synced, and some
 * file systems have nothing to sync. */
static int
sync_dir(int dir_fd)
{
	W_AUTO_FD int fd =
	    openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return errno == EACCES ? 0 : errno;
	return fsync(fd) == 0 || errno == EINVAL ? 0 : errno;
}

int
w_stage_publish(struct w_stage *stage, const char *name,
    const struct w_stage_end *how, bool *out_is_named)
{
	*out_is_named = false;
	if (how->is_lasting && fsync(stage->fd) < 0 &&
	    !(stage->is_dir && errno == EINVAL))
		return errno;
	int error = give_name(stage, name, how->may_replace);
	if (error != 0)
		return error;
	stage->has_temp = false;
	*out_is_named = true;
	return how->is_lasting ? sync_dir(stage->dir_fd) : 0;
}

void
w_stage_drop(struct w_stage *stage)
{
	const int saved = errno;

	if (stage->has_temp)
		(void)unlinkat(stage->dir_fd, stage->temp,
		    stage->is_dir ? AT_REMOVEDIR : 0);
	stage->has_temp = false;
	w_close(&stage->fd);
	errno = saved;
}
