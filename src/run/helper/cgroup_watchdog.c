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

struct watched {
	int fds[2]; /* the parent directory, the group */
	struct w_watch_request request;
};

/* Takes a request of the engine. 0: none will come, because it died. */
static int
take_request(struct watched *out_watched)
{
	size_t count = 2;

	long n = receive_fds(W_HELPER_SOCKET_FD, &out_watched->request,
	    sizeof(out_watched->request), out_watched->fds, &count);
	/* QUIT: the engine has cleaned up itself. End of file without it means
	 * that the engine died. */
	if (n > 0 && out_watched->request.kind == W_HELPER_REQUEST_QUIT)
		quit(0);
	return n == sizeof(out_watched->request) && count == 2;
}

_Noreturn void
cgroup_watchdog(void)
{
	/* The last is for a request to quit. */
	static struct watched watched[W_WATCHED_MAX + 1];
	size_t count = 0;
	struct pollfd fds[2] = {
	    {.fd = W_HELPER_SOCKET_FD, .events = POLLIN},
	    {.fd = W_HELPER_ENGINE_FD, .events = POLLIN},
	};

	/* Requests come first: the engine may have died right after one. */
	while (count <= W_WATCHED_MAX) {
		long n = w_sys5(__NR_ppoll, fds, 2, NULL, NULL, 0);

		if (n == -EINTR)
			continue;
		if (fds[0].revents == 0 || !take_request(&watched[count]))
			break;
		count++;
	}
	for (size_t i = 0; i < count; i++)
		group_kill(watched[i].fds[1]);
	for (size_t i = 0; i < count; i++)
		group_remove(watched[i].fds[0], watched[i].fds[1],
		    watched[i].request.name);
	quit(0);
}
