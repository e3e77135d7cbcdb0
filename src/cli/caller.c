/* SPDX-License-Identifier: Apache-2.0 */

/* Whether a command line is a person's. */

#include "cli/caller.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ANCESTORS_MAX 64

/* Where a pid namespace of writ begins, its helper is the first process. */
static bool
is_first_of_run(void)
{
	char name[32] = "";
	FILE *file = fopen("/proc/1/comm", "re");

	if (file == NULL)
		return false;
	const bool is_read = fgets(name, sizeof(name), file) != NULL;
	(void)fclose(file);
	return is_read && strncmp(name, "writ", strlen("writ")) == 0;
}

static bool
is_writ(pid_t pid, const struct stat *own)
{
	char path[64];
	struct stat st;

	(void)snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	return stat(path, &st) == 0 && st.st_dev == own->st_dev &&
	       st.st_ino == own->st_ino;
}

/* 0: there is none, or it cannot be told. */
static pid_t
parent_of(pid_t pid)
{
	char path[64];
	char text[512];
	int parent = 0;

	(void)snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return 0;
	/* The name in parentheses may hold anything. */
	const size_t len = fread(text, 1, sizeof(text) - 1, file);
	(void)fclose(file);
	text[len] = '\0';
	const char *end = strrchr(text, ')');
	if (end == NULL || sscanf(end + 1, " %*c %d", &parent) != 1)
		return 0;
	return parent;
}

static bool
is_beneath_run(void)
{
	struct stat own;
	pid_t pid = getppid();

	if (stat("/proc/self/exe", &own) < 0)
		return false;
	for (int i = 0; i < ANCESTORS_MAX && pid > 0; i++) {
		if (is_writ(pid, &own))
			return true;
		pid = parent_of(pid);
	}
	return is_first_of_run();
}

writ_caller
w_cli_caller(const char *agent)
{
	return agent != NULL || is_beneath_run() ? WRIT_CALLER_UNTRUSTED
						 : WRIT_CALLER_TRUSTED;
}
