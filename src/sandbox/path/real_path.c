/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Looks up the paths of a profile.
 *
 * A path is opened (O_PATH) before anything is believed about it. The result is
 * a path without symbolic links and the identity of its file, so a later user
 * of the path can tell when it has become another file.
 */

#include "sandbox/path/real_path.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/auto.h"

#define STAGE "sandbox"

enum {
	PATH_BYTES_MAX = 4095,
	/* a tree that is being reorganised can win the race a few times */
	TRIES = 8
};

static writ_status
refuse_text(
    writ_error *err, const char *what, const char *text, const char *why)
{
	return w_fail(
	    err, WRIT_E_INVALID, STAGE, 0, "%s path '%s' %s", what, text, why);
}

/* Puts the components of text at `at`, except empty ones and ".". Returns the
 * end; NULL: there is a "..". */
static char *
put_components(char *at, const char *text)
{
	while (*text != '\0') {
		const size_t len = strcspn(text, "/");

		if (len == 2 && memcmp(text, "..", 2) == 0)
			return NULL;
		if (len > 0 && !(len == 1 && text[0] == '.')) {
			*at++ = '/';
			memcpy(at, text, len);
			at += len;
		}
		text += len;
		text += *text == '/';
	}
	return at;
}

writ_status
w_real_path_expand(const char *text, const struct w_real_path_base *base,
    const char *what, char **out_path, writ_error *err)
{
	const char *start = "";
	const char *rest = text;
	writ_status status;

	if (text[0] == '\0')
		return refuse_text(err, what, text, "is empty");
	if (text[0] == '~' && text[1] != '\0' && text[1] != '/') {
		status = refuse_text(err, what, text, "names another user");
		w_suggest(err,
		    "write the absolute path, or './%s' for a file "
		    "of that name",
		    text);
		return status;
	}
	if (text[0] == '~') {
		start = base->home;
		rest = text + 1;
	} else if (text[0] != '/') {
		start = base->cwd;
	}
	/* A slash before each of the two, and a NUL. */
	W_AUTO_FREE char *path = malloc(strlen(start) + strlen(rest) + 3);
	if (path == NULL)
		return w_fail_nomem(err, STAGE);
	char *end = put_components(path, start);
	if (end != NULL)
		end = put_components(end, rest);
	if (end == NULL) {
		status = refuse_text(err, what, text, "contains '..'");
		w_suggest(err, "write the path that it leads to");
		return status;
	}
	if (end == path)
		*end++ = '/';
	*end = '\0';
	if (end - path > PATH_BYTES_MAX)
		return refuse_text(err, what, text, "is too long");
	if (strchr(path, '\n') != NULL)
		return refuse_text(err, what, path, "contains a newline");
	*out_path = w_take_ptr(&path);
	return WRIT_OK;
}

/* Opens the file itself, even if it is a link. */
static int
open_path(const char *path, uint64_t resolve)
{
	struct open_how how = {
	    .flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
	    .resolve = resolve | RESOLVE_NO_MAGICLINKS,
	};

	return (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how));
}

static writ_status
fail_open(writ_error *err, const char *what, const char *path, int error)
{
	writ_status status;

	switch (error) {
	case ENOENT:
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "%s path '%s' does not exist", what, path);
		w_suggest(err, "create it first, or take it out");
		return status;
	case ENOSYS:
		return w_fail(err, WRIT_E_SANDBOX, STAGE, error,
		    "openat2 is needed (Linux 5.6 or later, and no seccomp "
		    "filter that hides it)");
	case EAGAIN:
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "%s path '%s' changes while it is being opened", what,
		    path);
	default:
		return w_fail(err, WRIT_E_INVALID, STAGE, error,
		    "cannot use %s path '%s'", what, path);
	}
}

static writ_status
refuse_link(writ_error *err, const char *what, const char *path, int fd)
{
	char target[512];
	ssize_t len = readlinkat(fd, "", target, sizeof(target) - 1);

	target[len < 0 ? 0 : len] = '\0';
	writ_status status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "%s path '%s' is a symbolic link to '%s'", what, path, target);
	w_suggest(err, "name what the link points to");
	return status;
}

