/* SPDX-License-Identifier: Apache-2.0 */

/* Reads a policy from a file that only trusted users can change. */

#include "engine/policies/policies_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/auto.h"
#include "os/file.h"
#include "os/resolve.h"
#include "os/trust.h"

#define STAGE     "policy"
#define NS_PER_S  1000000000
#define MARKS_MAX 1024
#define SETTLED_S 2

/* ---- fingerprints ---- */

static void
policies_file_look(const char *path, struct w_fingerprint *mark)
{
	struct stat st;

	mark->exists = stat(path, &st) == 0;
	if (!mark->exists)
		return;
	mark->dev = st.st_dev;
	mark->ino = st.st_ino;
	mark->size = st.st_size;
	mark->changed_ns =
	    (int64_t)st.st_ctim.tv_sec * NS_PER_S + st.st_ctim.tv_nsec;
	/* File system timestamps are coarse. */
	mark->is_fresh = st.st_ctim.tv_sec + SETTLED_S > time(NULL);
}

void
w_fingerprints_done(struct w_fingerprints *marks)
{
	for (size_t i = 0; i < marks->count; i++)
		free(marks->items[i].path);
	free(marks->items);
	*marks = (struct w_fingerprints){.items = NULL};
}

bool
w_fingerprints_add(struct w_fingerprints *marks, const char *path)
{
	struct w_fingerprint mark = {.path = strdup(path)};
	struct w_fingerprint *more = NULL;

	if (mark.path != NULL && marks->count < MARKS_MAX)
		more =
		    reallocarray(marks->items, marks->count + 1, sizeof(*more));
	if (more == NULL) {
		free(mark.path);
		return false;
	}
	policies_file_look(path, &mark);
	marks->items = more;
	marks->items[marks->count++] = mark;
	return true;
}

bool
w_fingerprints_same(const struct w_fingerprints *marks)
{
	for (size_t i = 0; i < marks->count; i++) {
		const struct w_fingerprint *was = &marks->items[i];
		struct w_fingerprint now = {.exists = false};

		policies_file_look(was->path, &now);
		if ((was->exists && was->is_fresh) ||
		    now.exists != was->exists || now.dev != was->dev ||
		    now.ino != was->ino || now.size != was->size ||
		    now.changed_ns != was->changed_ns)
			return false;
	}
	return true;
}

/* ---- ownership ---- */

/* In a user namespace that does not map root, the owner of root's files
 * cannot be told from other users. */
static bool
is_owner_unknown(const struct stat *st)
{
	const uid_t root = w_trust_root_uid();

	return root != 0 && root != geteuid() && st->st_uid == root;
}

static writ_status
refuse_unknown_owner(const char *file, const char *path, writ_error *err)
{
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "the policy '%s' cannot be trusted here: in this user namespace "
	    "nobody can tell who owns '%s'",
	    file, path);
	w_suggest(err, "name a preset: --policy developer");
	return WRIT_E_INVALID;
}

/* Every directory from the file's own up to the root. */
static writ_status
check_dirs(
    const char *file, char dir[PATH_MAX], bool is_vouched, writ_error *err)
{
	struct stat st;

	for (;;) {
		if (stat(dir, &st) < 0)
			return w_fail(err, WRIT_E_INVALID, STAGE, errno,
			    "cannot look at '%s'", dir);
		if (is_vouched)
			w_trust_name_root(&st);
		else if (is_owner_unknown(&st))
			return refuse_unknown_owner(file, dir, err);
		if (w_trust_is_foreign_dir(&st)) {
			(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "the policy '%s' is in '%s', which other users can "
			    "change",
			    file, dir);
			w_suggest(err, "give the directory to yourself or "
				       "root, and: chmod go-w");
			return WRIT_E_INVALID;
		}
		char *slash = strrchr(dir, '/');
		if (slash == NULL || dir[1] == '\0')
			return WRIT_OK;
		slash[slash == dir ? 1 : 0] = '\0';
	}
}

static writ_status
policies_file_check_file(
    int fd, const char *path, bool is_vouched, writ_error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot look at the policy '%s'", path);
	if (!S_ISREG(st.st_mode))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the policy '%s' is not a file", path);
	if (is_vouched)
		w_trust_name_root(&st);
	else if (is_owner_unknown(&st))
		return refuse_unknown_owner(path, path, err);
	if (!w_trust_is_foreign(&st))
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "the policy '%s' can be changed by other users", path);
	w_suggest(err, "give it to yourself or root, and: chmod go-w");
	return WRIT_E_INVALID;
}

static writ_status
policies_file_open_file(const char *path, int *out_fd, writ_error *err)
{
	/* Opening a FIFO or a terminal must not block. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd >= 0) {
		*out_fd = fd;
		return WRIT_OK;
	}
	const bool is_missing = errno == ENOENT || errno == ENOTDIR;
	return w_fail(err, is_missing ? WRIT_E_NOTFOUND : WRIT_E_INVALID, STAGE,
	    is_missing ? 0 : errno,
	    is_missing ? "there is no policy '%s'" : "cannot open policy '%s'",
	    path);
}

/* Of the opened file, whatever links led to it. */
static writ_status
policies_file_check_place(
    int fd, const char *path, bool is_vouched, writ_error *err)
{
	char place[PATH_MAX];

	if (!w_resolve_fd(fd, place))
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot tell where the policy '%s' is", path);
	char *slash = strrchr(place, '/');
	slash[slash == place ? 1 : 0] = '\0';
	return check_dirs(path, place, is_vouched, err);
}

/* A link would let whoever can write its directory choose among the user's
 * files. */
static writ_status
check_link(const char *path, bool is_vouched, writ_error *err)
{
	const char *slash = strrchr(path, '/');
	char dir[PATH_MAX];
	struct w_resolved_path resolved;

	if (slash == NULL || (size_t)(slash - path) >= sizeof(dir))
		return WRIT_OK;
	memcpy(dir, path, (size_t)(slash - path));
	dir[slash - path] = '\0';
	w_resolve(AT_FDCWD, dir[0] == '\0' ? "/" : dir, false, &resolved);
	return resolved.path[0] == '\0'
		   ? w_fail(err, WRIT_E_INVALID, STAGE, 0,
			 "cannot tell where the policy '%s' is", path)
		   : check_dirs(path, resolved.path, is_vouched, err);
}

writ_status
w_policies_file_read(
    const char *path, bool is_vouched, struct w_buf *text, writ_error *err)
{
	W_AUTO_FD int fd = -1;
	writ_status status = policies_file_open_file(path, &fd, err);

	if (status == WRIT_OK)
		status = policies_file_check_file(fd, path, is_vouched, err);
	if (status == WRIT_OK)
		status = policies_file_check_place(fd, path, is_vouched, err);
	if (status == WRIT_OK)
		status = check_link(path, is_vouched, err);
	if (status != WRIT_OK)
		return status;
	int error = w_file_read_all(fd, text);
	if (error == ENOMEM)
		return w_fail_nomem(err, STAGE);
	if (error == EFBIG)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the policy '%s' is larger than %zu MiB", path,
		    text->max >> 20);
	return error == 0 ? WRIT_OK
			  : w_fail(err, WRIT_E_INVALID, STAGE, error,
				"cannot read the policy '%s'", path);
}
