/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads the signals that end a run from a signalfd.
 */

#include "cli/output/signals.h"

#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>

#include "base/error.h"

int
w_signals_open(writ_error *err)
{
	static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	sigset_t blocked;
	sigset_t read;

	(void)sigemptyset(&read);
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		(void)sigaddset(&read, ending[i]);

	/* Blocked but never read: a write fails with EPIPE or EFBIG instead,
	 * and writ can still end the run. */
	blocked = read;
	(void)sigaddset(&blocked, SIGPIPE);
	(void)sigaddset(&blocked, SIGXFSZ);
	(void)sigprocmask(SIG_BLOCK, &blocked, NULL);

	int fd = signalfd(-1, &read, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		(void)w_fail(err, WRIT_E_SYSTEM, "signals", errno,
		    "cannot read signals");
	return fd;
}

bool
w_signals_is_ignored(int signal)
{
	struct sigaction action;

	return sigaction(signal, NULL, &action) == 0 &&
	       action.sa_handler == SIG_IGN;
}
