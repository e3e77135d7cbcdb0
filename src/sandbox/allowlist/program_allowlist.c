/* SPDX-License-Identifier: Apache-2.0 */

/* Expands a list of programs to everything that they need to start. */

#include "sandbox/allowlist/program_allowlist.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "sandbox/allowlist/executable.h"

#define STAGE "sandbox"

/* Where env(1) searches for the program named in a script's first line. */
static const char *const search_path[] = {"/usr/local/sbin", "/usr/local/bin",
    "/usr/sbin", "/usr/bin", "/sbin", "/bin"};

/* The combined rights of all grants around a path; they are not merged yet. */
static unsigned
rights_at(const struct w_resolved_profile *resolved, const char *path)
{
	unsigned may = 0;

	if (w_real_paths_covering(&resolved->hidden, path) != NULL)
		return 0;
	for (size_t i = 0; i < resolved->grants.count; i++) {
		if (w_real_path_covers(resolved->grants.items[i].path, path))
			may |= resolved->grants.items[i].may;
	}
	return may;
}

static bool
allowlist_has_path(const struct w_real_paths *real_paths, const char *path)
{
	for (size_t i = 0; i < real_paths->count; i++) {
		if (strcmp(real_paths->items[i].path, path) == 0)
			return true;
	}
	return false;
}

/* Skips what is missing or is neither a file nor a directory. */
static writ_status
program_allowlist_find(const char *path, struct w_real_path *out_real_path,
    bool *out_found, writ_error *err)
{
	const struct w_real_path_query query = {.what = "execute",
	    .link = W_REAL_PATH_LINK_FOLLOW,
	    .is_optional = true};
	writ_error unseen;

	*out_found = false;
	writ_status status =
	    w_real_path_find(path, &query, out_real_path, out_found, &unseen);
	if (status == WRIT_E_NOMEM)
		return w_fail_nomem(err, STAGE);
	return WRIT_OK;
}

writ_status
w_allowlist_add_program(
    struct w_allowlist *allowlist, const char *path, writ_error *err)
{
	const unsigned needed = W_MAY_READ | W_MAY_EXECUTE;
	struct w_real_path real_path;
	bool is_found;

	if (path[0] != '/')
		return WRIT_OK;
	writ_status status =
	    program_allowlist_find(path, &real_path, &is_found, err);
	if (status != WRIT_OK || !is_found)
		return status;
	if (allowlist_has_path(&allowlist->programs, real_path.path) ||
	    (rights_at(allowlist->resolver->resolved, real_path.path) &
		needed) != needed) {
		w_real_path_done(&real_path);
		return WRIT_OK;
	}
	if (allowlist->programs.count == W_ALLOWLIST_PROGRAMS_MAX) {
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "more than %d programs may be executed, at '%s'",
		    W_ALLOWLIST_PROGRAMS_MAX, real_path.path);
		w_real_path_done(&real_path);
		return status;
	}
	real_path.may = needed | W_MAY_MAP;
	return w_real_paths_add(&allowlist->programs, &real_path)
		   ? WRIT_OK
		   : w_fail_nomem(err, STAGE);
}

/* Nothing writable is treated as code. */
writ_status
w_allowlist_add_area(struct w_allowlist *allowlist, const char *path,
    bool is_searched, writ_error *err)
{
	const struct w_resolved_profile *resolved =
	    allowlist->resolver->resolved;
	struct w_real_paths *list =
	    is_searched ? &allowlist->searched : &allowlist->areas;
	struct w_real_path real_path;
	bool is_found;

	writ_status status =
	    program_allowlist_find(path, &real_path, &is_found, err);
	if (status != WRIT_OK || !is_found)
		return status;
	if (!real_path.is_dir || allowlist_has_path(list, real_path.path) ||
	    (rights_at(resolved, real_path.path) & W_MAY_READ) == 0 ||
	    w_resolved_profile_is_writable(resolved, real_path.path)) {
		w_real_path_done(&real_path);
		return WRIT_OK;
	}
	real_path.may = W_MAY_READ | W_MAY_MAP;
	return w_real_paths_add(list, &real_path) ? WRIT_OK
						  : w_fail_nomem(err, STAGE);
}

/* Libraries lie beside the loader that searches for them, and also below /usr
 * on systems with a separate /lib. */
static writ_status
add_libraries(
    struct w_allowlist *allowlist, const char *loader, writ_error *err)
{
	W_AUTO_FREE char *real = realpath(loader, NULL);
	W_AUTO_FREE char *dir = NULL;
	W_AUTO_FREE char *twin = NULL;

	if (real == NULL)
		return errno == ENOMEM ? w_fail_nomem(err, STAGE) : WRIT_OK;
	const char *slash = strrchr(real, '/');
	dir = slash == NULL || slash == real
		  ? strdup("/")
		  : strndup(real, (size_t)(slash - real));
	if (dir == NULL || asprintf(&twin, "/usr%s", dir) < 0) {
		twin = NULL;
		return w_fail_nomem(err, STAGE);
	}
	writ_status status = w_allowlist_add_area(allowlist, dir, true, err);
	if (status == WRIT_OK && strncmp(dir, "/usr/", 5) != 0)
		status = w_allowlist_add_area(allowlist, twin, true, err);
	if (status == WRIT_OK)
		status = w_allowlist_add_area(
		    allowlist, "/usr/local/lib", true, err);
	return status;
}

