/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_REAL_H
#define W_TEST_REAL_H

/* The real interpreter beside ours: a program is run in a directory of its own,
 * and what it leaves there is looked at. */

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/wait.h>

#include "sampling.h"
#include "temp.h"

/* How many generated cases; WRIT_TEST_ROUNDS asks for more. */
static inline size_t
real_rounds(size_t usual)
{
	const char *wanted = getenv("WRIT_TEST_ROUNDS");

	return wanted != NULL ? strtoul(wanted, NULL, 10)
			      : usual / sample_step();
}

/* The same numbers in every run. */
static inline uint32_t
real_random(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525U + 1013904223U;
	return (uint32_t)(((uint64_t)*seed * below) >> 32);
}

static inline bool
real_is_there(const char *program)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/usr/bin/%s", program);
	return access(path, X_OK) == 0;
}

/* In the directory, without input or output, for at most two seconds. */
static inline void
real_run(const struct temp *temp, const char *const *argv)
{
	char path[] = "PATH=/usr/bin:/bin";
	char locale[] = "LC_ALL=C.UTF-8";
	char *env[] = {path, locale, NULL};
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		int null = open("/dev/null", O_RDWR | O_CLOEXEC);

		if (fchdir(temp->fd) != 0 || dup2(null, 0) < 0 ||
		    dup2(null, 1) < 0 || dup2(null, 2) < 0)
			_exit(99);
		(void)alarm(2);
		(void)execvpe(argv[0], (char *const *)(uintptr_t)argv, env);
		_exit(98);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(!WIFEXITED(status) || WEXITSTATUS(status) < 98 ||
		    WEXITSTATUS(status) > 99);
}

/* Calls see() for each file but those whose names begin with "in", and takes
 * it away. */
static inline void
real_sweep(const struct temp *temp, void (*see)(void *ctx, const char *name),
    void *ctx)
{
	DIR *dir = opendir(temp->path);
	const struct dirent *entry;

	assert_non_null(dir);
	for (entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
		if (entry->d_name[0] == '.' ||
		    strncmp(entry->d_name, "in", 2) == 0)
			continue;
		see(ctx, entry->d_name);
		(void)unlinkat(temp->fd, entry->d_name, 0);
	}
	(void)closedir(dir);
}

#endif /* W_TEST_REAL_H */
