/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Which programs of a project's commands are installed. A rule about a missing
 * program would look like a typo.
 */

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/setup/project.h"

bool
w_cli_project_has_program(const char *line, const char *dirs)
{
	while (dirs != NULL && *dirs != '\0') {
		const size_t len = strcspn(dirs, ":");
		char path[PATH_MAX];
		const int path_len = snprintf(path, sizeof(path), "%.*s/%.*s",
		    (int)len, dirs, (int)strcspn(line, " "), line);

		if (len > 0 && path_len > 0 &&
		    (size_t)path_len < sizeof(path) && access(path, X_OK) == 0)
			return true;
		dirs += len + (dirs[len] == ':');
	}
	return false;
}

void
w_cli_project_drop_missing(struct w_project *project, const char *dirs)
{
	struct w_words *commands = &project->commands;
	size_t kept = 0;

	for (size_t i = 0; i < commands->count; i++) {
		if (w_cli_project_has_program(commands->items[i], dirs))
			commands->items[kept++] = commands->items[i];
		else
			free(commands->items[i]);
	}
	commands->count = kept;
	if (commands->items != NULL)
		commands->items[kept] = NULL;
}
