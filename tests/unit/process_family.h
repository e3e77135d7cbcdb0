/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_PROCESS_FAMILY_H
#define W_TEST_PROCESS_FAMILY_H

/* Processes by their parents. */

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	FAMILY_MAX = 256
};

struct family {
	pid_t pids[FAMILY_MAX];
	int count;
};

/* false: it is gone, or nothing but a status is left of it. */
static inline bool
read_parent(pid_t pid, pid_t *out_parent)
{
	char path[32], text[512], state;
	const char *after = NULL;
	int parent;

	(void)snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return false;
	if (fgets(text, sizeof(text), file) != NULL)
		after = strrchr(text, ')');
	(void)fclose(file);
	if (after == NULL || sscanf(after, ") %c %d", &state, &parent) != 2)
		return false;
	*out_parent = parent;
	return state != 'Z' && state != 'X';
}

/* The living children of a process. */
static inline struct family
children_of(pid_t parent)
{
	DIR *dir = opendir("/proc");
	const struct dirent *entry;
	struct family family = {.count = 0};

	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL && family.count < FAMILY_MAX) {
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10), its;

		if (pid > 0 && read_parent(pid, &its) && its == parent)
			family.pids[family.count++] = pid;
	}
	(void)closedir(dir);
	return family;
}

/* All below it. */
static inline struct family
descendants_of(pid_t parent)
{
	struct family all = children_of(parent);

	for (int i = 0; i < all.count; i++) {
		struct family more = children_of(all.pids[i]);

		for (int k = 0; k < more.count && all.count < FAMILY_MAX; k++)
			all.pids[all.count++] = more.pids[k];
	}
	return all;
}

/* How many of them are alive once nobody is, or after ten seconds. */
static inline int
settle_family(const struct family *family)
{
	int alive = family->count;

	for (int round = 0; round < 1000 && alive > 0; round++) {
		pid_t parent;

		alive = 0;
		for (int i = 0; i < family->count; i++)
			alive += read_parent(family->pids[i], &parent);
		if (alive > 0)
			(void)usleep(10000);
	}
	return alive;
}

#endif /* W_TEST_PROCESS_FAMILY_H */
