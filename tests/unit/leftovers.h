/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_LEFTOVERS_H
#define W_TEST_LEFTOVERS_H

/* What a run may have left behind: descriptors, children, processes. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static inline int
count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int count = 0;

	assert_non_null(dir);
	while (readdir(dir) != NULL)
		count++;
	(void)closedir(dir);
	return count;
}

/* Whether this process has a child, alive or not yet reaped; also one that ends
 * without a signal. */
static inline int
has_child(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) ==
		   0 ||
	       errno != ECHILD;
}

static inline int
file_holds(const char *path, const char *word)
{
	static char text[65536];
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return 0;
	ssize_t len = read(fd, text, sizeof(text));
	(void)close(fd);
	return len > 0 && memmem(text, (size_t)len, word, strlen(word)) != NULL;
}

/* How many living processes of this machine have this in their environment. */
static inline int
count_marked(const char *mark)
{
	DIR *dir = opendir("/proc");
	const struct dirent *entry;
	char path[64];
	int count = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] < '0' || entry->d_name[0] > '9')
			continue;
		(void)snprintf(
		    path, sizeof(path), "/proc/%.20s/environ", entry->d_name);
		count += file_holds(path, mark);
	}
	(void)closedir(dir);
	return count;
}

/* The count once it is what is hoped for, or after ten seconds. */
static inline int
settle_marked(const char *mark, int hoped)
{
	int count = count_marked(mark);

	for (int i = 0; i < 1000 && count != hoped; i++) {
		(void)usleep(10000);
		count = count_marked(mark);
	}
	return count;
}

#endif /* W_TEST_LEFTOVERS_H */
