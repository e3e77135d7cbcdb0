/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The caches of projects, which sessions leave for one another.
 *
 * A project is its directory: another one at the same path is another project,
 * so no project runs what another has put into a cache.
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/hex.h"
#include "base/sha256.h"
#include "os/file.h"
#include "run/home/home_store.h"

enum {
	PATH_LEN_MAX = 4096,
	KEY_BYTES = 12,
	TEXT_LEN = 48,
	LEFT_S = 10, /* processes whose engine has died are gone long before */
	PROJECTS_MAX = 256, /* looked at when making room */
	WALKS_MAX = 50
};

static const int64_t age_max_s = INT64_C(14) * 24 * 3600;
static const uint64_t total_max = UINT64_C(10) << 30;

static bool
add_key(struct w_buf *path, const char *base)
{
	struct statx now;
	struct w_sha256 sum;
	uint8_t hash[W_SHA256_SIZE];
	char hex[2 * KEY_BYTES + 1];

	if (statx(AT_FDCWD, base, AT_SYMLINK_NOFOLLOW, STATX_INO | STATX_BTIME,
		&now) < 0)
		return false;
	const uint64_t id[] = {now.stx_dev_major, now.stx_dev_minor,
	    now.stx_ino, (uint64_t)now.stx_btime.tv_sec, now.stx_btime.tv_nsec};
	w_sha256_init(&sum);
	w_sha256_add(&sum, base, strlen(base) + 1);
	w_sha256_add(&sum, id, sizeof(id));
	w_sha256_end(&sum, hash);
	w_hex_put(hex, hash, KEY_BYTES);
	hex[sizeof(hex) - 1] = '\0';
	w_buf_add_str(path, hex);
	return !path->failed;
}

static bool
read_boot(char boot[TEXT_LEN])
{
	return w_file_read_at(AT_FDCWD, "/proc/sys/kernel/random/boot_id", boot,
		   TEXT_LEN) > 0;
}

/* Notes when nobody had it any more. */
static void
mark_left(int dir_fd, const char *boot)
{
	(void)unlinkat(dir_fd, "left", 0);
	W_AUTO_FD int fd = openat(
	    dir_fd, "left", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0)
		(void)w_file_write_all(fd, boot, strlen(boot));
}

/*
 * Whether the caches can be mounted again. Those that an engine left which was
 * killed may still be mounted by its last processes, and two mounts of one
 * layer are undefined: they have to be seen free, and again some time later.
 * After a crash of the machine nobody knows what has been written: they are
 * moved away, which is fast, and removed when this session ends.
 */
static bool
make_sure(const char *state_dir, int dir_fd)
{
	char boot[TEXT_LEN], left[TEXT_LEN];
	struct stat st;

	if (faccessat(dir_fd, "work", F_OK, AT_SYMLINK_NOFOLLOW) != 0)
		return true;
	if (!read_boot(boot))
		return false;
	const bool is_marked =
	    w_file_read_at(dir_fd, "left", left, sizeof(left)) > 0 &&
	    fstatat(dir_fd, "left", &st, AT_SYMLINK_NOFOLLOW) == 0;
	if (is_marked && strcmp(boot, left) == 0 &&
	    time(NULL) - st.st_mtim.tv_sec < LEFT_S)
		return false;
	if (!is_marked) {
		mark_left(dir_fd, boot);
		return false;
	}
	(void)unlinkat(dir_fd, "left", 0);
	w_dotdirs_kept_move(state_dir, dir_fd);
	if (strcmp(boot, left) != 0) {
		(void)w_file_remove_tree_at(dir_fd, "unsure");
		(void)renameat(dir_fd, "upper", dir_fd, "unsure");
	}
	return w_file_remove_tree_at(dir_fd, "work") == 0;
}

int
w_dotdirs_caches_open(
    const char *state_dir, const char *base, struct w_locked_dir *out_dir)
{
	W_AUTO_BUF struct w_buf path;

	w_buf_init(&path, PATH_LEN_MAX);
	w_buf_add_fmt(&path, "%s/caches", state_dir);
	if (path.failed || w_file_make_dirs(path.data, 0700, NULL) != WRIT_OK)
		return EACCES;
	w_buf_add_char(&path, '/');
	if (!add_key(&path, base))
		return ENOENT;
	if (mkdir(path.data, 0700) < 0 && errno != EEXIST)
		return errno;
	const int error = w_locked_dir_open(path.data, out_dir);
	if (error != 0 || make_sure(state_dir, out_dir->fd))
		return error;
	w_locked_dir_done(out_dir);
	return EBUSY;
}

