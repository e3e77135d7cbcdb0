/* SPDX-License-Identifier: Apache-2.0 */

/* Finds the installed files of package managers. */

#include "engine/hosts/manager_tools.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "os/resolve.h"

enum {
	VERSIONS_MAX = 64 /* directories that are looked into */
};

/* Replaces the file name, and levels - 1 directories above it, by rest. false:
 * too long. */
static bool
beside(const char *path, int levels, const char *rest, char out[PATH_MAX])
{
	const char *end = path + strlen(path);

	for (int i = 0; i < levels; i++) {
		while (end > path && end[-1] != '/')
			end--;
		if (end > path)
			end--;
	}
	const int len =
	    snprintf(out, PATH_MAX, "%.*s/%s", (int)(end - path), path, rest);
	return len > 0 && len < PATH_MAX;
}

/* The program, as it is found; false: none that may be believed. */
static bool
find_program(
    const struct w_manager_tools *tools, const char *name, char out[PATH_MAX])
{
	const char *at = tools->path == NULL ? "" : tools->path;

	while (*at != '\0') {
		const size_t len = strcspn(at, ":");
		const int got =
		    snprintf(out, PATH_MAX, "%.*s/%s", (int)len, at, name);

		/* A relative place is the project's. */
		if (at[0] == '/' && got > 0 && got < PATH_MAX &&
		    tools->may_use(tools->ctx, out) && access(out, X_OK) == 0)
			return true;
		at += len + (at[len] != '\0');
	}
	return false;
}

static void
put(const struct w_manager_tools *tools, const char *path)
{
	W_AUTO_FREE char *real = w_resolve_real(path);

	tools->file(tools->ctx, real != NULL ? real : path);
}

/* Files named after each directory that begins so: "/lib/python3.11/...". */
static void
put_versions(const struct w_manager_tools *tools, const char *dir,
    const char *beginning, const char *const *rests)
{
	char path[PATH_MAX];
	DIR *open_dir = opendir(dir);
	const struct dirent *entry;
	int count = 0;

	while (open_dir != NULL && count < VERSIONS_MAX &&
	       (entry = readdir(open_dir)) != NULL) {
		if (entry->d_name[0] == '.' ||
		    strncmp(entry->d_name, beginning, strlen(beginning)) != 0)
			continue;
		count++;
		for (size_t i = 0; rests[i] != NULL; i++) {
			const int len = snprintf(path, sizeof(path), "%s/%s/%s",
			    dir, entry->d_name, rests[i]);

			if (len > 0 && (size_t)len < sizeof(path) &&
			    access(path, F_OK) == 0)
				put(tools, path);
		}
	}
	if (open_dir != NULL)
		(void)closedir(open_dir);
}

/* ---- each of them ---- */

static void
find_npm(const struct w_manager_tools *tools)
{
	static const char definitions[] =
	    "@npmcli/config/lib/definitions/definitions.js";
	char program[PATH_MAX], path[PATH_MAX], rest[128];

	if (!find_program(tools, "npm", program))
		return;
	/* NPM/bin/npm-cli.js */
	W_AUTO_FREE char *real = w_resolve_real(program);
	if (real == NULL)
		return;
	(void)snprintf(rest, sizeof(rest), "node_modules/%s", definitions);
	if (beside(real, 2, rest, path))
		put(tools, path);
	/* Debian has its parts side by side. */
	if (beside(real, 3, definitions, path))
		put(tools, path);
	if (beside(real, 2, "lib/utils/config/definitions.js", path))
		put(tools, path);
}

static void
find_pip_below(const struct w_manager_tools *tools, const char *prefix)
{
	static const char *const rests[] = {
	    "site-packages/pip/_internal/models/index.py",
	    "dist-packages/pip/_internal/models/index.py", NULL};
	char lib[PATH_MAX];
	const int len = snprintf(lib, sizeof(lib), "%s/lib", prefix);

	if (len > 0 && (size_t)len < sizeof(lib))
		put_versions(tools, lib, "python3", rests);
}

/* PREFIX/bin/pip. What pyenv has there starts one of PREFIX/versions. */
static void
find_pip(const struct w_manager_tools *tools)
{
	char program[PATH_MAX], prefix[PATH_MAX], versions[PATH_MAX];
	const struct dirent *entry;

	if ((!find_program(tools, "pip", program) &&
		!find_program(tools, "pip3", program) &&
		!find_program(tools, "python3", program)) ||
	    !beside(program, 2, "", prefix) ||
	    !beside(program, 2, "versions", versions))
		return;
	find_pip_below(tools, prefix);
	DIR *dir =
	    strstr(program, "/shims/") != NULL ? opendir(versions) : NULL;
	for (int count = 0; dir != NULL && count < VERSIONS_MAX &&
			    (entry = readdir(dir)) != NULL;
	     count++) {
		const int len = snprintf(
		    prefix, sizeof(prefix), "%s/%s", versions, entry->d_name);

		if (entry->d_name[0] != '.' && len > 0 &&
		    (size_t)len < sizeof(prefix))
			find_pip_below(tools, prefix);
	}
	if (dir != NULL)
		(void)closedir(dir);
}

/* GOROOT/bin/go */
static void
find_go(const struct w_manager_tools *tools)
{
	char program[PATH_MAX], path[PATH_MAX];

	if (!find_program(tools, "go", program))
		return;
	W_AUTO_FREE char *real = w_resolve_real(program);
	if (real == NULL)
		return;
	if (beside(real, 2, "go.env", path))
		put(tools, path);
	if (beside(real, 2, "src/cmd/go/internal/cfg/cfg.go", path))
		put(tools, path);
}

void
w_manager_tools_find(const struct w_manager_tools *tools, const char *name)
{
	if (strcmp(name, "@npm") == 0)
		find_npm(tools);
	else if (strcmp(name, "@pip") == 0)
		find_pip(tools);
	else if (strcmp(name, "@go") == 0)
		find_go(tools);
}
