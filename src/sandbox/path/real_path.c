/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Paths of a profile, looked up.
 *
 * A path is opened (O_PATH) before anything is believed about it. What comes
 * out is a path without symbolic links and the file behind it, so that whoever
 * uses the path later can tell when it has become another one.
 */

#include "sandbox/path/real_path.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/auto.h"
#include "base/buf.h"

#define STAGE "sandbox"

enum {
	PATH_BYTES_MAX = 4095,
	/* A directory tree being reorganised can lose the race a few times. */
	TRIES = 8
};

static writ_status
refuse_text(
    writ_error *err, const char *what, const char *text, const char *why)
{
	return w_fail(
	    err, WRIT_E_INVALID, STAGE, 0, "%s path '%s' %s", what, text, why);
}

/* Appends the components of text but for empty ones and "."; false: "..". */
static bool
add_components(struct w_buf *buf, const char *text)
{
	while (*text != '\0') {
		size_t len = strcspn(text, "/");

		if (len == 2 && memcmp(text, "..", 2) == 0)
			return false;
		if (len > 0 && !(len == 1 && text[0] == '.')) {
			w_buf_add_char(buf, '/');
			w_buf_add(buf, text, len);
		}
		text += len;
		text += *text == '/';
	}
	return true;
}

writ_status
w_real_path_expand(const char *text, const struct w_real_path_base *base,
    const char *what, char **out_path, writ_error *err)
{
	W_AUTO_BUF struct w_buf buf;
	const char *start = "";
	const char *rest = text;
	writ_status status;

	w_buf_init(&buf, PATH_BYTES_MAX);
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
	if (!add_components(&buf, start) || !add_components(&buf, rest)) {
		status = refuse_text(err, what, text, "contains '..'");
		w_suggest(err, "write the path that it leads to");
		return status;
	}
	if (buf.len == 0)
		w_buf_add_char(&buf, '/');
	if (buf.failed && strlen(start) + strlen(rest) >= PATH_BYTES_MAX)
		return refuse_text(err, what, text, "is too long");
	if (buf.failed)
		return w_fail_nomem(err, STAGE);
	if (strchr(buf.data, '\n') != NULL)
		return refuse_text(err, what, buf.data, "contains a newline");
	*out_path = w_buf_take(&buf, NULL);
	return *out_path != NULL ? WRIT_OK : w_fail_nomem(err, STAGE);
}

/* The file itself, also if it is a link. */
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

/* What opening a path came to: a place, or an errno, or a link. */
struct sight {
	int fd;
	struct stat st;
	char *path; /* canonical */
};

static void
sight_done(struct sight *sight)
{
	w_close(&sight->fd);
	free(sight->path);
}

/* Follows what leads to the file once. 0, or an errno; EAGAIN: it changed. A
 * link at the end is left as it is, without a canonical path. */
