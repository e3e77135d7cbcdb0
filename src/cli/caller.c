/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Whether a command line is a person's.
 *
 * Everything is read from /proc, whose numbers need not be those that getpid()
 * gives: a run may be in a pid namespace and see the /proc from outside. Names
 * are looked at, not files: what runs in another user namespace does not show
 * its file. A process that calls itself writ without being it only loses trust.
 */

#include "cli/caller.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

#define ANCESTORS_MAX 64

/* The beginning of a file below /proc, as a text. */
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

/* Also the first process of the pid namespace that a run is in. */
static bool
is_writ(const char *process)
{
	char name[32];

	return caller_read_text(process, "comm", name, sizeof(name)) &&
	       (strcmp(name, "writ\n") == 0 ||
		   strcmp(name, "writ-helper\n") == 0);
}

/* 0: there is none, or it cannot be told. */
static int
caller_parent_of(const char *process)
{
	char text[512];
	int parent = 0;

	if (!caller_read_text(process, "stat", text, sizeof(text)))
		return 0;
	/* The name in parentheses may hold anything. */
	const char *end = strrchr(text, ')');
	if (end == NULL || sscanf(end + 1, " %*c %d", &parent) != 1)
		return 0;
	return parent;
}

/* A process that was left behind has other parents, but the same group. */
static bool
is_in_group_of_run(void)
{
	char text[4096];

	return caller_read_text("self", "cgroup", text, sizeof(text)) &&
	       (strstr(text, "/writ.") != NULL ||
		   strstr(text, "/writ-limits.") != NULL);
}

static bool
is_beneath_run(void)
{
	int pid = caller_parent_of("self");

	for (int i = 0; i < ANCESTORS_MAX && pid > 0; i++) {
		char process[16];

		(void)snprintf(process, sizeof(process), "%d", pid);
		if (is_writ(process))
			return true;
		pid = caller_parent_of(process);
	}
	return is_in_group_of_run();
}

writ_caller
w_cli_caller(void)
{
	return is_beneath_run() ? WRIT_CALLER_UNTRUSTED : WRIT_CALLER_TRUSTED;
}

writ_caller
w_cli_caller_of(const writ_request *request)
{
	const bool asks = request->sandbox != NULL || request->read != NULL ||
			  request->write != NULL || request->best_effort ||
			  request->network != WRIT_NETWORK_DEFAULT ||
			  request->env_mode != WRIT_ENV_MINIMAL ||
			  isatty(STDERR_FILENO) == 1;

	return request->agent != NULL || !asks ? WRIT_CALLER_UNTRUSTED
					       : w_cli_caller();
}

writ_status
w_cli_caller_raw(const char *agent, writ_error *err)
{
	if (agent == NULL && w_cli_caller() == WRIT_CALLER_TRUSTED)
		return WRIT_OK;
	return w_fail(err, WRIT_E_INVALID, "raw", 0,
	    agent != NULL ? "--raw is for a person, and this is asked for by "
			    "an agent"
			  : "--raw is for a person at the command line, and "
			    "this is beneath a run of writ");
}
