/* SPDX-License-Identifier: Apache-2.0 */

/* Which wall stands before a path; see denial_wall.h. */

#include "run/denials/denial_wall.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/path/real_path.h"
#include "sandbox/profile/profile_loader.h"

/* As many as the kernel follows. */
enum {
	LINKS_MAX = 40
};

static const char *const wall_words[] = {
#define X(name, word) [W_DENIAL_WALL_##name] = (word),
    W_DENIAL_WALL_MAP(X)
#undef X
};

const char *
w_denial_wall_word(enum w_denial_wall wall)
{
	return wall_words[wall];
}

/* ---- the wall ---- */

static enum w_denial_wall
wall_of_readable(const struct w_denial_context *context, const char *path)
{
	/* A command that says what it writes gets no mount that could be
	 * guarded: then the name tells. */
	return w_real_paths_covering(&context->resolved->guarded, path) !=
			   NULL ||
		       w_profile_is_protected_name(path)
		   ? W_DENIAL_WALL_PROTECTED
		   : W_DENIAL_WALL_READ_ONLY;
}

static enum w_denial_wall
wall_by_lists(const struct w_denial_context *context, const char *path)
{
	const struct w_resolved_profile *resolved = context->resolved;

	if (w_resolved_profile_allows(resolved, path, W_MAY_WRITE))
		return W_DENIAL_WALL_NONE;
	if (w_resolved_profile_allows(resolved, path, W_MAY_READ))
		return wall_of_readable(context, path);
	return w_real_paths_covering(&resolved->hidden, path) != NULL
		   ? W_DENIAL_WALL_HIDDEN
		   : W_DENIAL_WALL_UNSEEN;
}

/* By the profile alone, without a look at the file system. */
static enum w_denial_wall
wall_before(const struct w_denial_context *context, const char *path)
{
	if (!context->has_view)
		return wall_by_lists(context, path);

	const struct w_mount_entry *place = w_denial_place_of(context, path);
	switch (place->visibility) {
	case W_VISIBILITY_EMPTY:
		/* A private directory can be written. */
		return place->is_per_run ? W_DENIAL_WALL_NONE
					 : W_DENIAL_WALL_UNSEEN;
	case W_VISIBILITY_HIDDEN:
		return W_DENIAL_WALL_HIDDEN;
	case W_VISIBILITY_READ:
		return wall_of_readable(context, path);
	case W_VISIBILITY_WRITE:
		break;
	}
	return W_DENIAL_WALL_NONE;
}

/* Whether the command sees the machine's own file there. */
static bool
is_shown(const struct w_denial_context *context, const char *path)
{
	const enum w_denial_wall wall = wall_before(context, path);

	if (wall == W_DENIAL_WALL_HIDDEN || wall == W_DENIAL_WALL_UNSEEN)
		return false;
	return !context->has_view ||
	       w_denial_place_of(context, path)->visibility !=
		   W_VISIBILITY_EMPTY;
}

/* Replaces path[0..end), a link, by its target. false: it leads nowhere. */
static bool
follow(char path[PATH_MAX], size_t end)
{
	char target[PATH_MAX];
	char joined[PATH_MAX];
	char head[PATH_MAX];
	size_t parent = end;

	(void)snprintf(head, sizeof(head), "%.*s", (int)end, path);
	const ssize_t n = readlink(head, target, sizeof(target) - 1);
	if (n <= 0)
		return false;
	target[n] = '\0';
	while (parent > 0 && path[parent - 1] != '/')
		parent--;
	const int len = snprintf(joined, sizeof(joined), "%.*s%s%s",
	    target[0] == '/' ? 0 : (int)parent, path, target, path + end);
	if (len < 0 || len >= PATH_MAX)
		return false;
	memcpy(path, joined, (size_t)len + 1);
	w_denial_flatten_path(path);
	return true;
}

/* The end of the first link in a path; 0: none that the command could see. */
static size_t
find_link(const struct w_denial_context *context, const char *path)
{
	char head[PATH_MAX];
	struct stat st;

	for (size_t end = 1; path[end - 1] != '\0'; end++) {
		if (path[end] != '/' && path[end] != '\0')
			continue;
		(void)snprintf(head, sizeof(head), "%.*s", (int)end, path);
		if (is_shown(context, head)) {
			if (lstat(head, &st) < 0)
				return 0;
			if (S_ISLNK(st.st_mode))
				return end;
		}
		if (path[end] == '\0')
			break;
	}
	return 0;
}

