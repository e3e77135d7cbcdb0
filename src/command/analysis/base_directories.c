/* SPDX-License-Identifier: Apache-2.0 */

/* The directories that relative paths may refer to. After "cd a; cmd" there are
 * two: a may not exist. */

#include <stdio.h>
#include <string.h>

#include "command/analysis/analyzer.h"

/* PATH_MAX. Without a limit a chain of short paths (git -C a -C a ...) would
 * take quadratic memory. */
#define PATH_BYTES_MAX 4096

static bool
base_directories_add_base(struct w_bases *bases, const char *path)
{
	for (size_t i = 0; i < bases->count; i++) {
		if (strcmp(bases->paths[i], path) == 0)
			return true;
	}
	if (bases->count == W_BASES_MAX)
		return false;
	bases->paths[bases->count++] = path;
	return true;
}

bool
w_bases_join(struct w_bases *bases, const struct w_bases *more)
{
	for (size_t i = 0; i < more->count; i++) {
		if (!base_directories_add_base(bases, more->paths[i]))
			return false;
	}
	return true;
}

/* "base/path" in new memory, with extra bytes of room; NULL: no memory, or too
 * long. */
static char *
join_base(struct w_analysis_shared *shared, const char *base, const char *path,
    size_t len)
{
	bool is_whole = len > 0 && path[0] == '/';
	size_t base_len = is_whole ? 0 : strlen(base);
	size_t size = base_len + len + 2;
	bool has_slash = base_len == 0 || base[base_len - 1] == '/';

	if (base_len + len > PATH_BYTES_MAX)
		return NULL;
	char *text = w_arena_alloc(shared->arena, size, 1);
	if (text == NULL) {
		shared->is_out_of_memory = true;
		return NULL;
	}
	(void)snprintf(text, size, "%.*s%s%.*s", (int)base_len, base,
	    has_slash ? "" : "/", (int)len, path);
	return text;
}

bool
w_bases_enter(struct w_analysis_shared *shared, struct w_bases *bases,
    const char *path, size_t len)
{
	const struct w_bases old = *bases;

	bases->count = 0;
	for (size_t i = 0; i < old.count; i++) {
		const char *text = join_base(shared, old.paths[i], path, len);

		if (text == NULL || !base_directories_add_base(bases, text)) {
			*bases = old;
			return false;
		}
	}
	return true;
}

static bool
ends_with_parent(const char *path, size_t len)
{
	return len >= 2 && memcmp(path + len - 2, "..", 2) == 0 &&
	       (len == 2 || path[len - 3] == '/');
}

/* Appends one component; ".." drops the last one, and is kept where there is
 * none. */
static size_t
base_directories_add_part(
    char *path, size_t len, const char *part, size_t part_len)
{
	bool is_parent = part_len == 2 && memcmp(part, "..", 2) == 0;

	if (part_len == 0 || (part_len == 1 && part[0] == '.'))
		return len;
	if (is_parent && len == 1 && path[0] == '/')
		return len;
	if (is_parent && len > 0 && !ends_with_parent(path, len)) {
		while (len > 0 && path[len - 1] != '/')
			len--;
		while (len > 1 && path[len - 1] == '/')
			len--;
		return len;
	}
	if (len > 0 && path[len - 1] != '/')
		path[len++] = '/';
	memmove(path + len, part, part_len);
	return len + part_len;
}

/* Works in place: the output never overtakes the input. */
static void
tidy(char *path)
{
	size_t total = strlen(path);
	size_t len = path[0] == '/' ? 1 : 0;

	for (size_t at = len; at < total;) {
		size_t part_len = strcspn(path + at, "/");

		len = base_directories_add_part(path, len, path + at, part_len);
		at += part_len + 1;
	}
	path[len] = '\0';
}

/* A "~" at the beginning is the home directory; ".." could leave it. */
bool
w_bases_home(
    struct w_analysis_shared *shared, struct w_bases *bases, const char *path)
{
	char *text = w_arena_text(shared->arena, path, strlen(path));

	if (text == NULL) {
		shared->is_out_of_memory = true;
		return false;
	}
	if (strstr(path, "..") != NULL)
		return false;
	tidy(text);
	bases->paths[0] = text;
	bases->count = 1;
	return true;
}

bool
w_bases_cd(
    struct w_analysis_shared *shared, struct w_bases *bases, const char *path)
{
	const struct w_bases old = *bases;

	bases->count = 0;
	for (size_t i = 0; i < old.count; i++) {
		char *text =
		    join_base(shared, old.paths[i], path, strlen(path));

		const bool is_home = old.paths[i][0] == '~' && path[0] != '/';

		if (text != NULL)
			tidy(text);
		if (text == NULL || (text[0] == '~') != is_home ||
		    (is_home && strstr(path, "..") != NULL) ||
		    !base_directories_add_base(bases, text)) {
			*bases = old;
			return false;
		}
	}
	return true;
}
