/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The lock of a log's file: flock(), which the kernel releases however its
 * holder dies. The wait is bounded: a stopped holder (SIGSTOP, a debugger) must
 * not stop every run on the machine, so the lock is tried again after growing
 * naps, and in the end the caller learns who holds it. A crowd on a slow disk
 * is not a stopped holder: as long as the file grows, the timeout restarts.
 */

#include "log/log_state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "os/loop.h"

/* A line takes some microseconds; a sync some hundred. */
enum {
	NAP_FIRST_NS = 5000,
	NAP_MAX_NS = 2000000
};

static int
try_lock(int fd)
{
	int rc;

	do
		rc = flock(fd, LOCK_EX | LOCK_NB);
	while (rc < 0 && errno == EINTR);
	return rc < 0 ? errno : 0;
}

static off_t
size_of(int fd)
{
	struct stat st;

	return fstat(fd, &st) < 0 ? -1 : st.st_size;
}

/* Tries to get the lock until the timeout. */
static int
lock_within(int fd, unsigned ms)
{
	const uint64_t deadline = w_now_ns() + ms * W_NS_PER_MS;
	struct timespec nap = {.tv_nsec = NAP_FIRST_NS};
	int error = EWOULDBLOCK;

	while (error == EWOULDBLOCK && w_now_ns() < deadline) {
		(void)nanosleep(&nap, NULL);
		if (nap.tv_nsec < NAP_MAX_NS)
			nap.tv_nsec += nap.tv_nsec / 2;
		error = try_lock(fd);
	}
	return error;
}

int
w_log_lock(int fd, unsigned ms)
{
	int error = try_lock(fd);

	if (error != EWOULDBLOCK || ms == 0)
		return error;
	off_t before, now = size_of(fd);
	do {
		before = now;
		error = lock_within(fd, ms);
		now = size_of(fd);
	} while (error == EWOULDBLOCK && now != before);
	return error;
}

void
w_log_unlock(int fd)
{
	(void)flock(fd, LOCK_UN);
}

pid_t
w_log_lock_holder(int fd)
{
	struct stat st;
	char line[256];
	pid_t holder = 0;

	if (fstat(fd, &st) < 0)
		return 0;
	FILE *locks = fopen("/proc/locks", "re");
	if (locks == NULL)
		return 0;
	/* 1: FLOCK  ADVISORY  WRITE 4711 fe:00:131 0 EOF */
	while (holder == 0 && fgets(line, sizeof(line), locks) != NULL) {
		int pid;
		unsigned high, low;
		uint64_t inode;

		if (sscanf(line, "%*d: FLOCK %*s %*s %d %x:%x:%" SCNu64, &pid,
			&high, &low, &inode) == 4 &&
		    inode == st.st_ino && high == major(st.st_dev) &&
		    low == minor(st.st_dev))
			holder = pid;
	}
	(void)fclose(locks);
	return holder;
}
