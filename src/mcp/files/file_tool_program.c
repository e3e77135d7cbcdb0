/* SPDX-License-Identifier: Apache-2.0 */

/* Finds writ-file: beside this program (in a build), or where it is installed:
 * ../libexec/writ beside the directory of this program. */

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mcp/files/file_tools.h"

#define PROGRAM "writ-file"

char *
w_mcp_file_program(void)
{
	static const char *const places[] = {"%s/" PROGRAM,
	    "%s/../libexec/writ/" PROGRAM, WRIT_LIBEXECDIR "/" PROGRAM};
	char own[PATH_MAX], path[PATH_MAX + 64];
	const ssize_t len = readlink("/proc/self/exe", own, sizeof(own) - 1);

	if (len <= 0)
		return NULL;
	own[len] = '\0';
	char *slash = strrchr(own, '/');
	if (slash == NULL)
		return NULL;
	*slash = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (places[i][0] == '/')
			(void)snprintf(path, sizeof(path), "%s", places[i]);
		else
			(void)snprintf(path, sizeof(path), "%s%s", own,
			    places[i] + strlen("%s"));
		if (access(path, X_OK) == 0)
			return realpath(path, NULL);
	}
	return NULL;
}