static int
look_through_links(const char *path, bool follows_last, struct sight *sight)
{
	struct stat st;
	W_AUTO_FD int fd = open_path(path, 0);

	if (fd < 0)
		return errno;
	if (fstat(fd, &sight->st) < 0)
		return errno;
	if (S_ISLNK(sight->st.st_mode) && !follows_last) {
		sight->fd = w_take_fd(&fd);
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
	    st.st_dev == sight->st.st_dev && st.st_ino == sight->st.st_ino;
	if (S_ISLNK(st.st_mode) || (!is_same && !S_ISLNK(sight->st.st_mode)))
		return EAGAIN;
	sight->st = st;
	sight->fd = w_take_fd(&again);
	sight->path = w_take_ptr(&canonical);
	return 0;
}

/* 0, or an errno. */
static int
real_path_look(const char *path, bool follows_last, struct sight *sight)
{
	int error = 0;

	/* Most paths have no link in them and are their own answer. */
	sight->fd = open_path(path, RESOLVE_NO_SYMLINKS);
	if (sight->fd < 0 && errno != ELOOP)
		return errno;
	if (sight->fd >= 0 && fstat(sight->fd, &sight->st) < 0)
		return errno;
	if (sight->fd >= 0 && (!follows_last || !S_ISLNK(sight->st.st_mode))) {
		if (S_ISLNK(sight->st.st_mode))
			return 0;
		sight->path = strdup(path);
		return sight->path != NULL ? 0 : ENOMEM;
	}
	for (int i = 0; i < TRIES; i++) {
		w_close(&sight->fd);
		error = look_through_links(path, follows_last, sight);
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

/* Neither listing or reading nor passing through: nothing is gained by hiding
 * it, since a sandbox has no more rights than its caller. */
static bool
is_unreadable(int fd)
{
	int flags = AT_EMPTY_PATH | AT_EACCESS;

	return syscall(SYS_faccessat2, fd, "", R_OK, flags) < 0 &&
	       errno == EACCES &&
	       syscall(SYS_faccessat2, fd, "", X_OK, flags) < 0 &&
	       errno == EACCES;
}

static writ_status
check_sight(const char *path, const struct sight *sight, const char *what,
    bool takes_any_kind, writ_error *err)
{
	mode_t mode = sight->st.st_mode;

	if (!S_ISREG(mode) && !S_ISDIR(mode) && !takes_any_kind)
		return refuse_text(
		    err, what, path, "is not a file or directory");
	if (strchr(sight->path, '\n') != NULL)
		return refuse_text(
		    err, what, sight->path, "contains a newline");
	return WRIT_OK;
}

static void
take_place(struct sight *sight, struct w_real_path *out_real_path)
{
	*out_real_path = (struct w_real_path){
	    .path = w_take_ptr(&sight->path),
	    .is_dir = S_ISDIR(sight->st.st_mode),
	    .dev = sight->st.st_dev,
	    .ino = sight->st.st_ino,
	};
}

writ_status
w_real_path_find(const char *path, const struct w_real_path_query *query,
    struct w_real_path *out_real_path, bool *out_found, writ_error *err)
{
	__attribute__((cleanup(sight_done))) struct sight sight = {.fd = -1};
	int error = real_path_look(
	    path, query->link == W_REAL_PATH_LINK_FOLLOW, &sight);
	bool is_link = error == 0 && S_ISLNK(sight.st.st_mode);

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
		return refuse_link(err, query->what, path, sight.fd);
	if (query->skips_unreadable && is_unreadable(sight.fd))
		return WRIT_OK;
	writ_status status =
	    check_sight(path, &sight, query->what, query->takes_any_kind, err);
	if (status != WRIT_OK)
		return status;
	take_place(&sight, out_real_path);
	*out_found = true;
	return WRIT_OK;
}

/* Opens root/relative without a link on the way; where a file stands in the
 * way, that one. *path is cut to what was opened. 0, or an errno. */
static int
open_protected(char *path, size_t root_len, struct sight *sight)
{
	for (;;) {
		sight->fd = open_path(path, RESOLVE_NO_SYMLINKS);
		if (sight->fd >= 0)
			break;
		if (errno != ENOTDIR)
			return errno;
		char *slash = strrchr(path, '/');
		if ((size_t)(slash - path) <= root_len)
			return ENOTDIR;
		*slash = '\0';
	}
	return fstat(sight->fd, &sight->st) < 0 ? errno : 0;
}

/* Whether there is anything at the first component below the root. A glance
 * at the whole path could go through a link. */
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
	__attribute__((cleanup(sight_done))) struct sight sight = {.fd = -1};
	const struct w_real_path_base base = {.cwd = root, .home = "/"};
	size_t root_len = strcmp(root, "/") == 0 ? 0 : strlen(root);
	writ_status status =
	    w_real_path_expand(relative, &base, "protect", &sight.path, err);

	if (status != WRIT_OK)
		return status;
	int error = ENOENT;
	if (has_first_part(cache, sight.path, root_len))
		error = open_protected(sight.path, root_len, &sight);
	*out_kind = W_REAL_PATH_ABSENT;
	if (error == ENOENT) {
		*out_real_path =
		    (struct w_real_path){.path = w_take_ptr(&sight.path)};
		return WRIT_OK;
	}
	if (error == ELOOP || error == EACCES ||
	    (error == 0 && S_ISLNK(sight.st.st_mode))) {
		*out_kind = W_REAL_PATH_LINKED;
		*out_real_path =
		    (struct w_real_path){.path = w_take_ptr(&sight.path)};
		return WRIT_OK;
	}
	if (error != 0)
		return fail_open(err, "protect", sight.path, error);
	status = check_sight(sight.path, &sight, "protect", true, err);
	if (status != WRIT_OK)
		return status;
	take_place(&sight, out_real_path);
	*out_kind = W_REAL_PATH_FOUND;
	return WRIT_OK;
}

void
w_real_path_done(struct w_real_path *real_path)
{
	free(real_path->path);
	*real_path = (struct w_real_path){0};
}
