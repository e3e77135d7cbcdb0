/* SPDX-License-Identifier: Apache-2.0 */

/* Goes through a tree of directories. */

#include "files/tree_walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/words.h"
#include "files/file_place.h"
#include "files/ignore_rules.h"

enum {
	LEVELS_MAX = 64,
	ABOVE_MAX = 32, /* directories above that may have rules */
	NAMES_MAX = 100000,
	ENTRIES_MAX = 500000,
};

struct tree_state {
	struct w_files_walk *walk;
	char path[PATH_MAX]; /* of the current entry */
	size_t root_len;
	size_t seen;
	bool is_over;
};

static int
tree_walk_compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool
tree_walk_is_self(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* The names in a directory, sorted. Closes fd. */
static int
tree_walk_names(int fd, struct w_words *names)
{
	DIR *dir = fdopendir(fd);
	const struct dirent *entry;
	int error = 0;

	if (dir == NULL) {
		error = errno;
		(void)close(fd);
		return error;
	}
	while ((entry = readdir(dir)) != NULL && names->count < NAMES_MAX) {
		if (!tree_walk_is_self(entry->d_name) &&
		    !w_words_add(names, entry->d_name, strlen(entry->d_name)))
			error = ENOMEM;
	}
	(void)closedir(dir);
	if (names->count > 1)
		qsort(names->items, names->count, sizeof(*names->items),
		    tree_walk_compare);
	return error;
}

static int tree_walk_level(struct tree_state *state, unsigned level, int fd,
    const struct w_files_ignore *ignore);

static void
tree_walk_enter(struct tree_state *state, unsigned level, int dir_fd,
    const char *name, const struct w_files_ignore *above)
{
	struct w_files_walk *walk = state->walk;
	struct w_files_ignore ignore;

	if (walk->depth != 0 && level + 1 >= walk->depth)
		return;
	if (level + 1 == LEVELS_MAX) {
		walk->is_cut = true;
		return;
	}
	const int fd = openat(
	    dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return;
	w_files_ignore_init(&ignore, state->path, above);
	(void)tree_walk_level(state, level + 1, fd, &ignore);
	w_files_ignore_done(&ignore);
}

static void
tree_walk_visit(struct tree_state *state, unsigned level, int dir_fd,
    const char *name, const struct w_files_ignore *ignore)
{
	struct w_files_walk *walk = state->walk;
	struct w_files_entry entry = {
	    .below = state->path + state->root_len, .path = state->path};

	entry.below += *entry.below == '/';
	if (++state->seen > ENTRIES_MAX) {
		walk->is_cut = true;
		state->is_over = true;
		return;
	}
	if (fstatat(dir_fd, name, &entry.st, AT_SYMLINK_NOFOLLOW) < 0)
		return;
	const bool is_dir = S_ISDIR(entry.st.st_mode);
	if (!walk->has_ignored &&
	    w_files_is_ignored(ignore, state->path, is_dir)) {
		walk->has_left_out = true;
		return;
	}
	state->is_over = !walk->each(walk->ctx, &entry);
	if (is_dir && !state->is_over)
		tree_walk_enter(state, level, dir_fd, name, ignore);
}

static int
tree_walk_level(struct tree_state *state, unsigned level, int fd,
    const struct w_files_ignore *ignore)
{
	W_AUTO_WORDS struct w_words names = {0};
	W_AUTO_FD int dir_fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	const size_t len = strlen(state->path);
	const int error = tree_walk_names(fd, &names);

	if (dir_fd < 0 || error != 0)
		return error;
	state->walk->is_cut |= names.count == NAMES_MAX;
	for (size_t i = 0; i < names.count && !state->is_over; i++) {
		const int n = snprintf(state->path + len, PATH_MAX - len,
		    "%s%s", len == 1 ? "" : "/", names.items[i]);

		if (n > 0 && (size_t)n < PATH_MAX - len)
			tree_walk_visit(
			    state, level, dir_fd, names.items[i], ignore);
		state->path[len] = '\0';
	}
	return 0;
}

/* ---- the rules above ---- */

static bool
tree_walk_is_repository(const char *dir)
{
	char path[PATH_MAX];
	const int n = snprintf(path, sizeof(path), "%s/.git", dir);

	return n > 0 && (size_t)n < sizeof(path) && access(path, F_OK) == 0;
}

/* Cuts a path to the directory above. false: there is none. */
static bool
tree_walk_go_up(char *dir)
{
	char *slash = strrchr(dir, '/');

	if (slash == NULL || slash == dir)
		return false;
	*slash = '\0';
	return true;
}

/* Reads the rules from the top of the repository down to the directory. */
static size_t
tree_walk_rules(const char *path, struct w_files_ignore rules[ABOVE_MAX])
{
	char dir[PATH_MAX];
	size_t count = 1;

	(void)snprintf(dir, sizeof(dir), "%s", path);
	while (!tree_walk_is_repository(dir)) {
		if (!tree_walk_go_up(dir) || ++count > ABOVE_MAX) {
			count = 1; /* no repository */
			break;
		}
	}
	for (size_t i = 0; i < count; i++) {
		(void)snprintf(dir, sizeof(dir), "%s", path);
		for (size_t up = count - 1 - i; up > 0; up--)
			(void)tree_walk_go_up(dir);
		w_files_ignore_init(
		    &rules[i], dir, i == 0 ? NULL : &rules[i - 1]);
	}
	return count;
}

static int
tree_walk_root(const char *place, char path[PATH_MAX])
{
	char cwd[PATH_MAX];

	if (place[0] != '/' && getcwd(cwd, sizeof(cwd)) == NULL)
		return errno;
	const bool is_here = strcmp(place, ".") == 0;
	const int n = place[0] == '/'
			  ? snprintf(path, PATH_MAX, "%s", place)
			  : snprintf(path, PATH_MAX, "%s%s%s", cwd,
				is_here ? "" : "/", is_here ? "" : place);
	if (n < 0 || n >= PATH_MAX)
		return ENAMETOOLONG;
	for (size_t len = (size_t)n; len > 1 && path[len - 1] == '/'; len--)
		path[len - 1] = '\0';
	return 0;
}

int
w_files_walk(const char *place, struct w_files_walk *walk)
{
	W_AUTO_FREE struct tree_state *state = calloc(1, sizeof(*state));
	struct w_files_ignore rules[ABOVE_MAX];
	int fd = -1;

	if (state == NULL)
		return ENOMEM;
	state->walk = walk;
	int error = tree_walk_root(place, state->path);
	if (error == 0)
		error = w_files_open_dir(place, &fd);
	if (error != 0)
		return error;
	state->root_len = strlen(state->path);
	const size_t count = tree_walk_rules(state->path, rules);
	error = tree_walk_level(state, 0, fd, &rules[count - 1]);
	for (size_t i = 0; i < count; i++)
		w_files_ignore_done(&rules[i]);
	return error;
}