/* ---- making room ---- */

struct cached_project {
	char name[2 * KEY_BYTES + 1];
	int64_t used_s;
	uint64_t bytes;
};

struct cached_projects {
	struct cached_project items[PROJECTS_MAX];
	size_t count;
	uint64_t bytes;
};

static uint64_t
read_size(int dir_fd)
{
	char text[TEXT_LEN];

	return w_file_read_at(dir_fd, "size", text, sizeof(text)) <= 0
		   ? 0
		   : strtoull(text, NULL, 10);
}

static void
note_project(void *ctx, int parent_fd, const char *name)
{
	struct cached_projects *projects = ctx;
	struct stat st;
	W_AUTO_FD int fd =
	    openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st) < 0 || strlen(name) != 2 * KEY_BYTES ||
	    projects->count == PROJECTS_MAX)
		return;
	struct cached_project *project = &projects->items[projects->count++];
	(void)snprintf(project->name, sizeof(project->name), "%s", name);
	project->used_s = st.st_mtim.tv_sec;
	project->bytes = read_size(fd);
	projects->bytes += project->bytes;
}

static int
compare_used(const void *left, const void *right)
{
	const struct cached_project *a = left;
	const struct cached_project *b = right;

	return a->used_s < b->used_s ? -1 : a->used_s > b->used_s;
}

/* Locked by somebody: it is in use. */
static void
remove_project(const char *parent, const char *name)
{
	W_AUTO_BUF struct w_buf path;
	struct w_locked_dir dir = W_LOCKED_DIR_NONE;

	w_buf_init(&path, PATH_LEN_MAX);
	w_buf_add_fmt(&path, "%s/%s", parent, name);
	if (!path.failed && w_locked_dir_open(path.data, &dir) == 0)
		(void)w_file_remove_tree(path.data);
	w_locked_dir_done(&dir);
}

static void
prune(const char *parent, uint64_t own_bytes)
{
	W_AUTO_FREE struct cached_projects *projects =
	    calloc(1, sizeof(*projects));
	const int64_t now = time(NULL);

	if (projects == NULL)
		return;
	w_locked_dir_each(parent, note_project, projects);
	qsort(projects->items, projects->count, sizeof(projects->items[0]),
	    compare_used);
	uint64_t left = projects->bytes + own_bytes;
	for (size_t i = 0; i < projects->count; i++) {
		const struct cached_project *project = &projects->items[i];

		if (now - project->used_s < age_max_s && left <= total_max)
			break;
		remove_project(parent, project->name);
		left -= project->bytes;
	}
}

/* One whole look, or as much of it as is done soon. */
static uint64_t
measure(int dir_fd)
{
	struct w_disk_walk walk = {.depth = 0};
	uint64_t bytes;

	for (int i = 0; i < WALKS_MAX; i++) {
		w_disk_walk_on(&walk, dir_fd);
		if (walk.depth == 0)
			break;
	}
	bytes = w_disk_walk_bytes(&walk);
	w_disk_walk_done(&walk);
	return bytes;
}

void
w_dotdirs_caches_close(const struct w_home_store *store)
{
	W_AUTO_BUF struct w_buf parent;
	char text[TEXT_LEN];

	(void)w_file_remove_tree_at(store->dir.fd, "unsure");
	const uint64_t bytes = measure(store->upper_fd);
	(void)snprintf(text, sizeof(text), "%llu", (unsigned long long)bytes);
	(void)unlinkat(store->dir.fd, "size", 0);
	W_AUTO_FD int fd = openat(store->dir.fd, "size",
	    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0)
		(void)w_file_write_all(fd, text, strlen(text));
	w_buf_init(&parent, PATH_LEN_MAX);
	w_buf_add_fmt(&parent, "%s/caches", store->state_dir);
	if (!parent.failed)
		prune(parent.data, bytes);
}
