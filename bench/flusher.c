/* SPDX-License-Identifier: Apache-2.0 */

/* Syncing in the background by the kernel's own AIO; see flusher.h. */

#include "flusher.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	EVERY_NS = 10000000
};

bool
flusher_open(struct flusher *flusher)
{
	*flusher = (struct flusher){0};
	return syscall(SYS_io_setup, 1, &flusher->context) == 0;
}

static void
collect(struct flusher *flusher, long least)
{
	const struct timespec at_once = {0};
	struct io_event event;

	if (!flusher->is_busy)
		return;
	if (syscall(SYS_io_getevents, flusher->context, least, 1, &event,
		least > 0 ? NULL : &at_once) == 1) {
		flusher->is_busy = false;
		flusher->count++;
	}
}

bool
flusher_is_due(struct flusher *flusher, uint64_t now_ns)
{
	if (now_ns < flusher->next_ns)
		return false;
	collect(flusher, 0);
	return !flusher->is_busy;
}

bool
flusher_start(struct flusher *flusher, int fd, uint64_t now_ns)
{
	struct iocb block = {
	    .aio_lio_opcode = IOCB_CMD_FDSYNC,
	    .aio_fildes = (uint32_t)fd,
	};
	struct iocb *list[] = {&block};

	flusher->next_ns = now_ns + EVERY_NS;
	flusher->is_busy =
	    syscall(SYS_io_submit, flusher->context, 1, list) == 1;
	return flusher->is_busy;
}

void
flusher_close(struct flusher *flusher)
{
	collect(flusher, 1);
	(void)syscall(SYS_io_destroy, flusher->context);
}