static writ_status
add_by_name(struct w_allowlist *allowlist, const char *name, writ_error *err)
{
	writ_status status = WRIT_OK;
	const size_t count = sizeof(search_path) / sizeof(search_path[0]);
	char path[512];

	if (name[0] == '/')
		return w_allowlist_add_program(allowlist, name, err);
	/* With an option or assignment, what env runs cannot be predicted. */
	if (name[0] == '\0' || strpbrk(name, "-=/") == name ||
	    strchr(name, '=') != NULL || strchr(name, '/') != NULL)
		return WRIT_OK;
	for (size_t i = 0; status == WRIT_OK && i < count; i++) {
		(void)snprintf(
		    path, sizeof(path), "%s/%s", search_path[i], name);
		status = w_allowlist_add_program(allowlist, path, err);
	}
	return status;
}

/* Adds what the kernel opens besides the file itself. */
static writ_status
add_needs(struct w_allowlist *allowlist, const char *path, writ_error *err)
{
	struct w_executable found;
	W_AUTO_FD int fd =
	    open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return WRIT_OK;
	w_executable_read(fd, &found);
	if (found.interpreter[0] == '\0')
		return WRIT_OK;
	writ_status status =
	    w_allowlist_add_program(allowlist, found.interpreter, err);
	if (status == WRIT_OK && found.is_elf)
		status = add_libraries(allowlist, found.interpreter, err);
	const char *slash = strrchr(found.interpreter, '/');
	if (status == WRIT_OK && found.is_script && slash != NULL &&
	    strcmp(slash, "/env") == 0)
		status = add_by_name(allowlist, found.argument, err);
	return status;
}

static writ_status
program_allowlist_collect(struct w_allowlist *allowlist, writ_error *err)
{
	const struct w_restriction *restriction =
	    allowlist->resolver->context->restriction;
	const char *const *at = restriction->execute;
	writ_status status = WRIT_OK;

	for (; status == WRIT_OK && at != NULL && *at != NULL; at++)
		status = w_allowlist_add_program(allowlist, *at, err);
	/* The list grows during the loop. */
	for (size_t i = 0; status == WRIT_OK && i < allowlist->programs.count;
	     i++) {
		const char *path = allowlist->programs.items[i].path;

		if (allowlist->programs.items[i].is_dir)
			continue;
		W_AUTO_FREE char *copy = strdup(path);
		if (copy == NULL)
			return w_fail_nomem(err, STAGE);
		status = add_needs(allowlist, copy, err);
		if (status == WRIT_OK)
			status =
			    w_allowlist_add_dependencies(allowlist, copy, err);
	}
	at = restriction->helpers;
	for (; status == WRIT_OK && at != NULL && *at != NULL; at++)
		status = w_allowlist_add_program(allowlist, *at, err);
	return status;
}

/* A listed program must not be writable: the command could replace it by any
 * code. */
static writ_status
program_allowlist_guard(struct w_resolved_profile *resolved,
    const struct w_real_path *program, writ_error *err)
{
	struct w_real_path guarded = *program;

	if (!w_resolved_profile_is_writable(resolved, program->path))
		return WRIT_OK;
	guarded.may = 0;
	guarded.path = strdup(program->path);
	if (guarded.path == NULL ||
	    !w_real_paths_add(&resolved->guarded, &guarded))
		return w_fail_nomem(err, STAGE);
	return WRIT_OK;
}

static writ_status
move_all(struct w_real_paths *from, struct w_resolved_profile *resolved,
    writ_error *err)
{
	for (size_t i = 0; i < from->count; i++) {
		struct w_real_path *real_path = &from->items[i];
		struct stat found;

		/* A second name (hard link) in a writable directory would be a
		 * way to write to the file. */
		if (!real_path->is_dir &&
		    w_resolved_profile_is_writable(resolved, real_path->path) &&
		    (lstat(real_path->path, &found) < 0 || found.st_nlink > 1))
			continue;
		writ_status status =
		    program_allowlist_guard(resolved, real_path, err);
		if (status != WRIT_OK)
			return status;
		if (!w_real_paths_add(&resolved->grants, real_path))
			return w_fail_nomem(err, STAGE);
	}
	return WRIT_OK;
}

static writ_status
program_allowlist_apply(struct w_allowlist *allowlist, writ_error *err)
{
	struct w_resolved_profile *resolved = allowlist->resolver->resolved;

	for (size_t i = 0; i < resolved->grants.count; i++) {
		struct w_real_path *grant = &resolved->grants.items[i];

		grant->may &= ~(unsigned)W_MAY_EXECUTE;
	}
	writ_status status = move_all(&allowlist->programs, resolved, err);
	if (status == WRIT_OK)
		status = move_all(&allowlist->areas, resolved, err);
	if (status == WRIT_OK)
		status = move_all(&allowlist->searched, resolved, err);
	w_real_paths_sort(&resolved->grants);
	w_real_paths_sort(&resolved->guarded);
	w_real_paths_sort(&resolved->hidden);
	w_real_paths_sort(&resolved->closed);
	resolved->has_allowlist = true;
	return status;
}

writ_status
w_allowlist_build(struct w_profile_resolver *resolver, writ_error *err)
{
	struct w_allowlist allowlist = {.resolver = resolver};

	writ_status status = program_allowlist_collect(&allowlist, err);
	w_real_paths_sort(&allowlist.programs);
	w_real_paths_sort(&allowlist.areas);
	if (status == WRIT_OK)
		status = w_allowlist_close_dirs(&allowlist, err);
	if (status == WRIT_OK)
		status = w_allowlist_hide_programs(&allowlist, err);
	if (status == WRIT_OK)
		status = program_allowlist_apply(&allowlist, err);
	w_real_paths_done(&allowlist.programs);
	w_real_paths_done(&allowlist.areas);
	w_real_paths_done(&allowlist.searched);
	return status;
}
