/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A world that is the same each time, preloaded into what is counted.
 *
 * The clock moves by a microsecond each time it is read, and timers never end:
 * writ does some things again after a tenth of a second, and whatever counts is
 * far slower than the processor. And nobody has a grandparent: writ looks at
 * those who started it, and how many those are depends on who calls.
 */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum {
	CLOCKS = 16,
	NS_PER_S = 1000000000,
	STEP_NS = 1000
};

/* In place of the C library's. */
__attribute__((visibility("default"))) int
clock_gettime(clockid_t clock, struct timespec *out)
{
	static _Atomic long long at[CLOCKS];
	struct timespec real;

	if (clock < 0 || clock >= CLOCKS)
		return (int)syscall(SYS_clock_gettime, clock, out);
	if (atomic_load(&at[clock]) == 0) {
		if (syscall(SYS_clock_gettime, clock, &real) < 0)
			return -1;
		long long first = 0;
		(void)atomic_compare_exchange_strong(&at[clock], &first,
		    (long long)real.tv_sec * NS_PER_S + real.tv_nsec);
	}
	long long now = atomic_fetch_add(&at[clock], STEP_NS) + STEP_NS;
	out->tv_sec = (time_t)(now / NS_PER_S);
	out->tv_nsec = (long)(now % NS_PER_S);
	return 0;
}

/* In place of the C library's: the same call, but the timer stays off. */
__attribute__((visibility("default"))) int
timerfd_settime(
    int fd, int flags, const struct itimerspec *value, struct itimerspec *old)
{
	const struct itimerspec off = {.it_value = {0}};

	(void)value;
	return (int)syscall(SYS_timerfd_settime, fd, flags, &off, old);
}

/* In place of the C library's: who waits for an answer gets it. */
__attribute__((visibility("default"))) int
poll(struct pollfd *fds, nfds_t count, int timeout)
{
	return (int)syscall(SYS_poll, fds, count, timeout > 0 ? -1 : timeout);
}

/* The status of another process cannot be read. In place of the C library's
 * open64(), which open() is with large files. */
__attribute__((visibility("default"))) int
open(const char *path, int flags, ...)
{
	const size_t len = strlen(path);
	va_list rest;
	mode_t mode = 0;

	if (strncmp(path, "/proc/", 6) == 0 && path[6] >= '0' &&
	    path[6] <= '9' && strcmp(path + len - 5, "/stat") == 0) {
		errno = ENOENT;
		return -1;
	}
	va_start(rest, flags);
	if ((flags & O_CREAT) != 0)
		mode = va_arg(rest, mode_t);
	va_end(rest);
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
