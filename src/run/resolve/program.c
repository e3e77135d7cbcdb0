/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Resolves a name to an executable file.
 *
 * A name with a slash is relative to the run's working directory. Any other is
 * searched in PATH, ignoring entries that are not absolute: an empty or
 * relative entry would let the working directory decide what "ls" is.
 */

#include "run/resolve/program.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "os/file.h"
#include "os/resolve.h"
#include "run/home/home_paths.h"

/* Used when the environment has no PATH, as execvp() does. */
#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

enum {
	HEAD_MAX = 256 /* the kernel reads no more of a script's first line */
};

size_t
w_program_interpreter(const char *text, size_t len, size_t *out_start)
{
	size_t start = 2, end;

	while (start < len && (text[start] == ' ' || text[start] == '\t'))
		start++;
	end = start;
	while (end < len && text[end] != ' ' && text[end] != '\t' &&
	       text[end] != '\n' && text[end] != '\0')
		end++;
	*out_start = start;
	return end - start;
}

/* Takes a file that can be executed. 0, or an errno. */
static int
take_executable(int *fd, struct w_program *out_program)
{
	struct stat *st = &out_program->st;

	if (fstat(*fd, st) < 0)
		return errno;
	if (S_ISDIR(st->st_mode))
		return EISDIR;
	if (!S_ISREG(st->st_mode))
		return EACCES;
	if (faccessat(*fd, "", X_OK, AT_EMPTY_PATH | AT_EACCESS) < 0)
		return errno;
	int error = w_fd_raise(fd);
	if (error == 0)
		out_program->fd = w_take_fd(fd);
	return error;
}

/* Opens a candidate. 0, or an errno; *out_exists: something is there, even if
 * it is not executable. */
static int
try_open(int dir_fd, const char *path, struct w_program *out_program,
    bool *out_exists)
{
	W_AUTO_FD int fd = openat(dir_fd, path, O_PATH | O_CLOEXEC);

	*out_exists = fd >= 0;
	return fd < 0 ? errno : take_executable(&fd, out_program);
}

static int locate_shared(const char *name, const struct w_program_scope *scope,
    struct w_program *program);

/* Also a program that lies in HOME, as the runs of a session see it. */
static int
try_candidate(const char *path, const struct w_program_scope *scope,
    struct w_program *program, bool *out_exists)
{
	const struct w_session_view *view = scope->view;

	*out_exists = true;
	if (view == NULL || view->walls == NULL ||
	    !w_dotdirs_has(view->walls, path) ||
	    !w_session_view_has(view, path))
		return try_open(AT_FDCWD, path, program, out_exists);
	const int error = locate_shared(path, scope, program);
	*out_exists = error != ENOENT && error != ENOTDIR;
	return error;
}

/* 0, or the errno: the first file that could not be executed takes precedence
 * over directories without one. */
static int
search_path(const char *name, const struct w_program_scope *scope,
    const char *list, struct w_program *out_program)
{
	int found = ENOENT;

	for (const char *at = list; at != NULL;) {
		size_t len = strcspn(at, ":");
		W_AUTO_FREE char *path = NULL;

		if (*at == '/') {
			if (asprintf(&path, "%.*s/%s", (int)len, at, name) < 0)
				return ENOMEM;
			bool exists;
			int error =
			    try_candidate(path, scope, out_program, &exists);
			if (error == 0 && out_program->path == NULL)
				out_program->path = w_take_ptr(&path);
			if (error == 0 || error == EMFILE || error == ENFILE)
				return error;
			if (found == ENOENT && exists)
				found = error;
		}
		at = at[len] == ':' ? at + len + 1 : NULL;
	}
	return found;
}

/* By a path of a session. 0, or an errno: ENOENT, also if it is none of its
 * paths. */
static int
locate_shared(const char *name, const struct w_program_scope *scope,
    struct w_program *program)
{
	if (scope->view == NULL || scope->view->walls == NULL ||
	    scope->cwd == NULL)
		return ENOENT;
	char path[PATH_MAX];
	struct w_session_file file;
	bool exists;
	if (!w_resolve_text(scope->cwd, name, path) ||
	    !w_session_view_has(scope->view, path))
		return ENOENT;
	int error = w_session_view_open(scope->view, path, &file);
	if (error != 0)
		return error;
	W_AUTO_FD int fd = file.fd;
	error = fd < 0 ? try_open(AT_FDCWD, file.path, program, &exists)
		       : take_executable(&fd, program);
	if (error != 0)
		return error;
	program->is_shared = file.is_written;
	program->is_inside = file.fd >= 0;
	program->path = strdup(file.path);
	if (program->path != NULL)
		return 0;
	w_close(&program->fd);
	return ENOMEM;
}

/* A relative name of a session's directory is no path of the machine's. */
static int
open_named(const char *name, const struct w_program_scope *scope,
    struct w_program *program)
{
	bool exists;

	if (scope->view == NULL || scope->cwd == NULL ||
	    !w_session_view_has(scope->view, scope->cwd))
		return try_open(scope->cwd_fd, name, program, &exists);
	char path[PATH_MAX];
	return w_resolve_text(scope->cwd, name, path)
		   ? try_open(AT_FDCWD, path, program, &exists)
		   : ENAMETOOLONG;
}

static int
program_locate(const char *name, const struct w_program_scope *scope,
    struct w_program *program)
{
	if (strchr(name, '/') == NULL) {
		const char *list = scope->path_list;

		if (list == NULL)
			list = DEFAULT_PATH;
		return search_path(name, scope, list, program);
	}

