/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The cgroup watchdog: a process that waits for its engine to die.
 *
 * An engine cannot clean up after its own SIGKILL, so the watchdog does. It
 * polls a pidfd of the engine, not the end of a pipe: a host that forks keeps
 * copies of the pipe open, but the pidfd means exactly one process.
 */

#include <errno.h>
#include <poll.h>

#include "os/syscall.h"
#include "run/helper/helper.h"

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
		if (fds[0].revents != 0) {
			char message[2];

			/* QUIT: the engine has cleaned up itself. End of file
			 * without it means that the engine died. */
			n = w_sys6(__NR_recvfrom, W_HELPER_SOCKET_FD,
			    (long)message, sizeof(message), 0, 0, 0);
			if (n > 0 && message[0] == W_HELPER_REQUEST_QUIT)
				quit(0);
		}
		break;
	}
	group_kill();
	group_remove(group_name);
	quit(0);
}
