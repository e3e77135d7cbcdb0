/* SPDX-License-Identifier: Apache-2.0 */

/* Temporary directories on disk, below the state directory. */

#include "run/launch/disk_tmp.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/auto.h"
#include "base/buf.h"
#include "os/file.h"
#include "run/launch/locked_dir.h"

#define STAGE "tmp"

enum {
	PATH_LEN_MAX = 4096,
	TRIES = 8
};

static const uint64_t size_default_max = UINT64_C(32) << 30;
/* The machine needs some room, too. */
static const uint64_t free_min = UINT64_C(256) << 20;

static bool
disk_tmp_path(struct w_buf *path, const char *state_dir)
{
	w_buf_init(path, PATH_LEN_MAX);
	w_buf_add_fmt(path, "%s/tmp", state_dir);
	return !path->failed;
}

static void
remove_left(void *ctx, int parent_fd, const char *name)
{
	(void)ctx;
	(void)w_file_remove_tree_at(parent_fd, name);
}

void
w_disk_tmp_clean(const char *state_dir)
{
	W_AUTO_BUF struct w_buf path;

	if (disk_tmp_path(&path, state_dir))
		w_locked_dir_each(path.data, remove_left, NULL);
}

static uint64_t
free_bytes(int fd)
{
	struct statvfs now;

	return fstatvfs(fd, &now) < 0
		   ? 0
		   : (uint64_t)now.f_bavail * (uint64_t)now.f_frsize;
}

writ_status
w_disk_tmp_make(const char *state_dir, uint64_t size,
    struct w_disk_tmp **out_disk, writ_error *err)
{
	W_AUTO_BUF struct w_buf path;
	struct w_locked_dir dir = W_LOCKED_DIR_NONE;

	if (state_dir == NULL)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "there is no state directory for a /tmp on disk");
	if (!disk_tmp_path(&path, state_dir))
		return w_fail_nomem(err, STAGE);
	writ_status status = w_file_make_dirs(path.data, 0700, err);
	if (status != WRIT_OK)
		return status;
	w_disk_tmp_clean(state_dir);
	struct w_disk_tmp *disk = calloc(1, sizeof(*disk));
	if (disk == NULL)
		return w_fail_nomem(err, STAGE);
	const int error = w_locked_dir_make(path.data, &dir);
	disk->path = dir.path;
	disk->dir_fd = dir.fd;
	const uint64_t room = error == 0 ? free_bytes(disk->dir_fd) : 0;
	if (error != 0)
		status = w_fail(err, WRIT_E_SYSTEM, STAGE, error,
		    "cannot make a directory for /tmp in '%s'", path.data);
	else if (room < free_min)
		status = w_fail(err, WRIT_E_SYSTEM, STAGE, 0,
		    "the disk of '%s' has less than 256 MiB left for a /tmp",
		    path.data);
	if (status != WRIT_OK) {
		w_disk_tmp_free(disk);
		return status;
	}
	disk->bytes_max = size != 0                     ? size
			  : room / 2 < size_default_max ? room / 2
							: size_default_max;
	w_fd_lift(&disk->dir_fd);
	*out_disk = disk;
	return WRIT_OK;
}

int
w_disk_tmp_join(
    const char *path, int dir_fd, uint64_t size, struct w_disk_tmp **out_disk)
{
	struct w_disk_tmp *disk = calloc(1, sizeof(*disk));
	struct stat st;

	if (disk != NULL)
		disk->path = strdup(path);
	if (disk == NULL || disk->path == NULL) {
		free(disk);
		return ENOMEM;
	}
	if (fstat(dir_fd, &st) != 0 || !S_ISDIR(st.st_mode)) {
		free(disk->path);
		free(disk);
		return EINVAL;
	}
	disk->dir_fd = dir_fd;
	disk->bytes_max = size;
	disk->is_lent = true;
	w_fd_lift(&disk->dir_fd);
	*out_disk = disk;
	return 0;
}

void
w_disk_tmp_free(struct w_disk_tmp *disk)
{
	if (disk == NULL)
		return;
	w_disk_walk_done(&disk->walk);
	/* Retried, because a lack of memory may pass. What is left is removed
	 * by the next engine. */
	for (int i = 0; disk->path != NULL && !disk->is_lent && i < TRIES;
	     i++) {
		if (w_file_remove_tree(disk->path))
			break;
	}
	w_close(&disk->dir_fd);
	free(disk->path);
	free(disk);
}

bool
w_disk_tmp_is_over(struct w_disk_tmp *disk, uint64_t limit, uint64_t before)
{
	w_disk_walk_on(&disk->walk, disk->dir_fd);
	const uint64_t bytes = w_disk_walk_bytes(&disk->walk);
	return bytes > before &&
	       (bytes > limit || free_bytes(disk->dir_fd) < free_min);
}
