/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Programs that lie among libraries.
 *
 * Libraries have to be open for reading and mapping; the programs in their
 * directory, or up to two levels below it, are hidden one by one. Deeper down
 * nobody looks: that would take as long as reading the whole tree.
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "sandbox/allowlist/executable.h"
#include "sandbox/allowlist/program_allowlist.h"

#define STAGE "sandbox"

enum {
	DEPTH = 3, /* of directories, the first included */
	HIDDEN_MAX = 1024
};

/* By its name: no library, and none of what has an ending in small letters
 * (.a, .pc, .cmake), which programs do not. */
static bool
may_be_program(const char *name)
{
	static const char *const endings[] = {"bin", "elf", "exe", "out"};
	const char *dot = strrchr(name, '.');

	if (strstr(name, ".so") != NULL)
		return false;
	if (dot == NULL || dot[1] == '\0' ||
	    strspn(dot + 1, "abcdefghijklmnopqrstuvwxyz") != strlen(dot + 1))
		return true;
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		if (strcmp(dot + 1, endings[i]) == 0)
			return true;
	}
	return false;
}

/* A script is no code to a loader. */
static bool
is_program(int dir_fd, const char *name, struct stat *out_found)
{
	struct w_executable executable;

	if (fstatat(dir_fd, name, out_found, AT_SYMLINK_NOFOLLOW) < 0 ||
	    !S_ISREG(out_found->st_mode) || (out_found->st_mode & 0111) == 0)
		return false;
	W_AUTO_FD int fd = openat(
	    dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	/* What cannot be looked at is taken for one. */
	if (fd < 0)
		return true;
	w_executable_read(fd, &executable);
	return executable.is_elf;
}

/* Where the search is. */
struct hidden_programs_search {
	struct w_allowlist *allowlist;
	size_t budget; /* of programs to hide */
	unsigned depth;
};

static writ_status
hide_program(struct hidden_programs_search *search, const char *path,
    const struct stat *found, writ_error *err)
{
	struct w_real_paths *hidden =
	    &search->allowlist->resolver->resolved->hidden;
	struct w_real_path real_path = {
	    .path = strdup(path),
	    .dev = found->st_dev,
	    .ino = found->st_ino,
	};

	if (real_path.path == NULL || !w_real_paths_add(hidden, &real_path))
		return w_fail_nomem(err, STAGE);
	if (search->budget-- == 0)
		return w_fail(err, WRIT_E_SANDBOX, STAGE, 0,
		    "more than %d programs lie among libraries, at '%s'",
		    HIDDEN_MAX, path);
	return WRIT_OK;
}

static writ_status
fail_list(const char *path, int error, writ_error *err)
{
	return error == ENOMEM ? w_fail_nomem(err, STAGE)
			       : w_fail(err, WRIT_E_SYSTEM, STAGE, error,
				     "cannot list '%s'", path);
}

/* As deep as DEPTH. */
static writ_status hidden_programs_look_through(
    struct hidden_programs_search *search, const char *path, writ_error *err);

static writ_status
hidden_programs_look_at(struct hidden_programs_search *search, const char *dir,
    int dir_fd, const struct dirent *entry, writ_error *err)
{
	const bool is_dir = entry->d_type == DT_DIR;
	W_AUTO_FREE char *path = NULL;
	struct stat found;

	if (entry->d_name[0] == '.' || (is_dir && search->depth == DEPTH))
		return WRIT_OK;
	if (!is_dir &&
	    ((entry->d_type != DT_REG && entry->d_type != DT_UNKNOWN) ||
		!may_be_program(entry->d_name) ||
		!is_program(dir_fd, entry->d_name, &found)))
		return WRIT_OK;
	if (asprintf(&path, "%s/%s", dir, entry->d_name) < 0) {
		path = NULL;
		return w_fail_nomem(err, STAGE);
	}
	if (w_real_paths_covering(&search->allowlist->programs, path) != NULL)
		return WRIT_OK;
	return is_dir ? hidden_programs_look_through(search, path, err)
		      : hide_program(search, path, &found, err);
}

static writ_status
look_at_all(struct hidden_programs_search *search, const char *path, DIR *dir,
    writ_error *err)
{
	writ_status status = WRIT_OK;

	while (status == WRIT_OK) {
		errno = 0;
		const struct dirent *entry = readdir(dir);
		if (entry == NULL)
			return errno == 0 ? WRIT_OK
					  : fail_list(path, errno, err);
		status = hidden_programs_look_at(
		    search, path, dirfd(dir), entry, err);
	}
	return status;
}

static writ_status
hidden_programs_look_through(
    struct hidden_programs_search *search, const char *path, writ_error *err)
{
	const struct w_allowlist *allowlist = search->allowlist;

	if (w_real_paths_covering(&allowlist->areas, path) != NULL ||
	    w_real_paths_covering(
		&allowlist->resolver->resolved->hidden, path) != NULL)
		return WRIT_OK;
	DIR *dir = opendir(path);
	/* Who may not list it may hardly read what is in it. */
	if (dir == NULL)
		return errno == EACCES || errno == ENOENT
			   ? WRIT_OK
			   : fail_list(path, errno, err);
	search->depth++;
	writ_status status = look_at_all(search, path, dir, err);
	search->depth--;
	(void)closedir(dir);
	return status;
}

writ_status
w_allowlist_hide_programs(struct w_allowlist *allowlist, writ_error *err)
{
	struct hidden_programs_search search = {
	    .allowlist = allowlist, .budget = HIDDEN_MAX};
	writ_status status = WRIT_OK;

	for (size_t i = 0; status == WRIT_OK && i < allowlist->searched.count;
	     i++)
		status = hidden_programs_look_through(
		    &search, allowlist->searched.items[i].path, err);
	return status;
}
