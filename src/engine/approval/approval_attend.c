/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Whether somebody answers questions.
 *
 * Each process that does holds a read lock on a file in the queue, which the
 * kernel releases when the process ends, however it ends. Who asks only queries
 * the lock. The file says nothing else: a process that holds the lock and never
 * answers makes others wait until their questions expire, as they would
 * without it.
 */

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/auto.h"
#include "engine/approval/approval_state.h"

#define ATTENDED "attended"

static int
open_attended(const writ_approvals *approvals, int flags)
{
	return openat(approvals->store.queue_fd, ATTENDED,
	    flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
}

writ_status
writ_approvals_attend(writ_approvals *approvals, writ_error *err)
{
	struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};

	if (approvals->attend_fd >= 0)
		return WRIT_OK;
	writ_status status = w_approval_store_create(&approvals->store, err);
	if (status != WRIT_OK)
		return status;
	W_AUTO_FD int fd = open_attended(approvals, O_RDWR | O_CREAT);
	if (fd < 0 || fcntl(fd, F_OFD_SETLK, &lock) < 0)
		return w_fail(err, WRIT_E_SYSTEM, "approval", errno,
		    "cannot lock '%s/%s/" ATTENDED "'",
		    approvals->store.state_dir, W_APPROVALS_DIR);
	approvals->attend_fd = w_take_fd(&fd);
	return WRIT_OK;
}

bool
writ_approvals_is_attended(writ_approvals *approvals)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	if (w_approval_store_refresh(&approvals->store, NULL) != WRIT_OK ||
	    approvals->store.queue_fd < 0)
		return false;
	W_AUTO_FD int fd = open_attended(approvals, O_RDWR);
	return fd >= 0 && fcntl(fd, F_OFD_GETLK, &lock) == 0 &&
	       lock.l_type != F_UNLCK;
}
