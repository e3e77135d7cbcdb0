/* SPDX-License-Identifier: Apache-2.0 */

/* The file and the lock of a session that lives; see change_owner.h. */

#include "undo/change_owner.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/auto.h"
#include "os/file.h"
#include "undo/alive_file.h"
#include "undo/change_store.h"

#define STAGE "undo"
/* With a point it is no run's id. */
#define PREFIX "live."

static void
name_of(const char *id, char out[W_UNDO_OWNER_MAX + sizeof(PREFIX)])
{
	(void)snprintf(out, W_UNDO_OWNER_MAX + sizeof(PREFIX), PREFIX "%s", id);
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
	const int error = w_alive_file_make(store_fd, name, &owner->fd);
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

bool
w_undo_owner_lives(int store_fd, const char *id)
{
	char name[W_UNDO_OWNER_MAX + sizeof(PREFIX)];

	if (!w_change_store_is_id(id))
		return false;
	name_of(id, name);
	return !w_alive_file_is_free(store_fd, name);
}

void
w_undo_owner_clean(int store_fd, const char *name)
{
	if (strncmp(name, PREFIX, strlen(PREFIX)) == 0)
		w_alive_file_clean(store_fd, name);
}
