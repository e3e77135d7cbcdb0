/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Who is at the other end.
 *
 * No sandbox shows the socket. This is the second lock: a run that reached it
 * all the same could type into the terminal of another one, outside of its own
 * walls. What cannot be read is taken for a no.
 */

#include "cli/attach/attach_peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "cli/caller.h"

#define STATUS_MAX 8192

static bool
is_same_namespace(int pid, const char *name)
{
	char path[64];
	struct stat ours;
	struct stat theirs;

	(void)snprintf(path, sizeof(path), "/proc/self/ns/%s", name);
	if (stat(path, &ours) != 0)
		return false;
	(void)snprintf(path, sizeof(path), "/proc/%d/ns/%s", pid, name);
	return stat(path, &theirs) == 0 && ours.st_ino == theirs.st_ino &&
	       ours.st_dev == theirs.st_dev;
}

/* A number of /proc/PROCESS/status; -1: it cannot be read. */
static long
status_number(const char *process, const char *key)
{
	char path[64];
	char text[STATUS_MAX];

	(void)snprintf(path, sizeof(path), "/proc/%s/status", process);
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return -1;
	const size_t len = fread(text, 1, sizeof(text) - 1, file);
	(void)fclose(file);
	text[len] = '\0';
	const char *at = strstr(text, key);
	return at == NULL ? -1 : strtol(at + strlen(key), NULL, 10);
}

static bool
has_no_more(int pid, const char *key)
{
	char process[16];

	(void)snprintf(process, sizeof(process), "%d", pid);
	const long theirs = status_number(process, key);
	return theirs >= 0 && theirs <= status_number("self", key);
}

bool
w_attach_peer_is_trusted(int fd)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) != 0 ||
	    peer.uid != geteuid() || peer.pid <= 0)
		return false;
	return is_same_namespace(peer.pid, "user") &&
	       is_same_namespace(peer.pid, "mnt") &&
	       is_same_namespace(peer.pid, "pid") &&
	       has_no_more(peer.pid, "\nNoNewPrivs:") &&
	       has_no_more(peer.pid, "\nSeccomp:") &&
	       !w_cli_is_beneath_run(peer.pid);
}
