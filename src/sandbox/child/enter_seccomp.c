/* SPDX-License-Identifier: Apache-2.0 */

/* Loads a filter that the parent built. */

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "os/syscall.h"
#include "sandbox/child/enter.h"

/* From Linux 5.19; unknown to older headers. */
#define WAIT_KILLABLE_RECV (1UL << 5)

/*
 * SECCOMP_FILTER_FLAG_SPEC_ALLOW stays out: since Linux 5.16 a filter turns
 * speculation mitigations on only where the administrator asked for it, and
 * then a sandbox is what was meant.
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
	/* A call that waits for its answer is not restarted by every signal:
	 * programs that live by timers would get nowhere. */
	unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
	long fd = w_sys3(__NR_seccomp, SECCOMP_SET_MODE_FILTER,
	    flags | WAIT_KILLABLE_RECV, &prog);
	if (fd == -EINVAL)
		fd =
		    w_sys3(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags, &prog);
	return fd;
}
