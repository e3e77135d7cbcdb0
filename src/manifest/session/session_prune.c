/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Removes sessions.
 *
 * Only the files of a session are deleted: those of its log, by name, in a
 * directory that was opened and locked. A directory that contains anything else
 * stays, and so does one with a writer.
 *
 * What is kept has three limits: a count, a size of all together, and an age.
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#include "base/auto.h"
#include "base/encode.h"
#include "base/grow.h"
#include "log/log_files.h"
#include "manifest/session/session_state.h"

/* So many more than are kept are held in memory. */
#define BATCH 4096

/* The first file of its log. */
#define FIRST_FILE W_MANIFEST_SESSION_LOG "-000001.jsonl"

const struct w_manifest_session_keep w_manifest_session_kept = {
    .count = 100,
    .bytes = UINT64_C(512) << 20,
    .seconds = UINT64_C(90) * 24 * 60 * 60,
};

/* A new DIR over an open directory; NULL: see errno. */
static DIR *
session_prune_list(int dir_fd)
{
	W_AUTO_FD int fd = openat(
	    dir_fd, ".", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;

	if (dir != NULL)
		(void)w_take_fd(&fd);
	return dir;
}

int
w_manifest_session_is_in(int dir_fd)
{
	DIR *dir = session_prune_list(dir_fd);
	const struct dirent *entry;
	bool is_found = false;

	if (dir == NULL)
		return errno;
	while (!is_found && (entry = readdir(dir)) != NULL)
		is_found = w_log_segment_number(
			       W_MANIFEST_SESSION_LOG, entry->d_name) > 0;
	(void)closedir(dir);
	return is_found ? 0 : ENOENT;
}

/* 0, or an errno. */
static int
remove_files(int dir_fd)
{
	DIR *dir = session_prune_list(dir_fd);
	const struct dirent *entry;
	int error = 0;

	if (dir == NULL)
		return errno;
	while (error == 0 && (entry = readdir(dir)) != NULL) {
		const char *name = entry->d_name;
		const bool is_of_log =
		    strcmp(name, "head") == 0 ||
		    w_log_segment_number(W_MANIFEST_SESSION_LOG, name) > 0 ||
		    w_log_file_is_torn(W_MANIFEST_SESSION_LOG, name);

		if (is_of_log && unlinkat(dir_fd, name, 0) < 0 &&
		    errno != ENOENT)
			error = errno;
	}
	(void)closedir(dir);
	return error;
}

/* 0; EWOULDBLOCK: it has a writer; ENOENT: not a session; or an errno. A
 * directory named by the user must have a log, for other directories have a
 * head as well; and its lock is waited for. */
static int
remove_session(int at_fd, const char *name, bool is_named)
{
	W_AUTO_FD int fd = openat(
	    at_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int error = 0;

	if (fd < 0)
		return errno;
	if (is_named)
		error = w_manifest_session_lock(fd, LOCK_EX);
	else if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		error = errno;
	if (error == 0 && is_named)
		error = w_manifest_session_is_in(fd);
	if (error == 0)
		error = remove_files(fd);
	if (error == 0 && unlinkat(at_fd, name, AT_REMOVEDIR) < 0)
		error = errno;
	return error;
}

writ_status
w_manifest_session_remove(const char *dir, writ_error *err)
{
	int error = remove_session(AT_FDCWD, dir, true);

	switch (error) {
	case 0:
		return WRIT_OK;
	case EWOULDBLOCK:
		return w_fail(err, WRIT_E_INVALID, W_MANIFEST_SESSION_STAGE, 0,
		    "the session '%s' is in use", dir);
	case ENOENT:
		return w_fail(err, WRIT_E_NOTFOUND, W_MANIFEST_SESSION_STAGE, 0,
		    "there is no session '%s'", dir);
	default:
		return w_fail(err, WRIT_E_SYSTEM, W_MANIFEST_SESSION_STAGE,
		    error, "cannot remove the session '%s'", dir);
	}
}

struct ids {
	char (*items)[W_ID_LEN + 1];
	size_t count;
	size_t cap;
};

static int
session_prune_compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Removes all but the newest. Best effort: the next prune tries again. */
static void
remove_oldest(struct ids *ids, int parent_fd, size_t keep)
{
	if (ids->count <= keep)
		return;
	const size_t old = ids->count - keep;

	qsort(
	    ids->items, ids->count, sizeof(*ids->items), session_prune_compare);
	for (size_t i = 0; i < old; i++)
		(void)remove_session(parent_fd, ids->items[i], false);
	memmove(ids->items, ids->items + old, keep * sizeof(*ids->items));
	ids->count = keep;
}

/* ---- size and age ---- */

struct session_extent {
	uint64_t bytes;
	time_t written; /* last */
};

static void
add_file(int dir_fd, const char *name, struct session_extent *extent)
{
	struct stat st;

	if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return;
	extent->bytes += (uint64_t)st.st_size;
	if (st.st_mtime > extent->written)
		extent->written = st.st_mtime;
}

/* Most sessions have one file, so most cost one call. */
static struct session_extent
measure_session(int parent_fd, const char *id)
{
	struct session_extent extent = {.bytes = 0};
	char first[W_ID_LEN + sizeof("/" FIRST_FILE)];

	(void)snprintf(first, sizeof(first), "%s/" FIRST_FILE, id);
	add_file(parent_fd, first, &extent);
	if (extent.bytes < W_LOG_SEGMENT_MAX / 2)
		return extent;
	W_AUTO_FD int fd = openat(
	    parent_fd, id, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : session_prune_list(fd);
	const struct dirent *entry;
	if (dir == NULL)
		return extent;
	extent.bytes = 0;
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] != '.')
			add_file(fd, entry->d_name, &extent);
	}
	(void)closedir(dir);
	return extent;
}

/* The newest stays, whatever its size. */
static void
remove_beyond(const struct ids *ids, int parent_fd,
    const struct w_manifest_session_keep *keep)
{
	const time_t now = time(NULL);
	uint64_t sum = 0;

	for (size_t i = ids->count; i-- > 0;) {
		const struct session_extent extent =
		    measure_session(parent_fd, ids->items[i]);
		const bool is_old =
		    extent.written > 0 && now > extent.written &&
		    (uint64_t)(now - extent.written) > keep->seconds;

		sum += extent.bytes;
		if (i + 1 < ids->count && (is_old || sum > keep->bytes))
			(void)remove_session(parent_fd, ids->items[i], false);
	}
}

/* A directory may have any number of sessions. What is older than the newest so
 * far is older than the newest of all. */
void
w_manifest_session_prune(
    const char *parent, const struct w_manifest_session_keep *keep)
{
	DIR *dir = opendir(parent);
	const struct dirent *entry;
	struct ids ids = {.items = NULL};

	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL) {
		const char *name = entry->d_name;

		/* Only names that w_manifest_session_make() creates. */
		if (strlen(name) != W_ID_LEN ||
		    strspn(name, "0123456789ABCDEFGHJKMNPQRSTVWXYZ") !=
			W_ID_LEN)
			continue;
		if (!w_grow(&ids.items, ids.count, &ids.cap))
			break;
		memcpy(ids.items[ids.count++], name, W_ID_LEN + 1);
		if (ids.count >= keep->count + BATCH)
			remove_oldest(&ids, dirfd(dir), keep->count);
	}
	remove_oldest(&ids, dirfd(dir), keep->count);
	if (ids.count > 1)
		qsort(ids.items, ids.count, sizeof(*ids.items),
		    session_prune_compare);
	remove_beyond(&ids, dirfd(dir), keep);
	(void)closedir(dir);
	free(ids.items);
}
