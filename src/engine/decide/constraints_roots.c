/* SPDX-License-Identifier: Apache-2.0 */

/* The directories that runs work in and may write. */

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "engine/decide/constraints.h"
#include "os/resolve.h"

#define STAGE "policy"

/* The sandbox never makes these writable: they contain the policies, or
 * everything. */
static bool
is_too_wide(const struct w_constraints_input *input, const char *root)
{
	return strcmp(root, "/") == 0 ||
	       (input->home != NULL && w_resolve_is_in(input->home, root));
}

/* Whether a directory is the top of a repository, and owned by somebody we
 * trust. */
static bool
is_repository(const char *dir)
{
	char inside[PATH_MAX];
	struct stat st;

	/* Most directories are none. */
	const int len = snprintf(inside, sizeof(inside), "%s/.git", dir);
	if (len > 0 && (size_t)len < sizeof(inside) && access(inside, F_OK) < 0)
		return false;
	W_AUTO_FD int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return fd >= 0 && faccessat(fd, ".git", F_OK, 0) == 0 &&
	       fstat(fd, &st) == 0 &&
	       (st.st_uid == geteuid() || st.st_uid == 0) &&
	       (st.st_mode & S_IWOTH) == 0;
}

/* What "." means. git finds a repository only if its top is mounted with the
 * working directory, and people work in directories below it. */
static writ_status
find_base(struct w_constraints *constraints,
    const struct w_constraints_input *input, writ_error *err)
{
	const char *project = input->policies->project;

	constraints->base = project != NULL ? project : input->base;
	if (project != NULL || input->base == NULL)
		return WRIT_OK;
	char *dir =
	    w_arena_text(&constraints->arena, input->base, strlen(input->base));
	if (dir == NULL)
		return w_fail_nomem(err, STAGE);
	while (!is_too_wide(input, dir)) {
		if (is_repository(dir)) {
			constraints->base = dir;
			break;
		}
		char *slash = strrchr(dir, '/');
		slash[slash == dir ? 1 : 0] = '\0';
	}
	return WRIT_OK;
}

static bool
constraints_roots_spell(const struct w_constraints *constraints,
    const struct w_constraints_input *input, const char *written,
    char out_path[PATH_MAX])
{
	const char *base = constraints->base;

	if (written[0] == '~' && (written[1] == '/' || written[1] == '\0')) {
		const char *rest = written[1] == '/' ? written + 2 : "";

		return input->home != NULL &&
		       w_resolve_text(input->home, rest, out_path);
	}
	if (written[0] != '/' && base == NULL)
		return false;
	return w_resolve_text(base, written, out_path);
}

static void
add_root(struct w_constraints_list *list, const char *path)
{
	struct w_resolved_path resolved;

	w_resolve(AT_FDCWD, path, false, &resolved);
	if (resolved.exists && resolved.is_directory)
		w_constraints_list_copy(list, resolved.path);
}

writ_status
w_constraints_roots(struct w_constraints *constraints,
    const struct w_constraints_input *input, const char *const *written,
    const char *const **out_roots, writ_error *err)
{
	static const char *const standard[] = {".", NULL};
	struct w_constraints_list list = {.constraints = constraints};
	char path[PATH_MAX];

	if (constraints->base == NULL) {
		writ_status status = find_base(constraints, input, err);

		if (status != WRIT_OK)
			return status;
	}
	if (written == NULL)
		written = standard;
	for (; *written != NULL; written++) {
		if (!constraints_roots_spell(
			constraints, input, *written, path))
			continue;
		if (input->cwd != NULL && strcmp(path, input->cwd) == 0)
			w_constraints_list_copy(&list, path);
		else
			add_root(&list, path);
	}
	*out_roots = w_constraints_list_end(&list);
	return *out_roots == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

/* Adds the root if it lies in one of the others, or those of the others that
 * lie in it. */
static void
add_common(struct w_constraints_list *list, const char *root,
    const char *const *others)
{
	for (; *others != NULL; others++) {
		if (w_resolve_is_in(root, *others))
			w_constraints_list_add(list, root);
		else if (w_resolve_is_in(*others, root))
			w_constraints_list_add(list, *others);
	}
}

writ_status
w_constraints_join_roots(struct w_constraints *constraints,
    const struct w_constraints_input *input, writ_error *err)
{
	const char *const *roots = constraints->tiers[0].roots;
	struct w_constraints_list kept = {.constraints = constraints};

	for (size_t i = 1; i < constraints->count; i++) {
		struct w_constraints_list common = {.constraints = constraints};

		for (; *roots != NULL; roots++)
			add_common(
			    &common, *roots, constraints->tiers[i].roots);
		roots = w_constraints_list_end(&common);
		if (roots == NULL)
			return w_fail_nomem(err, STAGE);
	}
	for (; *roots != NULL; roots++) {
		if (!is_too_wide(input, *roots))
			w_constraints_list_add(&kept, *roots);
	}
	constraints->roots = w_constraints_list_end(&kept);
	return constraints->roots == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

bool
w_constraints_is_in_roots(
    const struct w_constraints *constraints, const char *path)
{
	for (const char *const *root = constraints->roots; *root != NULL;
	     root++) {
		if (w_resolve_is_in(path, *root))
			return true;
	}
	return false;
}
