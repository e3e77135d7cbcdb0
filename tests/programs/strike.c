/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Sends a signal to its parent, as soon as it can and once more a little
 * later, then waits: `strike SIGNAL_NUMBER`. Ends after a minute.
 */

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	int sig = argc > 1 ? atoi(argv[1]) : 0;
	pid_t parent = getppid();

	(void)kill(parent, sig);
	(void)alarm(60);
	(void)usleep(20000);
	if (getppid() == parent)
		(void)kill(parent, sig);
	for (;;)
		(void)pause();
}
