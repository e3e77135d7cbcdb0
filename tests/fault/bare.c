/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The command of strace-sweep: writes to both streams, leaves a process
 * behind, and exits with 7. Built "alone" it leaves none, built "endless" it
 * does not exit. It has no libc, so it makes no call whose failure could be
 * mistaken for one of writ's; what it does make, it tries again.
 */

#include "os/syscall.h"

void _start(void);

static void
write_all(int fd, const char *text, long len)
{
	while (w_sys3(__NR_write, fd, text, len) != len)
		continue;
}

#ifndef COMMAND_alone
static void
stay(void)
{
	for (;;)
		(void)w_sys5(__NR_ppoll, 0, 0, 0, 0, 0);
}

static void
leave_one_behind(void)
{
	enum {
		CHILD_SIGNAL = 17
	};
	long pid;

	do {
		pid = w_sys5(__NR_clone, CHILD_SIGNAL, 0, 0, 0, 0);
	} while (pid < 0);
	if (pid == 0)
		stay();
}
#endif

void
_start(void)
{
	enum {
		CODE = 7
	};

#ifndef COMMAND_alone
	leave_one_behind();
#endif
	write_all(1, "out\n", 4);
	write_all(2, "err\n", 4);
#ifdef COMMAND_endless
	stay();
#endif
	for (;;)
		(void)w_sys1(__NR_exit_group, CODE);
}
