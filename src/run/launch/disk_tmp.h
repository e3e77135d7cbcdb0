/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_DISK_TMP_H
#define W_RUN_DISK_TMP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "run/limits/disk_walk.h"

/*
 * A directory of the state directory in which the temporary directories of a
 * session or of one run lie, where they are to be on disk (tmp: disk). No run
 * sees the state directory.
 *
 * The directory is locked while its engine lives. What an engine that was
 * killed has left is unlocked, and the next one that makes such a directory
 * or opens a session removes it.
 */
struct w_disk_tmp {
	char *path;
	int dir_fd;
	uint64_t bytes_max;
	bool is_lent; /* another process keeps it: not removed with this */
	struct w_disk_walk walk;
};

/* size: the most that it may hold; 0: half of what is free there, at most
 * 32 GiB. Also removes what others have left. */
writ_status w_disk_tmp_make(const char *state_dir, uint64_t size,
    struct w_disk_tmp **out_disk, writ_error *err);

/* One of another process. dir_fd is yours on success. 0, or an errno. */
int w_disk_tmp_join(
    const char *path, int dir_fd, uint64_t size, struct w_disk_tmp **out_disk);

/* Removes it with everything in it, unless it is lent. NULL is allowed. */
void w_disk_tmp_free(struct w_disk_tmp *disk);

/* Removes what engines that are gone have left there. */
void w_disk_tmp_clean(const char *state_dir);

/*
 * Looks further at what it holds. Whether that is more than limit and also more
 * than before, which is what it held when the run began: a run that makes room
 * may do so. Also true when the disk is nearly full.
 */
bool w_disk_tmp_is_over(
    struct w_disk_tmp *disk, uint64_t limit, uint64_t before);

#endif /* W_RUN_DISK_TMP_H */
