/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs away: `runner COUNT` keeps COUNT processes alive, each of which makes
 * its successor and ends at once. A list of their pids is old before it has
 * been read. After two seconds they stop.
 */

#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
	COUNT_MAX = 16,
	LIFE_S = 2
};

static time_t
now_s(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

static _Noreturn void
run_away(time_t end)
{
	while (now_s() < end) {
		pid_t pid = fork();

		if (pid > 0)
			_exit(0);
		if (pid == 0)
			(void)setsid();
	}
	_exit(0);
}

int
main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 0;

	if (count < 1 || count > COUNT_MAX)
		return 96;
	for (int sig = 1; sig < NSIG; sig++)
		(void)signal(sig, SIG_IGN);
	for (int i = 0; i < count; i++) {
		if (fork() == 0)
			run_away(now_s() + LIFE_S);
	}
	for (;;)
		(void)pause();
}
