/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Hides programs that lie among libraries.
 *
 * Libraries must stay readable and mappable, so the programs in their
 * directory, or up to two levels below it, are hidden one by one. Deeper levels
 * are not searched: that would take as long as reading the whole tree.
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
	DEPTH = 3, /* directory levels, including the first */
	HIDDEN_MAX = 1024
};

/* Judges by the name: libraries are not programs, nor are files with a
 * lower-case suffix (.a, .pc, .cmake). */
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

/* A loader cannot map a script as code. */
static bool
is_program(int dir_fd, const char *name, struct stat *out_found)
{
	struct w_executable executable;

	if (fstatat(dir_fd, name, out_found, AT_SYMLINK_NOFOLLOW) < 0 ||
	    !S_ISREG(out_found->st_mode) || (out_found->st_mode & 0111) == 0)
		return false;
	W_AUTO_FD int fd = openat(
	    dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	/* A file that cannot be opened is assumed to be a program. */
	if (fd < 0)
		return true;
	w_executable_read(fd, &executable);
	return executable.is_elf;
}

/* The state of the search. */
struct hidden_programs_search {
	struct w_allowlist *allowlist;
	size_t budget; /* programs that may still be hidden */
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
		    "more than %d programs are among libraries, at '%s'",
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

/* Recurses at most DEPTH levels. */
static writ_status hidden_programs_search_dir(
    struct hidden_programs_search *search, const char *path, writ_error *err);

static writ_status
hidden_programs_check_entry(struct hidden_programs_search *search,
    const char *dir, int dir_fd, const struct dirent *entry, writ_error *err)
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
	return is_dir ? hidden_programs_search_dir(search, path, err)
		      : hide_program(search, path, &found, err);
}

static writ_status
hidden_programs_search_dir(
    struct hidden_programs_search *search, const char *path, writ_error *err)
{
	const struct w_allowlist *allowlist = search->allowlist;

	if (w_real_paths_covering(&allowlist->areas, path) != NULL ||
	    w_real_paths_covering(
		&allowlist->resolver->resolved->hidden, path) != NULL)
		return WRIT_OK;
	DIR *dir = opendir(path);
	/* What cannot be listed can hardly be read. */
	if (dir == NULL)
		return errno == EACCES || errno == ENOENT
			   ? WRIT_OK
			   : fail_list(path, errno, err);
	search->depth++;
	writ_status status = WRIT_OK;
	while (status == WRIT_OK) {
		errno = 0;
		const struct dirent *entry = readdir(dir);
		if (entry == NULL) {
			if (errno != 0)
				status = fail_list(path, errno, err);
			break;
		}
		status = hidden_programs_check_entry(
		    search, path, dirfd(dir), entry, err);
	}
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
		status = hidden_programs_search_dir(
		    &search, allowlist->searched.items[i].path, err);
	return status;
}
