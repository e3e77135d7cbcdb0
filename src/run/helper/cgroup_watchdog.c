/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The guard of an engine: one process that waits for the engine to die.
 *
 * The engine cannot clean up after its own SIGKILL; this does. It watches a
 * pidfd of the engine, not the end of a pipe: a host that forks leaves copies
 * of the pipe behind, but only one process is the engine.
 */

#include <errno.h>
#include <poll.h>

#include "os/syscall.h"
#include "run/helper/helper.h"

/* Whether the engine says that it has cleaned up. End of file without a word
 * counts as its death. */
static int
has_quit(void)
{
	char message[2];

	long n = w_sys6(__NR_recvfrom, W_HELPER_SOCKET_FD, (long)message,
	    sizeof(message), 0, 0, 0);
	return n > 0 && message[0] == W_HELPER_REQUEST_QUIT;
}

_Noreturn void
cgroup_watchdog(const char *group_name)
{
	struct pollfd fds[2] = {
	    {.fd = W_HELPER_SOCKET_FD, .events = POLLIN},
	    {.fd = W_HELPER_ENGINE_FD, .events = POLLIN},
	};

	for (;;) {
		long n = w_sys5(__NR_ppoll, fds, 2, NULL, NULL, 0);

		if (n == -EINTR)
			continue;
		if (fds[0].revents != 0 && has_quit())
			quit(0);
		break;
	}
	group_kill();
	group_remove(group_name);
	quit(0);
}
