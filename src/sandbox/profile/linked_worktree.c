/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Linked work trees of git.
 *
 * There .git is a file that names COMMON/worktrees/NAME, and the repository
 * itself (COMMON) lies elsewhere. git needs objects, refs, logs and packed-refs
 * of it and its own directory NAME. packed-refs and its like are replaced by a
 * rename, so COMMON itself must be writable; whatever else is in it is
 * protected, also the state of the other work trees.
 *
 * Who writes a .git file must not get at another repository by it. So all three
 * links have to agree: .git names COMMON/worktrees/NAME, commondir in there
 * names COMMON, and gitdir in there names this very .git. Otherwise nothing is
 * made writable, as for any directory outside.
 */

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "os/file.h"
#include "sandbox/profile/linked_worktree.h"
#include "sandbox/profile/profile_resolver.h"

#define STAGE "sandbox"

enum {
	NAMES_MAX = 512 /* entries of a directory whose names are read */
};

struct linked_worktree {
	char own[PATH_MAX];    /* COMMON/worktrees/NAME */
	char common[PATH_MAX]; /* COMMON */
};

/* ---- finding it ---- */

/* Reads a path that is the one line of a file, and resolves it from dir. */
static bool
read_link_file(
    const char *dir, const char *name, const char *prefix, char out[PATH_MAX])
{
	char text[PATH_MAX + 16];
	W_AUTO_FREE char *path = NULL;
	const size_t skip = strlen(prefix);
	struct stat found;
	W_AUTO_FD int dir_fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (dir_fd < 0 ||
	    fstatat(dir_fd, name, &found, AT_SYMLINK_NOFOLLOW) < 0 ||
	    !S_ISREG(found.st_mode) || found.st_size >= (off_t)sizeof(text))
		return false;
	const ssize_t len = w_file_read_at(dir_fd, name, text, sizeof(text));
	if (len <= 0 || strlen(text) != (size_t)len ||
	    strncmp(text, prefix, skip) != 0)
		return false;
	char *start = text + skip;
	start[strcspn(start, "\r\n")] = '\0';
	if (start[0] == '\0')
		return false;
	if (asprintf(&path, "%s%s%s", start[0] == '/' ? "" : dir,
		start[0] == '/' ? "" : "/", start) < 0) {
		path = NULL;
		return false;
	}
	return realpath(path, out) != NULL;
}

/* Cuts the last part of a path; its name, or NULL. */
static const char *
cut_name(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash == NULL || slash == path)
		return NULL;
	*slash = '\0';
	return slash + 1;
}

/* Whether .git in the root is a file that names a work tree, and all links
 * agree. */
static bool
linked_worktree_find(const char *root, struct linked_worktree *out_tree)
{
	char named[PATH_MAX];
	const size_t root_len = strlen(root);

	if (!read_link_file(root, ".git", "gitdir: ", out_tree->own))
		return false;
	memcpy(out_tree->common, out_tree->own, sizeof(out_tree->common));
	if (cut_name(out_tree->common) == NULL)
		return false;
	const char *folder = cut_name(out_tree->common);
	if (folder == NULL || strcmp(folder, "worktrees") != 0)
		return false;
	if (!read_link_file(out_tree->own, "commondir", "", named) ||
	    strcmp(named, out_tree->common) != 0)
		return false;
	return read_link_file(out_tree->own, "gitdir", "", named) &&
	       strncmp(named, root, root_len) == 0 &&
	       strcmp(named + root_len, "/.git") == 0;
}

bool
w_profile_find_repository(const char *root, char out_path[PATH_MAX])
{
	struct linked_worktree *tree = calloc(1, sizeof(*tree));
	const bool is_linked = tree != NULL && linked_worktree_find(root, tree);

	if (is_linked)
		memcpy(out_path, tree->common, sizeof(tree->common));
	free(tree);
	return is_linked;
}

/* ---- protecting the rest ---- */

/* What git changes there from a linked work tree. */
static bool
is_shared_part(const char *name)
{
	static const char *const names[] = {"objects", "refs", "logs",
	    "packed-refs", "packed-refs.new", "shallow", "gc.pid", "gc.log",
	    "rr-cache", "lfs", "info", "worktrees"};
	const size_t len = strlen(name);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], name) == 0)
			return true;
	}
	return len > 5 && strcmp(name + len - 5, ".lock") == 0;
}

static void
close_dir(DIR **dir)
{
	if (*dir != NULL)
		(void)closedir(*dir);
}

/* Protects each entry of a directory but the spared ones. *out_all is false if
 * it has too many, or cannot be read. */
static writ_status
guard_entries(struct w_profile_resolver *resolver, const char *path,
    const char *spared, bool *out_all, writ_error *err)
{
	__attribute__((cleanup(close_dir))) DIR *dir = opendir(path);
	const struct dirent *entry;
	size_t count = 0;

	*out_all = false;
	if (dir == NULL)
		return WRIT_OK;
	while ((entry = readdir(dir)) != NULL) {
		const char *name = entry->d_name;

		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
		    (spared != NULL ? strcmp(name, spared) == 0
				    : is_shared_part(name)))
			continue;
		if (++count > NAMES_MAX || strchr(name, '\n') != NULL)
			return WRIT_OK;
		writ_status status =
		    w_profile_guard_beneath(resolver, path, name, err);
		if (status != WRIT_OK)
			return status;
	}
	*out_all = true;
	return WRIT_OK;
}

