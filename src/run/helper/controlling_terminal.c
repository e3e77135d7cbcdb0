/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The terminal of a sandbox, opened inside its own view: the command finds it
 * under the name that ttyname() returns, and no other terminal of the machine.
 */

#include <asm/ioctls.h>
#include <fcntl.h>

#include "os/syscall.h"
#include "run/helper/helper.h"
#include "run/launch/child_setup.h"

static long
open_pair(int fds[2])
{
	const int unlocked = 0;

	long ret = w_sys4(__NR_openat, AT_FDCWD, "/dev/ptmx",
	    O_RDWR | O_NOCTTY | O_CLOEXEC, 0);
	if (ret < 0)
		return ret;
	fds[0] = (int)ret;
	ret = w_sys3(__NR_ioctl, fds[0], TIOCSPTLCK, &unlocked);
	if (ret < 0)
		return ret;
	ret = w_sys3(
	    __NR_ioctl, fds[0], TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
	fds[1] = (int)ret;
	return ret < 0 ? ret : 0;
}

long
terminal_make(void)
{
	const struct w_helper_event message = {.kind = W_HELPER_EVENT_TERMINAL};
	int fds[2] = {-1, -1};

	long ret = open_pair(fds);
	if (ret == 0)
		ret = w_child_lead_terminal(fds[1]);
	if (ret == 0)
		ret = send_fds(
		    W_HELPER_SOCKET_FD, &message, sizeof(message), fds, 2);
	for (int i = 0; i < 2; i++)
		(void)w_sys1(__NR_close, fds[i]);
	return ret < 0 ? ret : 0;
}