/* The kernel's own file systems have rules of their own. */
static bool
is_kernels(const char *path)
{
	return w_real_path_covers("/proc", path) ||
	       w_real_path_covers("/sys", path) ||
	       w_real_path_covers("/dev", path);
}

enum w_denial_wall
w_denial_wall_of(const struct w_denial_context *context, const char *path,
    char out_path[PATH_MAX])
{
	const int len = snprintf(out_path, PATH_MAX, "%s", path);
	size_t end;

	if (len <= 0 || len >= PATH_MAX || path[0] != '/')
		return W_DENIAL_WALL_NONE;
	w_denial_flatten_path(out_path);
	for (int i = 0; (end = find_link(context, out_path)) > 0; i++) {
		if (i == LINKS_MAX || !follow(out_path, end))
			return W_DENIAL_WALL_NONE;
	}
	return is_kernels(out_path) ? W_DENIAL_WALL_NONE
				    : wall_before(context, out_path);
}

/* ---- what to ask for ---- */

static bool
is_system(const char *path)
{
	static const char *const dirs[] = {"/bin", "/boot", "/etc", "/run",
	    "/sbin", "/usr/local/bin", "/usr/local/sbin", NULL};

	for (size_t i = 0; dirs[i] != NULL; i++) {
		if (w_real_path_covers(dirs[i], path))
			return true;
	}
	return strncmp(path, "/lib", 4) == 0 || is_kernels(path) ||
	       (w_real_path_covers("/usr", path) &&
		   !w_real_path_covers("/usr/local", path));
}

/* What starts with a dot in the home directory configures programs or is run by
 * them, and so is ~/bin: there only caches are proposed. */
static bool
is_trusted_place(const struct w_denial_context *context, const char *path)
{
	static const char *const caches[] = {"/.bun/install/cache", "/.cache",
	    "/.cargo/git", "/.cargo/registry", "/.gradle/caches",
	    "/.local/share/pnpm", "/.m2/repository", "/.npm",
	    "/.nuget/packages"};
	const char *home = context->resolved->home;
	const size_t len = strlen(home);

	if (len <= 1 || !w_real_path_covers(home, path))
		return false;
	for (size_t i = 0; i < sizeof(caches) / sizeof(*caches); i++) {
		if (w_real_path_covers(caches[i], path + len))
			return false;
	}
	return path[len] == '\0' || path[len + 1] == '.' ||
	       w_real_path_covers("/bin", path + len);
}

static bool
may_propose(const struct w_denial_context *context, const char *path)
{
	const char *state_dir = context->state_dir;

	return strchr(path + 1, '/') != NULL && !is_system(path) &&
	       !is_trusted_place(context, path) &&
	       !w_real_path_covers(path, context->resolved->home) &&
	       (state_dir == NULL || (!w_real_path_covers(path, state_dir) &&
					 !w_real_path_covers(state_dir, path)));
}

/* The directory of a tool in ~/.cache, instead of one of the hundreds in it. */
static void
widen(const struct w_denial_context *context, char path[PATH_MAX])
{
	static const char *const caches[] = {"/.cache/", "/.npm/"};
	const char *home = context->resolved->home;
	const size_t home_len = strlen(home);

	if (!w_real_path_covers(home, path) || home_len <= 1)
		return;
	if (strncmp(path + home_len, caches[0], strlen(caches[0])) == 0) {
		char *end = strchr(path + home_len + strlen(caches[0]), '/');

		if (end != NULL)
			*end = '\0';
	} else if (strncmp(path + home_len, caches[1], strlen(caches[1])) ==
		   0) {
		path[home_len + strlen(caches[1]) - 1] = '\0';
	}
}

bool
w_denial_wall_ask(const struct w_denial_context *context, const char *path,
    char out_path[PATH_MAX])
{
	struct stat st;

	/* The profile of READONLY takes no paths to write. */
	if (!w_walls_can_write(context->resolved->walls))
		return false;
	(void)snprintf(out_path, PATH_MAX, "%s", path);
	/* What a profile names must exist. */
	while (lstat(out_path, &st) < 0 || !S_ISDIR(st.st_mode)) {
		char *slash = strrchr(out_path, '/');

		if (slash == NULL || slash == out_path)
			return false;
		*slash = '\0';
	}
	widen(context, out_path);
	return may_propose(context, out_path) &&
	       wall_before(context, out_path) == W_DENIAL_WALL_READ_ONLY &&
	       faccessat(AT_FDCWD, out_path, W_OK, AT_EACCESS) == 0;
}
