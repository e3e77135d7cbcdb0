/* SPDX-License-Identifier: Apache-2.0 */

/* What ended sessions wrote to HOME, kept to be looked at. */

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
#include "os/file.h"
#include "run/home/home_names.h"
#include "run/home/home_store.h"

#define OF_SESSION "session"

enum {
	PATH_LEN_MAX = 4096,
	KEPT_MAX = 16,
	KEPT_SEEN_MAX = 256
};

static const int64_t kept_age_max_s = INT64_C(7) * 24 * 3600;

int
w_dotdirs_kept_name(int dir_fd, const char *name)
{
	(void)unlinkat(dir_fd, OF_SESSION, 0);
	W_AUTO_FD int fd = openat(
	    dir_fd, OF_SESSION, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	return fd < 0 ? errno : w_file_write_all(fd, name, strlen(name));
}

bool
w_dotdirs_kept_read(int dir_fd, char out_name[W_HOME_SESSION_MAX])
{
	return w_file_read_at(
		   dir_fd, OF_SESSION, out_name, W_HOME_SESSION_MAX) > 0;
}

static bool
homes_path(struct w_buf *path, const char *state_dir)
{
	w_buf_init(path, PATH_LEN_MAX);
	w_buf_add_fmt(path, "%s/homes", state_dir);
	return !path->failed;
}

/* Calls back for each name in a directory. */
typedef void name_fn(int dir_fd, int to_fd, const char *name);

static void
each_name(int dir_fd, int to_fd, name_fn *each)
{
	const struct dirent *entry;
	int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (dir == NULL) {
		w_close(&fd);
		return;
	}
	while ((entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			each(dir_fd, to_fd, entry->d_name);
	}
	(void)closedir(dir);
}

/* A directory that nothing was written to goes, and so do caches. */
static void
drop_cache(int dir_fd, int to_fd, const char *name)
{
	(void)to_fd;
	if (unlinkat(dir_fd, name, AT_REMOVEDIR) != 0 &&
	    w_dotdirs_is_cache(name))
		(void)w_file_remove_tree_at(dir_fd, name);
}

void
w_dotdirs_kept_settle(const char *state_dir, struct w_locked_dir *dir)
{
	W_AUTO_FD int upper = openat(
	    dir->fd, "upper", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (upper >= 0)
		each_name(upper, -1, drop_cache);
	if (upper < 0 || unlinkat(dir->fd, "upper", AT_REMOVEDIR) == 0)
		(void)w_file_remove_tree(dir->path);
	w_dotdirs_kept_clean(state_dir);
}

static void
move_name(int dir_fd, int to_fd, const char *name)
{
	if (!w_dotdirs_is_cache(name) &&
	    unlinkat(dir_fd, name, AT_REMOVEDIR) != 0)
		(void)renameat(dir_fd, name, to_fd, name);
}

void
w_dotdirs_kept_move(const char *state_dir, int dir_fd)
{
	W_AUTO_BUF struct w_buf path;
	struct w_locked_dir kept = W_LOCKED_DIR_NONE;
	char name[W_HOME_SESSION_MAX];
	W_AUTO_FD int from = openat(
	    dir_fd, "upper", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (!homes_path(&path, state_dir) || from < 0 ||
	    !w_dotdirs_kept_read(dir_fd, name) ||
	    w_file_make_dirs(path.data, 0700, NULL) != WRIT_OK ||
	    w_locked_dir_make(path.data, &kept) != 0)
		return;
	W_AUTO_FD int upper = -1;
	if (mkdirat(kept.fd, "upper", 0700) == 0)
		upper = openat(
		    kept.fd, "upper", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (upper >= 0 && w_dotdirs_kept_name(kept.fd, name) == 0)
		each_name(from, upper, move_name);
	(void)unlinkat(dir_fd, OF_SESSION, 0);
	w_dotdirs_kept_settle(state_dir, &kept);
	w_locked_dir_done(&kept);
}

/* ---- what is old ---- */

struct kept {
	char name[32];
	int64_t ended_s;
};

struct kept_list {
	const char *parent;
	struct kept items[KEPT_SEEN_MAX];
	size_t count;
};

/* One with a work directory was left by an engine that was killed. */
static void
note_kept(void *ctx, int parent_fd, const char *name)
{
	struct kept_list *list = ctx;
	struct stat st;
	W_AUTO_FD int fd =
	    openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st) < 0)
		return;
	if (faccessat(fd, "work", F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
		W_AUTO_FD int upper = openat(fd, "upper",
		    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		(void)w_file_remove_tree_at(fd, "work");
		if (upper >= 0)
			each_name(upper, -1, drop_cache);
		(void)unlinkat(fd, "upper", AT_REMOVEDIR);
	}
	if (faccessat(fd, "upper", F_OK, AT_SYMLINK_NOFOLLOW) != 0 ||
	    list->count == KEPT_SEEN_MAX) {
		(void)w_file_remove_tree_at(parent_fd, name);
		return;
	}
	struct kept *kept = &list->items[list->count++];
	(void)snprintf(kept->name, sizeof(kept->name), "%s", name);
	kept->ended_s = st.st_mtim.tv_sec;
}

static int
compare_ended(const void *left, const void *right)
{
	const struct kept *a = left;
	const struct kept *b = right;

	return a->ended_s < b->ended_s ? -1 : a->ended_s > b->ended_s;
}

void
w_dotdirs_kept_clean(const char *state_dir)
{
	W_AUTO_BUF struct w_buf path;
	W_AUTO_FREE struct kept_list *list = calloc(1, sizeof(*list));
	const int64_t now = time(NULL);

	if (!homes_path(&path, state_dir) || list == NULL)
		return;
	w_locked_dir_each(path.data, note_kept, list);
	qsort(list->items, list->count, sizeof(list->items[0]), compare_ended);
	for (size_t i = 0; i < list->count; i++) {
		W_AUTO_BUF struct w_buf one;

		w_buf_init(&one, PATH_LEN_MAX);
		if (list->count - i <= KEPT_MAX &&
		    now - list->items[i].ended_s < kept_age_max_s)
			break;
		w_buf_add_fmt(&one, "%s/%s", path.data, list->items[i].name);
		if (!one.failed)
			(void)w_file_remove_tree(one.data);
	}
}

/* ---- looking ---- */

static int
open_if_named(int parent_fd, const char *entry, const char *name,
    int64_t *best_s, int best)
{
	char found[W_HOME_SESSION_MAX];
	struct stat st;
	W_AUTO_FD int dir = openat(
	    parent_fd, entry, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (dir < 0 || fstat(dir, &st) < 0 || st.st_mtim.tv_sec < *best_s ||
	    !w_dotdirs_kept_read(dir, found) || strcmp(found, name) != 0)
		return best;
	const int upper = openat(
	    dir, "upper", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (upper < 0)
		return best;
	w_close(&best);
	*best_s = st.st_mtim.tv_sec;
	return upper;
}

int
w_dotdirs_kept_find(const char *state_dir, const char *name)
{
	static const char *const places[] = {"homes", "caches"};
	int64_t best_s = INT64_MIN;
	int best = -1;

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		W_AUTO_BUF struct w_buf path;
		const struct dirent *entry;

		w_buf_init(&path, PATH_LEN_MAX);
		w_buf_add_fmt(&path, "%s/%s", state_dir, places[i]);
		DIR *dir = path.failed ? NULL : opendir(path.data);
		while (dir != NULL && (entry = readdir(dir)) != NULL) {
			if (entry->d_name[0] != '.')
				best = open_if_named(dirfd(dir), entry->d_name,
				    name, &best_s, best);
		}
		if (dir != NULL)
			(void)closedir(dir);
	}
	return best < 0 ? -ENOENT : best;
}
