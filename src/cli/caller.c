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

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/pid_stat.h"

#define ANCESTORS_MAX 64

/* Reads the beginning of /proc/PROCESS/NAME; adds a NUL. */
static bool
caller_read_text(const char *process, const char *name, char *text, size_t size)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%s/%s", process, name);
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return false;
	const size_t len = fread(text, 1, size - 1, file);
	(void)fclose(file);
	text[len] = '\0';
	return true;
}

/* 0: none, or unknown. */
static int
caller_parent_of(const char *process)
{
	char text[1024];
	struct w_pid_stat stat;

	return caller_read_text(process, "stat", text, sizeof(text)) &&
		       w_pid_stat_parse(text, &stat)
		   ? stat.parent
		   : 0;
}

static bool
is_beneath_run(const char *descendant)
{
	char cgroup[4096];
	int pid = caller_parent_of(descendant);

	for (int i = 0; i < ANCESTORS_MAX && pid > 0; i++) {
		char process[16];
		char name[32];

		(void)snprintf(process, sizeof(process), "%d", pid);
		/* writ-helper is PID 1 of a run's pid namespace. */
		if (caller_read_text(process, "comm", name, sizeof(name)) &&
		    (strcmp(name, "writ\n") == 0 ||
			strcmp(name, "writ-helper\n") == 0))
			return true;
		pid = caller_parent_of(process);
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
