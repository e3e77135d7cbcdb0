/* SPDX-License-Identifier: Apache-2.0 */

/* Which walls stand, by what the kernel says of this process: in words of
 * writ's results, to hold these to the truth. */

#include "attempt.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct space {
	const char *layer;
	const char *kind;
} spaces[] = {
    {"userns", "user"},
    {"mountns", "mnt"},
    {"pidns", "pid"},
    {"netns", "net"},
    {"ipcns", "ipc"},
    {"utsns", "uts"},
    {"cgroupns", "cgroup"},
};

/* The namespace is not the one that the stage was set in. */
static bool
is_apart(const struct space *space)
{
	char path[64];
	char name[64];
	char id[64] = "";
	const char *host;

	(void)snprintf(name, sizeof(name), "ns_%s", space->kind);
	(void)snprintf(path, sizeof(path), "/proc/self/ns/%s", space->kind);
	host = fact(name);
	return host != NULL && readlink(path, id, sizeof(id) - 1) > 0 &&
	       strcmp(id, host) != 0;
}

/* A number of /proc/self/status; -1 without that line. */
static long long
number_of(const char *status, const char *line, int base)
{
	const char *at = strstr(status, line);

	return at == NULL ? -1 : strtoll(at + strlen(line), NULL, base);
}

static bool
has_no_capability(const char *status)
{
	return number_of(status, "\nCapInh:", 16) == 0 &&
	       number_of(status, "\nCapPrm:", 16) == 0 &&
	       number_of(status, "\nCapEff:", 16) == 0 &&
	       number_of(status, "\nCapBnd:", 16) == 0 &&
	       number_of(status, "\nCapAmb:", 16) == 0;
}

bool
has_landlock(void)
{
	/* Asks for the version: 1 is the flag. */
	return syscall(SYS_landlock_create_ruleset, NULL, 0UL, 1U) > 0;
}

int
show_walls(void)
{
	char status[8192] = "";
	const int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, status, sizeof(status) - 1) <= 0)
		return 3;
	if (number_of(status, "\nNoNewPrivs:", 10) == 1)
		(void)puts("no_new_privs");
	if (has_no_capability(status))
		(void)puts("capabilities");
	if (number_of(status, "\nSeccomp:", 10) == 2)
		(void)puts("seccomp");
	for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++)
		if (is_apart(&spaces[i]))
			(void)puts(spaces[i].layer);
	return 0;
}
