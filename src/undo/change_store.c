/* SPDX-License-Identifier: Apache-2.0 */

/* The directory of all changes, and what is removed from it. */

#include "undo/change_store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#include "base/auto.h"
#include "os/file.h"
#include "undo/change_set.h"
#include "undo/tree_open.h"

#define STAGE "undo"

enum {
	SECONDS_PER_DAY = 86400,
	STILLBORN_SECONDS = 3600
};

bool
w_change_store_is_id(const char *id)
{
	static const char allowed[] = "0123456789abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
	const size_t len = strlen(id);

	return len > 0 && len <= W_CHANGE_ID_MAX && strspn(id, allowed) == len;
}

writ_status
w_change_store_open(
    const char *state_dir, bool may_make, int *out_fd, writ_error *err)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	W_AUTO_FREE char *path = NULL;

	if (asprintf(&path, "%s/" W_UNDO_STORE, state_dir) < 0)
		return w_fail_nomem(err, STAGE);
	int fd = open(path, flags);
	if (fd < 0 && errno == ENOENT && !may_make) {
		*out_fd = -1;
		return WRIT_OK;
	}
	if (fd < 0 && errno == ENOENT) {
		writ_status status = w_file_make_dirs(path, 0700, err);

		if (status != WRIT_OK)
			return status;
		fd = open(path, flags);
	}
	if (fd < 0)
		return w_fail(
		    err, WRIT_E_SYSTEM, STAGE, errno, "cannot open '%s'", path);
	*out_fd = fd;
	return WRIT_OK;
}

writ_status
w_change_store_lock(int store_fd, writ_error *err)
{
	int ret;

	do
		ret = flock(store_fd, LOCK_EX);
	while (ret < 0 && errno == EINTR);
	return ret == 0 ? WRIT_OK
			: w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
			      "cannot lock the store of changes");
}

writ_status
w_change_store_list(int store_fd, struct w_words *out_ids, writ_error *err)
{
	W_AUTO_WORDS struct w_words names = {0};
	struct w_words ids = {0};

	const int error = w_undo_list_names(store_fd, &names);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, error,
		    "cannot list the store of changes");
	for (size_t i = 0; i < names.count; i++) {
		const char *name = names.items[i];
		struct stat st;

		if (!w_change_store_is_id(name) ||
		    fstatat(store_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		    !S_ISDIR(st.st_mode))
			continue;
		if (!w_words_add(&ids, name, strlen(name))) {
			w_words_done(&ids);
			return w_fail_nomem(err, STAGE);
		}
	}
	*out_ids = ids;
	return WRIT_OK;
}

/* "size" has bytes, and whether something is held back; without it the changes
 * wait, or the run lives. */
static bool
read_size(int store_fd, const char *id, uint64_t *out_bytes, bool *out_is_held,
    struct stat *out_st)
{
	char name[W_CHANGE_ID_MAX + 8], text[32];
	char *end;

	(void)snprintf(name, sizeof(name), "%s/size", id);
	if (fstatat(store_fd, name, out_st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    w_file_read_at(store_fd, name, text, sizeof(text)) <= 0)
		return false;
	*out_bytes = strtoull(text, &end, 10);
	*out_is_held = *end == ' ';
	return true;
}

static void
remove_run(int store_fd, const char *id)
{
	W_AUTO_FD int fd =
	    openat(store_fd, id, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		(void)w_file_remove_tree_at(store_fd, id);
}

/* Left by a writ that was killed while it made a layer. */
static void
remove_if_stillborn(int store_fd, const char *id)
{
	char name[W_CHANGE_ID_MAX + 8];
	struct stat st;

	(void)snprintf(name, sizeof(name), "%s/facts", id);
	if (fstatat(store_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0 &&
	    errno == ENOENT &&
	    fstatat(store_fd, id, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    st.st_mtime < time(NULL) - STILLBORN_SECONDS)
		remove_run(store_fd, id);
}

void
w_change_store_prune(int store_fd, uint64_t bytes_max, unsigned days_max)
{
	W_AUTO_WORDS struct w_words ids = {0};
	const time_t oldest = time(NULL) - (time_t)days_max * SECONDS_PER_DAY;
	uint64_t kept = 0;

	if (w_change_store_list(store_fd, &ids, NULL) != WRIT_OK)
		return;
	for (size_t i = ids.count; i-- > 0;) {
		uint64_t bytes = 0;
		bool is_held = false;
		struct stat st;

		if (!read_size(store_fd, ids.items[i], &bytes, &is_held, &st)) {
			remove_if_stillborn(store_fd, ids.items[i]);
			continue;
		}
		kept += bytes;
		if (kept > bytes_max || (st.st_mtime < oldest && !is_held))
			remove_run(store_fd, ids.items[i]);
	}
}
