/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Module indexes in cache files.
 *
 * A file is only replaced as a whole. It is written under a second, fixed name,
 * so that a process that dies meanwhile leaves at most one file behind; whoever
 * holds the lock on that file may write and rename it. It is not flushed: after
 * a system crash the checksum detects damage.
 */

#include "module/registry/registry_cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/hex.h"
#include "base/sha256.h"
#include "os/file.h"
#include "os/trust.h"

/* "modules-", 32 digits, "-" and a number, ".cache", ".new" */
#define NAME_ROOM   64
#define NAME_DIGEST 16

/* Maximum of the file: records, strings and texts. */
#define BYTES_MAX ((off_t)1024 * 1024 * 1024 + (off_t)W_MODULE_INDEX_TEXTS_MAX)

/* With one cache for both views of the same files, each would invalidate the
 * other. */
static void
registry_cache_name_file(
    const char *dir, char name[NAME_ROOM], char draft[NAME_ROOM])
{
	uint8_t sum[W_SHA256_SIZE];
	char digits[2 * NAME_DIGEST + 1] = {0};
	char view[16] = "";
	const uid_t root = w_trust_root_uid();

	w_sha256(dir, strlen(dir), sum);
	w_hex_put(digits, sum, NAME_DIGEST);
	if (root != 0)
		(void)snprintf(view, sizeof(view), "-%u", root);
	(void)snprintf(name, NAME_ROOM, "modules-%s%s.cache", digits, view);
	(void)snprintf(
	    draft, NAME_ROOM, "modules-%s%s.cache.new", digits, view);
}

static int
registry_cache_open_dir(const char *cache_dir)
{
	return open(cache_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Owned by us, and not writable by others. */
static bool
is_trusted(const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_uid == geteuid() &&
	       (st->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static bool
read_bytes(int fd, void *out, size_t len)
{
	char *at = out;

	while (len > 0) {
		ssize_t n = read(fd, at, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		len -= (size_t)n;
	}
	return true;
}

bool
w_registry_cache_read(const char *cache_dir, const char *dir,
    struct w_module_index *out_module_index)
{
	W_AUTO_FD int dir_fd = registry_cache_open_dir(cache_dir);
	char name[NAME_ROOM];
	char draft[NAME_ROOM];
	struct stat st;
	struct w_module_index module_index;

	if (dir_fd < 0)
		return false;
	registry_cache_name_file(dir, name, draft);
	/* Does not block, should it be a FIFO. */
	W_AUTO_FD int fd = openat(
	    dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0 || !is_trusted(&st) ||
	    st.st_size == 0 || st.st_size > BYTES_MAX)
		return false;
	const size_t size = (size_t)st.st_size;
	W_AUTO_FREE char *bytes = malloc(size);
	if (bytes == NULL || !read_bytes(fd, bytes, size) ||
	    !w_module_index_open(&module_index, bytes, size))
		return false;
	/* Two directory names with the same hash. */
	if (strcmp(w_module_index_string(&module_index, module_index.head->dir),
		dir) != 0)
		return false;
	(void)w_take_ptr(&bytes);
	*out_module_index = module_index;
	return true;
}

/* Whether the file behind fd still has that name: another process may have
 * renamed it between our open and our lock. */
static bool
is_still(int dir_fd, const char *draft, int fd)
{
	struct stat named;
	struct stat opened;

	return fstatat(dir_fd, draft, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	       fstat(fd, &opened) == 0 && is_trusted(&opened) &&
	       opened.st_nlink == 1 && named.st_dev == opened.st_dev &&
	       named.st_ino == opened.st_ino;
}

void
w_registry_cache_write(const char *cache_dir, const char *dir,
    const struct w_module_index *module_index)
{
	char name[NAME_ROOM];
	char draft[NAME_ROOM];

	if (module_index->size > BYTES_MAX ||
	    module_index->size > w_file_size_limit() ||
	    w_file_make_dirs(cache_dir, 0700, NULL) != WRIT_OK)
		return;
	W_AUTO_FD int dir_fd = registry_cache_open_dir(cache_dir);
	if (dir_fd < 0)
		return;
	registry_cache_name_file(dir, name, draft);
	W_AUTO_FD int fd = openat(dir_fd, draft,
	    O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0 ||
	    !is_still(dir_fd, draft, fd))
		return;
	if (fchmod(fd, 0600) != 0 || ftruncate(fd, 0) != 0 ||
	    w_file_write_all(fd, module_index->bytes, module_index->size) !=
		0 ||
	    renameat(dir_fd, draft, dir_fd, name) < 0)
		(void)unlinkat(dir_fd, draft, 0);
}
