/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Removes sessions.
 *
 * Only the files of a session are deleted: those of its log, by name, in a
 * directory that was opened and locked. A directory that contains anything else
 * stays, and so does one with a writer.
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

#include "base/auto.h"
#include "base/encode.h"
#include "base/grow.h"
#include "log/log_files.h"
#include "manifest/session/session_state.h"

/* So many more than are kept are held in memory. */
#define BATCH 4096

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

/* A directory may have any number of sessions. What is older than the newest so
 * far is older than the newest of all. */
void
w_manifest_session_prune(const char *parent, size_t keep)
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
		if (ids.count - (ids.count < keep ? ids.count : keep) == BATCH)
			remove_oldest(&ids, dirfd(dir), keep);
	}
	remove_oldest(&ids, dirfd(dir), keep);
	(void)closedir(dir);
	free(ids.items);
}
