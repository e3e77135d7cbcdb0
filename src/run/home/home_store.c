/* SPDX-License-Identifier: Apache-2.0 */

/* Makes and settles the directory of a session's layer; see home_store.h. */

#include "run/home/home_store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "os/file.h"
#include "os/loop.h"
#include "os/resolve.h"
#include "run/home/home_names.h"

#define STAGE "home"

enum {
	PATH_LEN_MAX = 4096,
	LOOK_MS = 500
};

static const uint64_t size_max = UINT64_C(32) << 30;
static const uint64_t room_min = UINT64_C(256) << 20;

/* A HOME in one of these is not in any view. */
static bool
is_unseen(const char *home)
{
	static const char *const dirs[] = {
	    "/tmp", "/var/tmp", "/dev", "/proc", "/sys", "/run"};

	for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++) {
		if (w_resolve_is_in(home, dirs[i]))
			return true;
	}
	return strcmp(home, "/") == 0;
}

/* The canonical path of a HOME that can have a layer; NULL: it cannot. */
static char *
find_place(const char *home, struct stat *out_st)
{
	W_AUTO_FREE char *real =
	    home == NULL || *home != '/' ? NULL : w_resolve_real(home);

	if (real == NULL || is_unseen(real) || stat(real, out_st) < 0 ||
	    !S_ISDIR(out_st->st_mode) || out_st->st_uid != geteuid())
		return NULL;
	return w_take_ptr(&real);
}

static uint64_t
room_at(int fd)
{
	struct statvfs now;

	return fstatvfs(fd, &now) < 0
		   ? 0
		   : (uint64_t)now.f_bavail * (uint64_t)now.f_frsize;
}

