/* SPDX-License-Identifier: Apache-2.0 */

/* The directories of questions and grants, and the key of their files. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "audit/record/key_file.h"
#include "audit/record/trail.h"
#include "base/auto.h"
#include "engine/approval/approval_file.h"
#include "os/file.h"
#include "os/trust.h"

static writ_status
approval_store_check_dir(const char *path, int fd, writ_error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return w_fail(err, WRIT_E_SYSTEM, "approval", errno,
		    "cannot look at '%s'", path);
	/* The sticky bit would keep others from deleting files, but not from
	 * adding some. */
	if (!w_trust_is_foreign(&st))
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, "approval", 0,
	    "'%s' is not yours alone (owner %lu, mode %04o)", path,
	    (unsigned long)st.st_uid, (unsigned)(st.st_mode & 07777));
	w_suggest(err, "set WRIT_STATE_DIR to a directory of yours, or make it "
		       "so: chmod 700");
	return WRIT_E_INVALID;
}

/* *fd stays -1 if the directory is missing. One that was deleted meanwhile
 * is closed. */
static writ_status
approval_store_open_dir(
    const char *state_dir, const char *name, int *fd, writ_error *err)
{
	W_AUTO_FREE char *path = NULL;

	struct stat st;

	if (*fd >= 0 && fstat(*fd, &st) == 0 && st.st_nlink == 0)
		w_close(fd);
	if (*fd >= 0)
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
	writ_status status = approval_store_check_dir(path, dir, err);
	if (status == WRIT_OK)
		*fd = w_take_fd(&dir);
	return status;
}

/* The key is created with the first question. */
static writ_status
approval_store_read_key(struct w_approval_store *store, writ_error *err)
{
	uint8_t key[W_SHA256_KEY_SIZE];
	W_AUTO_FREE char *dir = NULL;

	if (store->has_key)
		return WRIT_OK;
	if (asprintf(&dir, "%s/%s", store->state_dir, W_TRAIL_DIR) < 0) {
		dir = NULL;
		return w_fail_nomem(err, "approval");
	}
	writ_status status = w_file_make_dirs(dir, 0700, err);
	if (status == WRIT_OK)
		status = w_audit_request_key_read(dir, key, err);
	if (status != WRIT_OK)
		return status;
	w_hmac_key_init(&store->key, key, sizeof(key));
	explicit_bzero(key, sizeof(key));
	store->has_key = true;
	return WRIT_OK;
}

writ_status
w_approval_store_refresh(struct w_approval_store *store, writ_error *err)
{
	writ_status status = approval_store_open_dir(
	    store->state_dir, W_APPROVALS_DIR, &store->queue_fd, err);

	if (status == WRIT_OK)
		status = approval_store_open_dir(
		    store->state_dir, W_GRANTS_DIR, &store->grants_fd, err);
	if (status == WRIT_OK &&
	    (store->queue_fd >= 0 || store->grants_fd >= 0))
		status = approval_store_read_key(store, err);
	return status;
}

static writ_status
approval_store_make_dir(
    const char *state_dir, const char *name, writ_error *err)
{
	W_AUTO_FREE char *path = NULL;

	if (asprintf(&path, "%s/%s", state_dir, name) < 0) {
		path = NULL;
		return w_fail_nomem(err, "approval");
	}
	return w_file_make_dirs(path, 0700, err);
}

writ_status
w_approval_store_create(struct w_approval_store *store, writ_error *err)
{
	writ_status status = WRIT_OK;

	if (store->queue_fd < 0)
		status = approval_store_make_dir(
		    store->state_dir, W_APPROVALS_DIR, err);
	if (status == WRIT_OK && store->grants_fd < 0)
		status = approval_store_make_dir(
		    store->state_dir, W_GRANTS_DIR, err);
	if (status == WRIT_OK)
		status = w_approval_store_refresh(store, err);
	return status;
}

writ_status
w_approval_store_open(
    struct w_approval_store *store, const char *state_dir, writ_error *err)
{
	*store = (struct w_approval_store){.queue_fd = -1, .grants_fd = -1};
	store->state_dir = strdup(state_dir);
	if (store->state_dir == NULL)
		return w_fail_nomem(err, "approval");
	writ_status status = w_trust_check_state(state_dir, err);
	if (status == WRIT_OK)
		status = w_approval_store_refresh(store, err);
	if (status != WRIT_OK)
		w_approval_store_close(store);
	return status;
}

void
w_approval_store_close(struct w_approval_store *store)
{
	w_close(&store->queue_fd);
	w_close(&store->grants_fd);
	free(store->state_dir);
	store->state_dir = NULL;
	explicit_bzero(&store->key, sizeof(store->key));
}