/* The result of opening a path: a file, an errno, or a link. */
struct opened {
	int fd;
	struct stat st;
	char *path; /* canonical */
};

static void
opened_done(struct opened *opened)
{
	w_close(&opened->fd);
	free(opened->path);
}

/* Follows all links once. Returns 0 or an errno; EAGAIN: it changed. A link at
 * the end is left as it is, without a canonical path. */
static int
open_through_links(const char *path, bool follows_last, struct opened *opened)
{
	struct stat st;
	W_AUTO_FD int fd = open_path(path, 0);

	if (fd < 0)
		return errno;
	if (fstat(fd, &opened->st) < 0)
		return errno;
	if (S_ISLNK(opened->st.st_mode) && !follows_last) {
		opened->fd = w_take_fd(&fd);
		return 0;
	}
	W_AUTO_FREE char *canonical = realpath(path, NULL);
	if (canonical == NULL)
		return errno;
	W_AUTO_FD int again = open_path(canonical, RESOLVE_NO_SYMLINKS);
	if (again < 0)
		return errno == ELOOP || errno == ENOENT ? EAGAIN : errno;
	if (fstat(again, &st) < 0)
		return errno;
	bool is_same =
	    st.st_dev == opened->st.st_dev && st.st_ino == opened->st.st_ino;
	if (S_ISLNK(st.st_mode) || (!is_same && !S_ISLNK(opened->st.st_mode)))
		return EAGAIN;
	opened->st = st;
	opened->fd = w_take_fd(&again);
	opened->path = w_take_ptr(&canonical);
	return 0;
}

/* Returns 0 or an errno. */
static int
real_path_open(const char *path, bool follows_last, struct opened *opened)
{
	int error = 0;

	/* Most paths contain no link and are already canonical. */
	opened->fd = open_path(path, RESOLVE_NO_SYMLINKS);
	if (opened->fd < 0 && errno != ELOOP)
		return errno;
	if (opened->fd >= 0 && fstat(opened->fd, &opened->st) < 0)
		return errno;
	if (opened->fd >= 0 &&
	    (!follows_last || !S_ISLNK(opened->st.st_mode))) {
		if (S_ISLNK(opened->st.st_mode))
			return 0;
		opened->path = strdup(path);
		return opened->path != NULL ? 0 : ENOMEM;
	}
	for (int i = 0; i < TRIES; i++) {
		w_close(&opened->fd);
		error = open_through_links(path, follows_last, opened);
		if (error != EAGAIN)
			break;
	}
	return error;
}

static bool
is_out_of_reach(int error)
{
	return error == ENOENT || error == ENOTDIR || error == EACCES ||
	       error == ELOOP || error == ENAMETOOLONG;
}

/* Neither readable nor searchable: hiding it gains nothing, since a sandbox has
 * no more rights than its caller. */
static bool
is_unreadable(const struct opened *opened)
{
	const int flags = AT_EMPTY_PATH | AT_EACCESS;

	if (syscall(SYS_faccessat2, opened->fd, "", R_OK, flags) == 0 ||
	    errno != EACCES)
		return false;
	/* Without such a bit nobody may execute it, not even root; an access
	 * list cannot give what its mask, the bits of the group, lacks. */
	if (S_ISREG(opened->st.st_mode) && (opened->st.st_mode & 0111) == 0)
		return true;
	return syscall(SYS_faccessat2, opened->fd, "", X_OK, flags) < 0 &&
	       errno == EACCES;
}

static writ_status
check_opened(const char *path, const struct opened *opened, const char *what,
    bool takes_any_kind, writ_error *err)
{
	mode_t mode = opened->st.st_mode;

	if (!S_ISREG(mode) && !S_ISDIR(mode) && !takes_any_kind)
		return refuse_text(
		    err, what, path, "is not a file or directory");
	if (strchr(opened->path, '\n') != NULL)
		return refuse_text(
		    err, what, opened->path, "contains a newline");
	return WRIT_OK;
}

static void
take_opened(struct opened *opened, struct w_real_path *out_real_path)
{
	*out_real_path = (struct w_real_path){
	    .path = w_take_ptr(&opened->path),
	    .is_dir = S_ISDIR(opened->st.st_mode),
	    .dev = opened->st.st_dev,
	    .ino = opened->st.st_ino,
	};
}