	int error = locate_shared(name, scope, program);
	if (error != ENOENT)
		return error;
	error = open_named(name, scope, program);
	if (error != 0)
		return error;
	char **path = &program->path;
	int len = *name == '/' ? asprintf(path, "%s", name)
			       : asprintf(path, "%s/%s", scope->cwd, name);
	if (len >= 0)
		return 0;
	w_close(&program->fd);
	*path = NULL;
	return ENOMEM;
}

static writ_status
program_explain(const char *name, int error, writ_error *err)
{
	writ_status status;

	switch (error) {
	case ENOENT:
	case ENOTDIR:
		if (strchr(name, '/') != NULL)
			return w_fail(err, WRIT_E_NOTFOUND, "program", 0,
			    "no program at '%s'", name);
		status = w_fail(err, WRIT_E_NOTFOUND, "program", 0,
		    "no program '%s' in PATH", name);
		w_suggest(err, "check the name, or give the program's path");
		return status;
	case EISDIR:
		return w_fail(err, WRIT_E_NOTEXEC, "program", 0,
		    "'%s' is a directory, not a program", name);
	case EACCES:
		status = w_fail(err, WRIT_E_NOTEXEC, "program", 0,
		    "'%s' is not an executable file", name);
		w_suggest(err, "chmod +x, or run it with its interpreter");
		return status;
	case ENOMEM:
		return w_fail_nomem(err, "program");
	default:
		return w_fail(err,
		    error == ELOOP || error == ENAMETOOLONG ? WRIT_E_NOTFOUND
							    : WRIT_E_SYSTEM,
		    "program", error, "cannot open program '%s'", name);
	}
}

static int
program_check_file(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return errno;
	if (!S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode) ? EISDIR : EACCES;
	return access(path, X_OK) < 0 ? errno : 0;
}

/* For a missing interpreter the kernel returns ENOENT, as if the script itself
 * did not exist. */
static writ_status
check_interpreter(const char *name, const char *head, size_t len,
    const struct w_session_view *view, writ_error *err)
{
	size_t start;
	char interpreter[HEAD_MAX];

	size_t used = w_program_interpreter(head, len, &start);
	if (used == 0)
		return w_fail(err, WRIT_E_NOTEXEC, "program", 0,
		    "script '%s' names no interpreter after '#!'", name);
	memcpy(interpreter, head + start, used);
	interpreter[used] = '\0';
	/* The kernel looks there, in the run's view. */
	if (view != NULL && w_session_view_has(view, interpreter))
		return WRIT_OK;
	int error = program_check_file(interpreter);
	if (error == 0)
		return WRIT_OK;

	writ_status status = w_fail(err, WRIT_E_NOTEXEC, "program", error,
	    "cannot use interpreter '%s' of script '%s'", interpreter, name);
	if (used > 0 && interpreter[used - 1] == '\r')
		w_suggest(err, "the script has CR LF line ends; convert it");
	return status;
}

static bool
is_seen(const struct w_program_seen *seen, const struct stat *st)
{
	const struct w_file_mark mark = w_file_mark_of(st);

	for (size_t i = 0; i < W_PROGRAM_SEEN_MAX; i++) {
		if (w_file_mark_is_same(&seen->files[i], &mark))
			return true;
	}
	return false;
}

/* A file that is executable but not readable is left to exec. */
static writ_status
look_inside(const char *name, const struct w_program_scope *scope,
    struct w_program *program, writ_error *err)
{
	struct w_program_seen *seen = scope->seen;
	char link[32], head[HEAD_MAX];

	if (seen != NULL && is_seen(seen, &program->st))
		return WRIT_OK;
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", program->fd);
	W_AUTO_FD int fd = open(link, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return WRIT_OK;
	ssize_t len = pread(fd, head, sizeof(head) - 1, 0);
	if (len >= 2 && head[0] == '#' && head[1] == '!') {
		program->is_script = true;
		return check_interpreter(
		    name, head, (size_t)len, scope->view, err);
	}
	const struct w_file_mark mark = w_file_mark_of(&program->st);
	if (seen != NULL && len >= 0 && w_file_mark_is_settled(&mark, fd)) {
		seen->files[seen->next] = mark;
		seen->next = (seen->next + 1) % W_PROGRAM_SEEN_MAX;
	}
	return WRIT_OK;
}

/* The kernel knows it of the open file. */
static bool
find_real_path(struct w_program *program)
{
	char real[PATH_MAX];

	if (program->is_inside || !w_resolve_fd(program->fd, real))
		return true;
	program->real = strdup(real);
	return program->real != NULL;
}

writ_status
w_program_find(const char *name, const struct w_program_scope *scope,
    struct w_program *out_program, writ_error *err)
{
	struct w_program program = {.fd = -1};

	if (*name == '\0')
		return w_fail(err, WRIT_E_INVALID, "program", 0,
		    "the program's name is empty");
	int error = program_locate(name, scope, &program);
	if (error != 0)
		return program_explain(name, error, err);
	writ_status status = look_inside(name, scope, &program, err);
	if (status == WRIT_OK && !find_real_path(&program))
		status = w_fail_nomem(err, "program");
	if (status != WRIT_OK) {
		w_program_done(&program);
		return status;
	}
	*out_program = program;
	return WRIT_OK;
}

void
w_program_done(struct w_program *program)
{
	w_close(&program->fd);
	free(program->path);
	program->path = NULL;
	free(program->real);
	program->real = NULL;
}
