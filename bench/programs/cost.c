/* SPDX-License-Identifier: Apache-2.0 */

/*
 * cost SECONDS COMMAND...: runs a command with /dev/null as its streams and
 * prints, when it is over, seconds of time, KiB of its most memory, and its
 * exit status (a signal: negative); then, when all that it left is over too,
 * seconds of processor time of the whole. After SECONDS it is killed.
 *
 * A program of its own, since the kernel counts the memory of who starts a
 * process as that process's own, and a measuring script is not small.
 */

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pid_t child;

static void
end_child(int number)
{
	(void)number;
	(void)kill(child, SIGKILL);
}

static double
now(void)
{
	struct timespec at;
	(void)clock_gettime(CLOCK_MONOTONIC, &at);
	return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static double
cpu_of(const struct rusage *usage)
{
	return (double)usage->ru_utime.tv_sec + (double)usage->ru_stime.tv_sec +
	       (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) /
		   1e6;
}

/* What outlived its parent came to us: its cost is counted too. */
static double
cpu_of_the_rest(void)
{
	struct rusage usage;
	double cpu = 0;

	while (wait4(-1, NULL, 0, &usage) > 0)
		cpu += cpu_of(&usage);
	return cpu;
}

static int
start(char **argv)
{
	posix_spawn_file_actions_t actions;

	if (posix_spawn_file_actions_init(&actions) != 0)
		return -1;
	for (int fd = 0; fd < 3; fd++)
		if (posix_spawn_file_actions_addopen(
			&actions, fd, "/dev/null", O_RDWR, 0) != 0)
			return -1;
	return posix_spawnp(&child, argv[0], &actions, NULL, argv, environ);
}

int
main(int argc, char **argv)
{
	struct rusage usage;
	int status;

	if (argc < 3 || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
		return 2;
	(void)signal(SIGALRM, end_child);

	double began = now();
	if (start(argv + 2) != 0)
		return 2;
	(void)alarm((unsigned)atoi(argv[1]));
	while (wait4(child, &status, 0, &usage) < 0)
		continue;
	double took = now() - began;
	(void)alarm(0);

	/* Who looks for what was left has to know when to. */
	printf("%.6f %ld %d\n", took, usage.ru_maxrss,
	    WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
	(void)fflush(stdout);
	printf("%.6f\n", cpu_of(&usage) + cpu_of_the_rest());
	return 0;
}