/* The merged HOME has the mode of upper. */
static int
make_upper(struct w_home_store *store, const struct stat *home)
{
	const int dir = store->dir.fd;

	if (mkdirat(dir, "upper", 0700) < 0 && errno != EEXIST)
		return errno;
	store->upper_fd = openat(
	    dir, "upper", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (store->upper_fd < 0 ||
	    fchmod(store->upper_fd, home->st_mode & 07777) < 0)
		return errno;
	w_fd_lift(&store->upper_fd);
	if (mkdirat(dir, "work", 0700) < 0)
		return errno;
	return 0;
}

/* What is missing in HOME has no place to be mounted on otherwise. */
static int
make_missing(const struct w_home_store *store)
{
	W_AUTO_FD int home =
	    open(store->home, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat st;

	if (home < 0)
		return errno;
	for (size_t i = 0; w_dotdirs_made[i] != NULL; i++) {
		const char *name = w_dotdirs_made[i];

		if (fstatat(home, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
			continue;
		if (mkdirat(store->upper_fd, name, 0755) < 0 && errno != EEXIST)
			return errno;
	}
	return 0;
}

void
w_dotdirs_store_make_caches(const struct w_home_store *store)
{
	W_AUTO_FD int home =
	    open(store->home, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat st;

	for (size_t i = 0; home >= 0 && w_dotdirs_bare[i] != NULL; i++) {
		const char *name = w_dotdirs_bare[i];

		if (fstatat(home, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISDIR(st.st_mode))
			(void)mkdirat(store->upper_fd, name, 0755);
	}
}

static int
open_dir(struct w_home_store *store, const struct w_home_options *options)
{
	W_AUTO_BUF struct w_buf path;

	w_buf_init(&path, PATH_LEN_MAX);
	if (options->base != NULL && w_dotdirs_caches_open(options->state_dir,
					 options->base, &store->dir) == 0) {
		store->is_project = true;
		return 0;
	}
	w_buf_add_fmt(&path, "%s/homes", options->state_dir);
	if (path.failed || w_file_make_dirs(path.data, 0700, NULL) != WRIT_OK)
		return EACCES;
	return w_locked_dir_make(path.data, &store->dir);
}

static int
fill(struct w_home_store *store, const struct w_home_options *options,
    const struct stat *home)
{
	int error = open_dir(store, options);

	if (error == 0)
		w_fd_lift(&store->dir.fd);
	if (error == 0)
		error = make_upper(store, home);
	if (error == 0)
		error = make_missing(store);
	if (error == 0 && options->name != NULL)
		error = w_dotdirs_kept_name(store->dir.fd, options->name);
	const uint64_t room = error == 0 ? room_at(store->dir.fd) : 0;
	store->bytes_max = room / 2 < size_max ? room / 2 : size_max;
	return error == 0 && room < room_min ? ENOSPC : error;
}

writ_status
w_dotdirs_store_make(const struct w_home_options *options,
    struct w_home_store **out_store, writ_error *err)
{
	struct stat home;

	*out_store = NULL;
	W_AUTO_FREE char *place = find_place(options->home, &home);
	if (place == NULL || options->state_dir == NULL)
		return WRIT_OK;
	struct w_home_store *store = calloc(1, sizeof(*store));
	if (store == NULL)
		return w_fail_nomem(err, STAGE);
	store->dir = W_LOCKED_DIR_NONE;
	store->upper_fd = -1;
	store->is_kept = options->name != NULL;
	store->home = w_take_ptr(&place);
	store->state_dir = strdup(options->state_dir);
	const int error =
	    store->state_dir == NULL ? ENOMEM : fill(store, options, &home);
	if (error == 0) {
		*out_store = store;
		return WRIT_OK;
	}
	w_dotdirs_store_free(store);
	return error == ENOMEM ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

static void
settle(struct w_home_store *store)
{
	(void)w_file_remove_tree_at(store->dir.fd, "work");
	if (store->is_project) {
		w_dotdirs_kept_move(store->state_dir, store->dir.fd);
		w_dotdirs_caches_close(store);
	} else if (store->is_kept) {
		w_dotdirs_kept_settle(store->state_dir, &store->dir);
	} else {
		(void)w_file_remove_tree(store->dir.path);
	}
}

void
w_dotdirs_store_free(struct w_home_store *store)
{
	if (store == NULL)
		return;
	if (store->dir.path != NULL && !store->is_lent)
		settle(store);
	w_disk_walk_done(&store->walk);
	w_close(&store->upper_fd);
	w_locked_dir_done(&store->dir);
	free(store->state_dir);
	free(store->home);
	free(store);
}

int
w_dotdirs_store_join(const char *path, const char *home, int dir_fd,
    struct w_home_store **out_store)
{
	struct w_home_store *store = calloc(1, sizeof(*store));
	int error = store == NULL ? ENOMEM : 0;

	if (error == 0) {
		store->dir = W_LOCKED_DIR_NONE;
		store->is_lent = true;
		store->dir.path = strdup(path);
		store->home = strdup(home);
		store->upper_fd = openat(dir_fd, "upper",
		    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (store->dir.path == NULL || store->home == NULL)
			error = ENOMEM;
		else if (store->upper_fd < 0)
			error = errno;
	}
	if (error != 0) {
		w_dotdirs_store_free(store);
		return error;
	}
	w_fd_lift(&store->upper_fd);
	const uint64_t room = room_at(store->upper_fd);
	store->bytes_max = room / 2 < size_max ? room / 2 : size_max;
	store->dir.fd = dir_fd;
	w_fd_lift(&store->dir.fd);
	*out_store = store;
	return 0;
}

struct settling {
	const char *state_dir;
	const char *name;
};

/* It is locked by the caller. */
static void
settle_named(void *ctx, int parent_fd, const char *entry)
{
	const struct settling *settling = ctx;
	char name[W_HOME_SESSION_MAX];
	struct w_home_store store = {.is_project = true, .upper_fd = -1};
	W_AUTO_FREE char *state_dir = strdup(settling->state_dir);
	W_AUTO_FD int dir = openat(
	    parent_fd, entry, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (dir < 0 || state_dir == NULL || !w_dotdirs_kept_read(dir, name) ||
	    strcmp(name, settling->name) != 0)
		return;
	W_AUTO_FD int upper = openat(
	    dir, "upper", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (upper < 0)
		return;
	store.dir.fd = dir;
	store.upper_fd = upper;
	store.state_dir = state_dir;
	settle(&store);
}

void
w_dotdirs_store_settle(const char *state_dir, const char *name)
{
	struct settling settling = {.state_dir = state_dir, .name = name};
	W_AUTO_BUF struct w_buf path;

	w_buf_init(&path, PATH_LEN_MAX);
	w_buf_add_fmt(&path, "%s/caches", state_dir);
	if (!path.failed)
		w_locked_dir_each(path.data, settle_named, &settling);
	w_dotdirs_kept_clean(state_dir);
}

bool
w_dotdirs_store_is_over(struct w_home_store *store, uint64_t before)
{
	const uint64_t now = w_now_ns();

	if (now - store->walked_ns < LOOK_MS * W_NS_PER_MS)
		return false;
	store->walked_ns = now;
	w_disk_walk_on(&store->walk, store->upper_fd);
	const uint64_t bytes = w_disk_walk_bytes(&store->walk);
	return bytes > before && (bytes > store->bytes_max ||
				     room_at(store->upper_fd) < room_min);
}
