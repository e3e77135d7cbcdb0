/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The directory with the sockets of held sessions.
 *
 * A socket's address is too short for a long path, so it goes by way of the
 * directory's descriptor in /proc.
 */

#include "run/held/held_dir.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>

#include "base/auto.h"
#include "os/file.h"
#include "run/held/held_charter.h"

#define STAGE "session"

enum {
	OTHERS_MODE = 077,
	NAMES_MAX = 4096,
	LOCK_TRIES = 200,
	LOCK_PAUSE_MS = 10
};

static writ_status
check_dir(int fd, const char *path, writ_error *err)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot look at '%s'", path);
	if (st.st_uid != geteuid() || (st.st_mode & OTHERS_MODE) != 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' must belong to you alone, with mode 0700", path);
	return WRIT_OK;
}

writ_status
w_held_dir_open(
    const char *state_dir, bool is_wanted, int *out_fd, writ_error *err)
{
	char path[PATH_MAX];

	if (state_dir == NULL)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "there is no state directory for a session");
	if (snprintf(path, sizeof(path), "%s/held", state_dir) >=
	    (int)sizeof(path))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the path of the state directory is too long");
	if (is_wanted) {
		writ_status status = w_file_make_dirs(path, 0700, err);

		if (status != WRIT_OK)
			return status;
	}
	W_AUTO_FD int fd =
	    open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return w_fail(err,
		    errno == ENOENT ? WRIT_E_NOTFOUND : WRIT_E_SYSTEM, STAGE,
		    errno, "cannot open '%s'", path);
	writ_status status = check_dir(fd, path, err);
	if (status == WRIT_OK)
		*out_fd = w_take_fd(&fd);
	return status;
}

/* A description of its own: a lock belongs to that. */
static int
open_again(int dir_fd)
{
	return openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

writ_status
w_held_dir_lock(int dir_fd, int *out_fd, writ_error *err)
{
	const struct timespec pause = {.tv_nsec = LOCK_PAUSE_MS * 1000000L};
	W_AUTO_FD int fd = open_again(dir_fd);

	for (int i = 0; fd >= 0 && i < LOCK_TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
			*out_fd = w_take_fd(&fd);
			return WRIT_OK;
		}
		if (errno != EWOULDBLOCK)
			break;
		(void)nanosleep(&pause, NULL);
	}
	if (fd >= 0 && errno == EWOULDBLOCK)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, 0,
		    "another writ has been starting a session for two seconds "
		    "and does not finish");
	return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
	    "cannot lock the directory of the sessions");
}

static bool
address_of(int dir_fd, const char *name, struct sockaddr_un *out)
{
	*out = (struct sockaddr_un){.sun_family = AF_UNIX};
	const int len = snprintf(out->sun_path, sizeof(out->sun_path),
	    "/proc/self/fd/%d/%s", dir_fd, name);
	return len > 0 && (size_t)len < sizeof(out->sun_path);
}

static int
make_socket(void)
{
	return socket(
	    AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int
w_held_dir_bind(int dir_fd, const char *name)
{
	struct sockaddr_un address;
	W_AUTO_FD int fd = make_socket();

	if (fd < 0)
		return -errno;
	if (!address_of(dir_fd, name, &address))
		return -ENAMETOOLONG;
	if (bind(fd, (const struct sockaddr *)&address, sizeof(address)) != 0 ||
	    fchmodat(dir_fd, name, 0600, 0) != 0)
		return -errno;
	return w_take_fd(&fd);
}

int
w_held_dir_connect(int dir_fd, const char *name)
{
	struct sockaddr_un address;
	W_AUTO_FD int fd = make_socket();

	if (fd < 0)
		return -errno;
	if (!address_of(dir_fd, name, &address))
		return -ENAMETOOLONG;
	if (connect(fd, (const struct sockaddr *)&address, sizeof(address)) !=
	    0)
		return -errno;
	return w_take_fd(&fd);
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

writ_status
w_held_dir_list(int dir_fd, struct w_words *out_names, writ_error *err)
{
	const int fd = open_again(dir_fd);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct w_words names = {.items = NULL};
	bool has_all = true;

	if (dir == NULL) {
		const int error = errno;

		if (fd >= 0)
			(void)close(fd);
		return w_fail(err, WRIT_E_SYSTEM, STAGE, error,
		    "cannot read the directory of the sessions");
	}
	for (struct dirent *e = readdir(dir);
	     e != NULL && names.count < NAMES_MAX; e = readdir(dir)) {
		if (w_held_is_name(e->d_name))
			has_all =
			    w_words_add(&names, e->d_name, strlen(e->d_name)) &&
			    has_all;
	}
	(void)closedir(dir);
	if (!has_all) {
		w_words_done(&names);
		return w_fail_nomem(err, STAGE);
	}
	if (names.count > 0)
		qsort(names.items, names.count, sizeof(*names.items),
		    compare_names);
	*out_names = names;
	return WRIT_OK;
}

static void
remove_stale(int dir_fd, const char *name)
{
	int fd = w_held_dir_connect(dir_fd, name);

	if (fd == -ECONNREFUSED)
		(void)unlinkat(dir_fd, name, 0);
	w_close(&fd);
}

void
w_held_dir_clean(int dir_fd, const char *name)
{
	W_AUTO_WORDS struct w_words names = {.items = NULL};
	W_AUTO_FD int lock = open_again(dir_fd);

	if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB) != 0)
		return;
	if (name != NULL)
		remove_stale(dir_fd, name);
	else if (w_held_dir_list(dir_fd, &names, NULL) != WRIT_OK)
		return;
	for (size_t i = 0; i < names.count; i++)
		remove_stale(dir_fd, names.items[i]);
}
