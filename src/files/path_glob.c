/* SPDX-License-Identifier: Apache-2.0 */

/* Globs over paths. */

#include "files/path_glob.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/basename.h"

enum {
	STEPS_MAX = 100000,
	BRACES_MAX = 64, /* patterns that one may stand for */
	GLOB_MAX = 1024,
};

struct glob_match {
	const char *start;
	unsigned steps;
};

/* A class after its '['; NULL: it has no end, and is text. */
static const char *
glob_match_class(const char *glob, char c, bool *out_is_in)
{
	const bool is_inverted = *glob == '!' || *glob == '^';
	bool is_in = false;

	if (is_inverted)
		glob++;
	for (const char *first = glob; *glob != '\0'; glob++) {
		if (*glob == ']' && glob > first) {
			*out_is_in = is_in != is_inverted && c != '/';
			return glob + 1;
		}
		if (glob[1] == '-' && glob[2] != ']' && glob[2] != '\0') {
			is_in |= c >= glob[0] && c <= glob[2];
			glob += 2;
		} else {
			is_in |= c == *glob;
		}
	}
	return NULL;
}

static bool glob_match_here(
    struct glob_match *match, const char *glob, const char *path);

/* A star: all that it can stand for, the shortest first. */
static bool
glob_match_star(struct glob_match *match, const char *glob, const char *path)
{
	const bool crosses = glob[1] == '*';
	const bool is_first = glob == match->start || glob[-1] == '/';

	if (crosses && is_first && glob[2] == '/') {
		for (;;) {
			if (glob_match_here(match, glob + 3, path))
				return true;
			const char *slash = strchr(path, '/');
			if (slash == NULL || match->steps == 0)
				return false;
			path = slash + 1;
		}
	}
	glob += crosses ? 2 : 1;
	for (;; path++) {
		if (glob_match_here(match, glob, path))
			return true;
		if (*path == '\0' || (!crosses && *path == '/') ||
		    match->steps == 0)
			return false;
	}
}

static bool
glob_match_here(struct glob_match *match, const char *glob, const char *path)
{
	for (; *glob != '\0'; path++) {
		const char *next = NULL;
		bool is_in = false;

		if (match->steps == 0)
			return false;
		match->steps--;
		if (*glob == '*')
			return glob_match_star(match, glob, path);
		if (*path == '\0')
			return false;
		if (*glob == '[')
			next = glob_match_class(glob + 1, *path, &is_in);
		if (next != NULL) {
			if (!is_in)
				return false;
			glob = next;
			continue;
		}
		if (*glob == '?' && *path != '/') {
			glob++;
			continue;
		}
		if (*glob == '\\' && glob[1] != '\0')
			glob++;
		if (*glob++ != *path)
			return false;
	}
	return *path == '\0';
}

bool
w_files_glob(const char *glob, const char *path)
{
	struct glob_match match = {.start = glob, .steps = STEPS_MAX};

	return glob_match_here(&match, glob, path);
}

/* ---- braces ---- */

static bool
glob_match_braces(const char *glob, const char *path, unsigned *left)
{
	const char *open = strchr(glob, '{');
	const char *close = open == NULL ? NULL : strchr(open, '}');
	char one[GLOB_MAX];

	if (*left == 0)
		return false;
	if (close == NULL) {
		(*left)--;
		return w_files_glob(glob, path);
	}
	for (const char *at = open; at < close;) {
		const size_t len = strcspn(at + 1, ",}");
		const int n = snprintf(one, sizeof(one), "%.*s%.*s%s",
		    (int)(open - glob), glob, (int)len, at + 1, close + 1);

		if (n < 0 || (size_t)n >= sizeof(one))
			return false;
		if (glob_match_braces(one, path, left))
			return true;
		at += len + 1;
	}
	return false;
}

bool
w_files_glob_any(const char *glob, const char *path)
{
	unsigned left = BRACES_MAX;

	if (strlen(glob) >= GLOB_MAX)
		return false;
	while (strncmp(glob, "./", 2) == 0)
		glob += 2;
	return glob_match_braces(
	    glob, strchr(glob, '/') == NULL ? w_basename(path) : path, &left);
}