/* Those that do not exist are reported when a command has made them. */
static writ_status
guard_names(struct w_profile_resolver *resolver, const char *dir,
    const char *const *names, writ_error *err)
{
	writ_status status = WRIT_OK;

	for (; status == WRIT_OK && *names != NULL; names++)
		status = w_profile_guard_beneath(resolver, dir, *names, err);
	return status;
}

static writ_status
linked_worktree_guard(struct w_profile_resolver *resolver,
    const struct linked_worktree *tree, bool *out_all, writ_error *err)
{
	static const char *const in_common[] = {"hooks", "config",
	    "config.worktree", "commondir", "gitdir", "info/attributes", NULL};
	static const char *const in_own[] = {
	    "config", "config.worktree", "commondir", "gitdir", "hooks", NULL};
	char folder[PATH_MAX];

	memcpy(folder, tree->own, sizeof(folder));
	const char *name = cut_name(folder);
	writ_status status =
	    guard_entries(resolver, tree->common, NULL, out_all, err);
	if (status == WRIT_OK && *out_all)
		status = guard_entries(resolver, folder, name, out_all, err);
	if (status == WRIT_OK && *out_all)
		status = guard_names(resolver, tree->common, in_common, err);
	if (status == WRIT_OK && *out_all)
		status = guard_names(resolver, tree->own, in_own, err);
	return status;
}

/* ---- making it writable ---- */

/* Whether it may become writable: a directory that no rule of the profile is
 * about. A repository around its work tree, or one with the home directory or
 * writ's state in it, stays as it is. */
static bool
may_open(const struct w_profile_resolver *resolver, const char *root,
    const struct linked_worktree *tree)
{
	const struct w_resolved_profile *resolved = resolver->resolved;
	const char *common = tree->common;

	return !w_real_path_covers(common, root) &&
	       !w_real_path_covers(common, resolver->home) &&
	       (resolver->state_dir == NULL ||
		   !w_real_path_covers(common, resolver->state_dir)) &&
	       !w_resolved_profile_is_writable(resolved, common) &&
	       w_real_paths_covering(&resolver->roots, common) == NULL &&
	       w_real_paths_covering(&resolved->hidden, common) == NULL &&
	       w_real_paths_covering(&resolved->guarded, common) == NULL;
}

/* Drops the entries of a list from the given one on. */
static void
cut_list(struct w_real_paths *list, size_t count)
{
	while (list->count > count)
		w_real_path_done(&list->items[--list->count]);
}

/* The grant comes first: what a link in the repository leads to is guarded only
 * where something is writable. */
static writ_status
open_common(struct w_profile_resolver *resolver,
    const struct linked_worktree *tree, unsigned may, writ_error *err)
{
	const struct w_real_path_query query = {.what = "write",
	    .link = W_REAL_PATH_LINK_SKIP,
	    .is_optional = true};
	struct w_resolved_profile *resolved = resolver->resolved;
	const size_t grants = resolved->grants.count;
	const size_t guarded = resolved->guarded.count;
	struct w_real_path common;
	bool is_found = false;
	bool is_all = false;
	writ_status status =
	    w_real_path_find(tree->common, &query, &common, &is_found, err);

	if (status != WRIT_OK || !is_found)
		return status;
	common.may = may;
	if (!w_real_paths_add(&resolved->grants, &common))
		return w_fail_nomem(err, STAGE);
	status = linked_worktree_guard(resolver, tree, &is_all, err);
	if (status == WRIT_OK && !is_all) {
		cut_list(&resolved->grants, grants);
		cut_list(&resolved->guarded, guarded);
	}
	return status;
}

static writ_status
open_worktree(struct w_profile_resolver *resolver,
    const struct w_real_path *root, writ_error *err)
{
	W_AUTO_FREE char *file = NULL;
	struct linked_worktree tree;

	if (!root->is_dir)
		return WRIT_OK;
	if (asprintf(&file, "%s/.git", root->path) < 0) {
		file = NULL;
		return w_fail_nomem(err, STAGE);
	}
	/* A decision may have left less of the root to write. */
	if (!w_resolved_profile_is_writable(resolver->resolved, file) ||
	    !w_existence_cache_may_exist(&resolver->cache, file) ||
	    !linked_worktree_find(root->path, &tree) ||
	    !may_open(resolver, root->path, &tree))
		return WRIT_OK;
	const unsigned run = root->may & W_MAY_EXECUTE;
	return open_common(
	    resolver, &tree, W_MAY_READ | W_MAY_WRITE | run, err);
}

writ_status
w_profile_open_worktrees(struct w_profile_resolver *resolver, writ_error *err)
{
	const struct w_real_paths *grants = &resolver->resolved->grants;
	const size_t count = grants->count;
	writ_status status = WRIT_OK;

	for (size_t i = 0; status == WRIT_OK && i < resolver->roots.count; i++)
		status =
		    open_worktree(resolver, &resolver->roots.items[i], err);
	for (size_t i = 0; status == WRIT_OK && i < count; i++) {
		/* A copy: the list may move when it grows. */
		const struct w_real_path root = grants->items[i];

		if ((root.may & W_MAY_WRITE) != 0)
			status = open_worktree(resolver, &root, err);
	}
	w_real_paths_sort(&resolver->resolved->grants);
	w_real_paths_sort(&resolver->resolved->guarded);
	return status;
}
