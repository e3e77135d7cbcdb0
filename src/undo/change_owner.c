/* SPDX-License-Identifier: Apache-2.0 */

/* The file and the lock of a session that lives; see change_owner.h. */

#include "undo/change_owner.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "os/file.h"
#include "undo/change_store.h"

#define STAGE "undo"
/* With a point it is no run's id. */
#define PREFIX "live."

enum {
	TRIES_MAX = 100
};

static void
name_of(const char *id, char out[W_UNDO_OWNER_MAX + sizeof(PREFIX)])
{
	(void)snprintf(out, W_UNDO_OWNER_MAX + sizeof(PREFIX), PREFIX "%s", id);
}

/* Somebody who cleans up may have seen it before it was locked, and removed
 * it: then once more. */
static int
make_file(int store_fd, const char *name, int *out_fd)
{
	struct stat st;

	for (int i = 0; i < TRIES_MAX; i++) {
		W_AUTO_FD int fd = openat(store_fd, name,
		    O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

		if (fd < 0 || flock(fd, LOCK_EX) < 0 || fstat(fd, &st) < 0)
			return errno;
		if (st.st_nlink > 0) {
			*out_fd = w_take_fd(&fd);
			return 0;
		}
	}
	return EBUSY;
}

writ_status
w_undo_owner_open(
    struct w_undo_owner *owner, const char *state_dir, writ_error *err)
{
	char name[W_UNDO_OWNER_MAX + sizeof(PREFIX)];
	W_AUTO_FD int store_fd = -1;
	uint64_t number[2];

	if (owner->fd >= 0)
		return WRIT_OK;
	writ_status status =
	    w_change_store_open(state_dir, true, &store_fd, err);
	if (status != WRIT_OK)
		return status;
	if (getrandom(number, sizeof(number), 0) != sizeof(number))
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot make a name for the session");
	(void)snprintf(owner->id, sizeof(owner->id),
	    "%016" PRIx64 "%016" PRIx64, number[0], number[1]);
	name_of(owner->id, name);
	const int error = make_file(store_fd, name, &owner->fd);
	if (error != 0) {
		owner->id[0] = '\0';
		return w_fail(err, WRIT_E_SYSTEM, STAGE, error,
		    "cannot make '%s' in the store of changes", name);
	}
	/* It lives as long as the engine. */
	w_fd_lift(&owner->fd);
	w_fd_lift(&store_fd);
	owner->store_fd = w_take_fd(&store_fd);
	return WRIT_OK;
}

void
w_undo_owner_close(struct w_undo_owner *owner)
{
	char name[W_UNDO_OWNER_MAX + sizeof(PREFIX)];

	if (owner->fd < 0)
		return;
	name_of(owner->id, name);
	(void)unlinkat(owner->store_fd, name, 0);
	w_close(&owner->fd);
	w_close(&owner->store_fd);
	owner->id[0] = '\0';
}

/* A lock can be had: nobody has it. *out_fd keeps it. */
static bool
is_free(int store_fd, const char *name, int *out_fd)
{
	W_AUTO_FD int fd =
	    openat(store_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT;
	if (flock(fd, LOCK_SH | LOCK_NB) < 0)
		return false;
	*out_fd = w_take_fd(&fd);
	return true;
}

bool
w_undo_owner_lives(int store_fd, const char *id)
{
	char name[W_UNDO_OWNER_MAX + sizeof(PREFIX)];
	W_AUTO_FD int fd = -1;

	if (!w_change_store_is_id(id))
		return false;
	name_of(id, name);
	return !is_free(store_fd, name, &fd);
}

void
w_undo_owner_clean(int store_fd, const char *name)
{
	W_AUTO_FD int fd = -1;

	if (strncmp(name, PREFIX, strlen(PREFIX)) == 0 &&
	    is_free(store_fd, name, &fd) && fd >= 0)
		(void)unlinkat(store_fd, name, 0);
}
