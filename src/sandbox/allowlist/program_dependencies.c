/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The files that a program needs but does not name in its own file: the helpers
 * that it executes and the directories that it loads modules from.
 *
 * Helpers that are ordinary programs (a compiler's as and ld) must be listed
 * explicitly.
 */

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "base/basename.h"
#include "sandbox/allowlist/program_allowlist.h"

#define STAGE "sandbox"

static const char *const library_dirs[] = {"/usr/lib", "/usr/lib64",
    "/usr/libexec", "/usr/local/lib", "/usr/local/lib64", "/usr/local/libexec"};

static const struct dependency {
	const char *program; /* a glob */
	const char *dir;     /* a glob, in a library directory */
	bool is_executed;
} dependencies[] = {
    {"git", "git-core", true},
    {"git-*", "git-core", true},
    {"cpp", "gcc*", true},
    {"g++", "gcc*", true},
    {"gcc", "gcc*", true},
    {"*-cpp-[0-9]*", "gcc*", true},
    {"*-g++-[0-9]*", "gcc*", true},
    {"*-gcc-[0-9]*", "gcc*", true},
    {"guile*", "guile*", false},
    {"lua*", "lua*", false},
    {"node*", "node_modules", false},
    {"perl*", "perl*", false},
    {"php*", "php*", false},
    {"pypy*", "pypy*", false},
    {"python*", "python*", false},
    {"R", "R", false},
    {"ruby*", "ruby*", false},
    {"tclsh*", "tcl*", false},
};

static writ_status
program_dependencies_search(struct w_allowlist *allowlist, const char *dir,
    const struct dependency *dependency, writ_error *err)
{
	DIR *stream = opendir(dir);
	writ_status status = WRIT_OK;
	const struct dirent *entry;
	char path[512];

	if (stream == NULL)
		return errno == ENOMEM ? w_fail_nomem(err, STAGE) : WRIT_OK;
	while (status == WRIT_OK && (entry = readdir(stream)) != NULL) {
		if (entry->d_name[0] == '.' ||
		    fnmatch(dependency->dir, entry->d_name, 0) != 0)
			continue;
		(void)snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
		status =
		    dependency->is_executed
			? w_allowlist_add_program(allowlist, path, err)
			: w_allowlist_add_area(allowlist, path, false, err);
	}
	(void)closedir(stream);
	return status;
}

static writ_status
add_named(struct w_allowlist *allowlist, const char *name, writ_error *err)
{
	const size_t dirs = sizeof(library_dirs) / sizeof(library_dirs[0]);
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < sizeof(dependencies) / sizeof(dependencies[0]);
	     i++) {
		if (fnmatch(dependencies[i].program, name, 0) != 0)
			continue;
		for (size_t d = 0; status == WRIT_OK && d < dirs; d++)
			status = program_dependencies_search(
			    allowlist, library_dirs[d], &dependencies[i], err);
	}
	return status;
}

/* PREFIX/bin/NAME has its libraries in PREFIX/lib. Not for the system's: their
 * loader finds them, and /usr/lib holds much else. */
static writ_status
add_prefix(struct w_allowlist *allowlist, const char *path, writ_error *err)
{
	static const char *const system[] = {"", "/usr", "/usr/local"};
	static const char *const libraries[] = {"lib", "lib64"};
	W_AUTO_FREE char *dir =
	    strndup(path, (size_t)(w_basename(path) - path - 1));
	writ_status status = WRIT_OK;
	char lib[PATH_MAX];

	if (dir == NULL)
		return w_fail_nomem(err, STAGE);
	char *slash = strrchr(dir, '/');
	if (slash == NULL || fnmatch("*bin", slash + 1, 0) != 0)
		return WRIT_OK;
	*slash = '\0';
	for (size_t i = 0; i < sizeof(system) / sizeof(system[0]); i++) {
		if (strcmp(dir, system[i]) == 0)
			return WRIT_OK;
	}
	for (size_t i = 0; status == WRIT_OK && i < 2; i++) {
		int len =
		    snprintf(lib, sizeof(lib), "%s/%s", dir, libraries[i]);

		if (len > 0 && (size_t)len < sizeof(lib))
			status =
			    w_allowlist_add_area(allowlist, lib, false, err);
	}
	return status;
}

writ_status
w_allowlist_add_dependencies(
    struct w_allowlist *allowlist, const char *path, writ_error *err)
{
	writ_status status = add_named(allowlist, w_basename(path), err);

	return status == WRIT_OK ? add_prefix(allowlist, path, err) : status;
}
