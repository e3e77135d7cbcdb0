/* SPDX-License-Identifier: Apache-2.0 */

/* The directories of questions and grants, and the key of what is in them. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "audit/key_file.h"
#include "audit/trail.h"
#include "base/auto.h"
#include "engine/approval_file.h"
#include "os/file.h"
#include "os/trust.h"

static writ_status
check_dir(const char *path, int fd, writ_error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return w_fail(err, WRIT_E_SYSTEM, "approval", errno,
		    "cannot look at '%s'", path);
	/* The sticky bit would keep others from taking files away, but not
	 * from adding some. */
	if (!w_trust_is_foreign(&st))
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, "approval", 0,
	    "'%s' is not yours alone (owner %lu, mode %04o)", path,
	    (unsigned long)st.st_uid, (unsigned)(st.st_mode & 07777));
	w_suggest(err, "set WRIT_STATE_DIR to a directory of yours, or make it "
		       "so: chmod 700");
	return WRIT_E_INVALID;
}

/* What was deleted meanwhile is closed. */
static bool
is_there(int *fd)
{
	struct stat st;

	if (*fd >= 0 && fstat(*fd, &st) == 0 && st.st_nlink == 0)
		w_close(fd);
	return *fd >= 0;
}

/* *fd stays -1 where there is none. */
static writ_status
open_dir(const char *state_dir, const char *name, int *fd, writ_error *err)
{
	W_AUTO_FREE char *path = NULL;

	if (is_there(fd))
		return WRIT_OK;
	if (asprintf(&path, "%s/%s", state_dir, name) < 0) {
		path = NULL;
		return w_fail_nomem(err, "approval");
	}
	W_AUTO_FD int dir =
	    open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (dir < 0 && errno == ENOENT)
		return WRIT_OK;
	if (dir < 0)
		return w_fail(err, WRIT_E_SYSTEM, "approval", errno,
		    "cannot open '%s'", path);
	writ_status status = check_dir(path, dir, err);
	if (status == WRIT_OK)
		*fd = w_take_fd(&dir);
	return status;
}

/* The key is made when the first question is. */
static writ_status
read_key(struct w_desk *desk, writ_error *err)
{
	uint8_t key[W_SHA256_KEY_SIZE];
	W_AUTO_FREE char *dir = NULL;

	if (desk->has_key)
		return WRIT_OK;
	if (asprintf(&dir, "%s/%s", desk->state_dir, W_TRAIL_DIR) < 0) {
		dir = NULL;
		return w_fail_nomem(err, "approval");
	}
	writ_status status = w_file_make_dirs(dir, 0700, err);
	if (status == WRIT_OK)
		status = w_request_key_read(dir, key, err);
	if (status != WRIT_OK)
		return status;
	w_hmac_key_init(&desk->key, key, sizeof(key));
	explicit_bzero(key, sizeof(key));
	desk->has_key = true;
	return WRIT_OK;
}

writ_status
w_desk_look(struct w_desk *desk, writ_error *err)
{
	writ_status status =
	    open_dir(desk->state_dir, W_APPROVALS_DIR, &desk->queue_fd, err);

	if (status == WRIT_OK)
		status = open_dir(
		    desk->state_dir, W_GRANTS_DIR, &desk->grants_fd, err);
	if (status == WRIT_OK && (desk->queue_fd >= 0 || desk->grants_fd >= 0))
		status = read_key(desk, err);
	return status;
}

static writ_status
make_dir(const char *state_dir, const char *name, writ_error *err)
{
	W_AUTO_FREE char *path = NULL;

	if (asprintf(&path, "%s/%s", state_dir, name) < 0) {
		path = NULL;
		return w_fail_nomem(err, "approval");
	}
	return w_file_make_dirs(path, 0700, err);
}

writ_status
w_desk_make(struct w_desk *desk, writ_error *err)
{
	writ_status status = WRIT_OK;

	if (desk->queue_fd < 0)
		status = make_dir(desk->state_dir, W_APPROVALS_DIR, err);
	if (status == WRIT_OK && desk->grants_fd < 0)
		status = make_dir(desk->state_dir, W_GRANTS_DIR, err);
	if (status == WRIT_OK)
		status = w_desk_look(desk, err);
	return status;
}

writ_status
w_desk_open(struct w_desk *desk, const char *state_dir, writ_error *err)
{
	*desk = (struct w_desk){.queue_fd = -1, .grants_fd = -1};
	desk->state_dir = strdup(state_dir);
	if (desk->state_dir == NULL)
		return w_fail_nomem(err, "approval");
	writ_status status = w_trust_check_state(state_dir, err);
	if (status == WRIT_OK)
		status = w_desk_look(desk, err);
	if (status != WRIT_OK)
		w_desk_close(desk);
	return status;
}

void
w_desk_close(struct w_desk *desk)
{
	w_close(&desk->queue_fd);
	w_close(&desk->grants_fd);
	free(desk->state_dir);
	desk->state_dir = NULL;
	explicit_bzero(&desk->key, sizeof(desk->key));
}
