/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A fork bomb with an end: makes up to COUNT processes that sleep, and says on
 * standard output how many it could make.
 *
 *     forks COUNT [SECONDS]
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	COUNT_MAX = 300
};

int
main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 0;
	unsigned life_s = argc > 2 ? (unsigned)atoi(argv[2]) : 20;
	int made = 0;

	if (count < 1 || count > COUNT_MAX)
		return 96;
	(void)alarm(life_s);
	while (made < count) {
		pid_t pid = fork();

		if (pid < 0)
			break;
		made++;
		if (pid > 0)
			continue;
		/* Half of them wander off into sessions of their own. */
		if (made % 2 == 0)
			(void)setsid();
		(void)alarm(life_s);
		for (;;)
			(void)pause();
	}
	(void)printf("%d\n", made);
	(void)fflush(stdout);
	(void)pause();
	return 0;
}