writ_status
w_real_path_find(const char *path, const struct w_real_path_query *query,
    struct w_real_path *out_real_path, bool *out_found, writ_error *err)
{
	__attribute__((cleanup(opened_done))) struct opened opened = {.fd = -1};
	int error = real_path_open(
	    path, query->link == W_REAL_PATH_LINK_FOLLOW, &opened);
	bool is_link = error == 0 && S_ISLNK(opened.st.st_mode);

	*out_found = false;
	if (error == ENOMEM)
		return w_fail_nomem(err, STAGE);
	if (error != 0 && query->is_optional && is_out_of_reach(error))
		return WRIT_OK;
	if (error != 0)
		return fail_open(err, query->what, path, error);
	if (is_link && query->link == W_REAL_PATH_LINK_SKIP)
		return WRIT_OK;
	if (is_link)
		return refuse_link(err, query->what, path, opened.fd);
	if (query->skips_unreadable && is_unreadable(&opened))
		return WRIT_OK;
	writ_status status = check_opened(
	    path, &opened, query->what, query->takes_any_kind, err);
	if (status != WRIT_OK)
		return status;
	take_opened(&opened, out_real_path);
	*out_found = true;
	return WRIT_OK;
}

/* Opens root/relative without following links; if a file is in the way, opens
 * that one. *path is cut to what was opened. Returns 0 or an errno. */
static int
open_protected(char *path, size_t root_len, struct opened *opened)
{
	for (;;) {
		opened->fd = open_path(path, RESOLVE_NO_SYMLINKS);
		if (opened->fd >= 0)
			break;
		if (errno != ENOTDIR)
			return errno;
		char *slash = strrchr(path, '/');
		if ((size_t)(slash - path) <= root_len)
			return ENOTDIR;
		*slash = '\0';
	}
	return fstat(opened->fd, &opened->st) < 0 ? errno : 0;
}

/* Whether the first component below the root may exist. Checking the whole path
 * could go through a link. */
static bool
has_first_part(struct w_existence_cache *cache, char *path, size_t root_len)
{
	char *end = path + root_len + 1;

	end += strcspn(end, "/");
	char saved = *end;
	*end = '\0';
	bool may_exist = w_existence_cache_may_exist(cache, path);
	*end = saved;
	return may_exist;
}

writ_status
w_real_path_find_beneath(const char *root, const char *relative,
    struct w_existence_cache *cache, struct w_real_path *out_real_path,
    enum w_real_path_kind *out_kind, writ_error *err)
{
	__attribute__((cleanup(opened_done))) struct opened opened = {.fd = -1};
	const struct w_real_path_base base = {.cwd = root, .home = "/"};
	size_t root_len = strcmp(root, "/") == 0 ? 0 : strlen(root);
	writ_status status =
	    w_real_path_expand(relative, &base, "protect", &opened.path, err);

	if (status != WRIT_OK)
		return status;
	int error = ENOENT;
	if (has_first_part(cache, opened.path, root_len))
		error = open_protected(opened.path, root_len, &opened);
	*out_kind = W_REAL_PATH_ABSENT;
	if (error == ENOENT) {
		*out_real_path =
		    (struct w_real_path){.path = w_take_ptr(&opened.path)};
		return WRIT_OK;
	}
	if (error == ELOOP || error == EACCES ||
	    (error == 0 && S_ISLNK(opened.st.st_mode))) {
		*out_kind = W_REAL_PATH_LINKED;
		*out_real_path =
		    (struct w_real_path){.path = w_take_ptr(&opened.path)};
		return WRIT_OK;
	}
	if (error != 0)
		return fail_open(err, "protect", opened.path, error);
	status = check_opened(opened.path, &opened, "protect", true, err);
	if (status != WRIT_OK)
		return status;
	take_opened(&opened, out_real_path);
	*out_kind = W_REAL_PATH_FOUND;
	return WRIT_OK;
}

void
w_real_path_done(struct w_real_path *real_path)
{
	free(real_path->path);
	*real_path = (struct w_real_path){0};
}
