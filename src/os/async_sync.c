/* SPDX-License-Identifier: Apache-2.0 */

/*
 * One asynchronous fdatasync() at a time, by the system calls that libaio
 * wraps. A sandbox or an old kernel may fail any of them (ENOSYS, EPERM), a
 * busy machine io_setup() (EAGAIN): then the plain call is made instead.
 */

#include "os/async_sync.h"

#include <errno.h>
#include <linux/aio_abi.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void
w_async_sync_init(struct w_async_sync *sync)
{
	*sync = (struct w_async_sync){0};
}

void
w_async_sync_done(struct w_async_sync *sync)
{
	if (sync->context != 0)
		(void)syscall(SYS_io_destroy, sync->context);
	*sync = (struct w_async_sync){0};
}

static bool
has_context(struct w_async_sync *sync)
{
	aio_context_t context = 0;

	if (sync->context != 0 || sync->is_refused)
		return !sync->is_refused;
	if (syscall(SYS_io_setup, 1, &context) < 0) {
		sync->is_refused = true;
		return false;
	}
	sync->context = context;
	return true;
}

static bool
submit(const struct w_async_sync *sync, int fd)
{
	struct iocb request = {
	    .aio_lio_opcode = IOCB_CMD_FDSYNC,
	    .aio_fildes = (uint32_t)fd,
	};
	struct iocb *requests[] = {&request};

	/* Not every file system supports it: EINVAL. */
	return syscall(SYS_io_submit, sync->context, 1, requests) == 1;
}

static void
sync_at_once(struct w_async_sync *sync, int fd)
{
	int rc;

	do
		rc = fdatasync(fd);
	while (rc < 0 && errno == EINTR);
	sync->error = rc < 0 ? errno : 0;
	sync->is_made = true;
}

int
w_async_sync_start(struct w_async_sync *sync, int fd)
{
	if (sync->is_busy)
		return EBUSY;
	if (!has_context(sync) || !submit(sync, fd))
		sync_at_once(sync, fd);
	sync->is_busy = true;
	return 0;
}

/* Reads the completion. false: not yet. */
static bool
async_sync_take_event(struct w_async_sync *sync)
{
	struct io_event event;
	struct timespec no_time = {0};
	long count;

	do
		count = syscall(
		    SYS_io_getevents, sync->context, 0, 1, &event, &no_time);
	while (count < 0 && errno == EINTR);
	if (count == 0)
		return false;
	sync->error = count < 0 ? errno : (int)-event.res;
	return true;
}

bool
w_async_sync_finish(struct w_async_sync *sync, int *out_error)
{
	if (!sync->is_busy || (!sync->is_made && !async_sync_take_event(sync)))
		return false;
	*out_error = sync->error;
	sync->is_busy = false;
	sync->is_made = false;
	return true;
}
