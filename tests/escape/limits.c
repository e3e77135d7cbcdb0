/* SPDX-License-Identifier: Apache-2.0 */

/* Taking more than was given. Each stops by itself far above the limit that
 * the stage sets, and says OPEN then. */

#include "attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	MIB = 1 << 20,
	MEMORY_MIB = 256,
	PROCESSES = 120,
	FILES = 200,
	OUTPUT_MIB = 4,
	FILE_MIB = 8,
};

static int
take_memory(void)
{
	for (int i = 0; i < MEMORY_MIB; i++) {
		void *block = mmap(NULL, MIB, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (block == MAP_FAILED)
			return -errno;
		(void)memset(block, i, MIB);
		(void)usleep(1000);
	}
	return OPEN;
}

static int
take_processors(void)
{
	while (clock() < 2 * CLOCKS_PER_SEC)
		for (volatile int i = 0; i < 1000000; i++)
			continue;
	return OPEN;
}

static int
take_time(void)
{
	for (int i = 1; i < SIGRTMAX; i++)
		(void)signal(i, SIG_IGN);
	(void)sleep(4);
	return OPEN;
}

/* Every child waits until the last one was made. */
static int
take_processes(void)
{
	int made = 0;
	int gate[2];
	int error = 0;

	if (pipe(gate) < 0)
		return -errno;
	while (made < PROCESSES && error == 0) {
		const pid_t pid = fork();
		char nothing;

		if (pid == 0) {
			(void)close(gate[1]);
			(void)!read(gate[0], &nothing, 1);
			_exit(0);
		}
		if (pid < 0)
			error = errno;
		else
			made++;
	}
	/* Time to be counted, where the kernel did not refuse them. */
	if (error == 0)
		(void)sleep(3);
	(void)close(gate[1]);
	while (wait(NULL) > 0)
		continue;
	return -error;
}

static int
take_descriptors(void)
{
	for (int i = 0; i < FILES; i++)
		if (open("/dev/null", O_RDONLY | O_CLOEXEC) < 0)
			return -errno;
	return OPEN;
}

static int
fill(int fd, int mib)
{
	static char block[MIB];

	(void)memset(block, 'x', sizeof(block));
	for (int i = 0; i < mib; i++)
		for (size_t done = 0; done < sizeof(block);) {
			const ssize_t n =
			    write(fd, block + done, sizeof(block) - done);

			if (n < 0)
				return -errno;
			done += (size_t)n;
		}
	return OPEN;
}

static int
take_output(void)
{
	/* On the error stream: the answer is on the other. */
	return fill(2, OUTPUT_MIB);
}

static int
take_file(void)
{
	const char *const name = "escape-large";
	int result;
	int fd;

	if (chdir(own_directory()) < 0)
		return -errno;
	fd = open(name, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	(void)unlink(name);
	result = fill(fd, FILE_MIB);
	return result;
}

static int
take_disk(void)
{
	const char *tmp = getenv("TMPDIR");
	const char *const name = "escape-disk";
	int result;
	int fd;

	if (chdir(tmp != NULL ? tmp : "/tmp") < 0)
		return -errno;
	fd = open(name, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	result = fill(fd, FILE_MIB);
	/* The use of the disk is looked at from time to time. */
	if (result == OPEN)
		(void)sleep(3);
	(void)unlink(name);
	return result;
}

const struct attempt limit_attempts[] = {
    {"limit-memory", "take more memory", take_memory, true},
    {"limit-cpu", "take more processor time", take_processors, true},
    {"limit-time", "ignore every signal and stay", take_time, true},
    {"limit-processes", "make more processes", take_processes, true},
    {"limit-files", "open more files", take_descriptors, true},
    {"limit-output", "write more output", take_output, true},
    {"limit-file-size", "write a larger file", take_file, true},
    {"limit-disk", "fill the private TMPDIR", take_disk, true},
    {NULL, NULL, NULL, false},
};
