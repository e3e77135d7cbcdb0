/* SPDX-License-Identifier: Apache-2.0 */

/* Loads a filter that the parent built. */

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "os/syscall.h"
#include "sandbox/child/enter.h"

/* From Linux 5.19; missing in older headers. */
#define WAIT_KILLABLE_RECV (1UL << 5)

/*
 * SECCOMP_FILTER_FLAG_SPEC_ALLOW is not set: since Linux 5.16 a filter enables
 * speculation mitigations only if the administrator asked for that; then a
 * sandbox should have them.
 */
long
w_enter_seccomp(
    const struct sock_filter *filter, size_t count, int wants_listener)
{
	/* The kernel only reads it. */
	union {
		const struct sock_filter *in;
		struct sock_filter *out;
	} code = {.in = filter};
	struct sock_fprog prog = {
	    .len = (unsigned short)count,
	    .filter = code.out,
	};

	if (!wants_listener)
		return w_sys3(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog);
	/* A call that waits for the listener's answer must not be restarted by
	 * every signal: programs with interval timers would make no
	 * progress. */
	unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
	long fd = w_sys3(__NR_seccomp, SECCOMP_SET_MODE_FILTER,
	    flags | WAIT_KILLABLE_RECV, &prog);
	if (fd == -EINVAL)
		fd =
		    w_sys3(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags, &prog);
	return fd;
}
