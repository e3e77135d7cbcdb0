/* SPDX-License-Identifier: Apache-2.0 */

/* How much disk space the trail and the recordings take. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <writ/audit.h>

#include "audit/audit.h"
#include "base/auto.h"
#include "base/error.h"
#include "log/log_files.h"

struct sums {
	uint64_t files[3];
	uint64_t bytes[3];
};

enum disk_use_what {
	TRAIL, /* segments, and torn bytes saved from them */
	INDEX,
	OTHER,
};

/* Sums the allocated blocks: preallocation counts, holes do not. */
static writ_status
sum_up(const char *path, struct sums *sums, writ_error *err)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;

	if (dir == NULL && errno == ENOENT)
		return WRIT_OK;
	if (dir == NULL)
		return w_fail(err, WRIT_E_SYSTEM, "audit", errno,
		    "cannot list '%s'", path);
	while ((entry = readdir(dir)) != NULL) {
		struct stat st;
		const char *name = entry->d_name;
		enum disk_use_what what = OTHER;

		if (w_log_segment_number(W_TRAIL_NAME, name) != 0 ||
		    w_log_file_is_torn(W_TRAIL_NAME, name))
			what = TRAIL;
		else if (strncmp(name, W_INDEX_NAME, strlen(W_INDEX_NAME)) == 0)
			what = INDEX;
		if (fstatat(dirfd(dir), name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
		    !S_ISREG(st.st_mode))
			continue;
		sums->files[what]++;
		sums->bytes[what] += (uint64_t)st.st_blocks * 512;
	}
	(void)closedir(dir);
	return WRIT_OK;
}

writ_status
writ_audit_disk_use(
    writ_audit *audit, writ_audit_disk *out_disk, writ_error *err)
{
	struct sums trail = {0};
	struct sums outputs = {0};
	struct statvfs fs;

	writ_status status = w_audit_find_dir(audit, err);
	if (status == WRIT_OK)
		status = sum_up(audit->dir, &trail, err);
	if (status == WRIT_OK)
		status = sum_up(audit->output_dir, &outputs, err);
	if (status != WRIT_OK)
		return status;
	*out_disk = (writ_audit_disk){
	    .trail_bytes = trail.bytes[TRAIL],
	    .trail_files = trail.files[TRAIL],
	    .output_bytes = outputs.bytes[OTHER],
	    .output_files = outputs.files[OTHER],
	    .index_bytes = trail.bytes[INDEX],
	    .trail_dir = audit->dir,
	    .output_dir = audit->output_dir,
	};
	if (audit->dir_fd >= 0 && fstatvfs(audit->dir_fd, &fs) == 0)
		out_disk->free_bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	return WRIT_OK;
}
