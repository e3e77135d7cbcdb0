/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Decides whether a person typed the command line.
 *
 * Everything is read from /proc. Its pids may differ from getpid(): a run can
 * be in a pid namespace and still see the outer /proc. The check uses process
 * names (comm), because /proc/PID/exe of a process in another user namespace
 * cannot be read. A process that fakes the name "writ" only loses trust.
 */

#include "cli/caller.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"

#define ANCESTORS_MAX 64
#define NAME_ROOM     32 /* the kernel keeps 15 bytes */

/* Reads the beginning of /proc/PROCESS/NAME; adds a NUL. These files are made
 * whole when they are read, so one read gets all that fits. */
static bool
caller_read_text(const char *process, const char *name, char *text, size_t size)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%s/%s", process, name);
	W_AUTO_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
	const ssize_t len = fd < 0 ? -1 : read(fd, text, size - 1);
	if (len < 0)
		return false;
	text[len] = '\0';
	return true;
}

/* Its name and its parent, from /proc/PROCESS/stat: "PID (name) S PARENT ...".
 * The name may have any byte in it, also ')'; nothing behind it has one. false:
 * there is none, or it is unknown. */
static bool
look_at(const char *process, char name[NAME_ROOM], int *out_parent)
{
	char text[1024];

	if (!caller_read_text(process, "stat", text, sizeof(text)))
		return false;
	const char *begin = strchr(text, '(');
	const char *end = strrchr(text, ')');
	if (begin == NULL || end == NULL || end <= begin || strlen(end) < 4)
		return false;
	const size_t len = (size_t)(end - begin - 1);
	(void)snprintf(name, NAME_ROOM, "%.*s",
	    (int)(len < NAME_ROOM ? len : NAME_ROOM - 1), begin + 1);
	*out_parent = (int)strtol(end + 4, NULL, 10);
	return true;
}

static bool
is_beneath_run(const char *descendant)
{
	char cgroup[4096];
	char name[NAME_ROOM];
	char process[16];
	int pid = 0;

	(void)look_at(descendant, name, &pid);
	for (int i = 0; i < ANCESTORS_MAX && pid > 0; i++) {
		(void)snprintf(process, sizeof(process), "%d", pid);
		pid = 0;
		/* writ-helper is PID 1 of a run's pid namespace. */
		if (look_at(process, name, &pid) &&
		    (strcmp(name, "writ") == 0 ||
			strcmp(name, "writ-helper") == 0))
			return true;
	}
	/* An orphan was reparented, but it stays in the run's cgroup. */
	return caller_read_text(descendant, "cgroup", cgroup, sizeof(cgroup)) &&
	       (strstr(cgroup, "/writ.") != NULL ||
		   strstr(cgroup, "/writ-limits.") != NULL);
}

bool
w_cli_is_beneath_run(int pid)
{
	char process[16];

	(void)snprintf(process, sizeof(process), "%d", pid);
	return is_beneath_run(process);
}

writ_caller
w_cli_caller(void)
{
	return is_beneath_run("self") ? WRIT_CALLER_UNTRUSTED
				      : WRIT_CALLER_TRUSTED;
}

writ_caller
w_cli_caller_of(const writ_request *request)
{
	const bool needs_trust =
	    request->sandbox != NULL || request->read != NULL ||
	    request->write != NULL || request->best_effort ||
	    request->network != WRIT_NETWORK_DEFAULT ||
	    request->hosts != NULL || request->env_mode != WRIT_ENV_MINIMAL ||
	    isatty(STDERR_FILENO) == 1;

	return request->agent != NULL || !needs_trust ? WRIT_CALLER_UNTRUSTED
						      : w_cli_caller();
}

writ_status
w_cli_check_raw(const char *agent, writ_error *err)
{
	if (agent == NULL && w_cli_caller() == WRIT_CALLER_TRUSTED)
		return WRIT_OK;
	return w_fail(err, WRIT_E_INVALID, "raw", 0,
	    agent != NULL
		? "--raw is for a person, and an agent asked for this run"
		: "--raw is for a person at the command line, and this runs "
		  "inside another writ run");
}
