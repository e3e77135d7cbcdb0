/* SPDX-License-Identifier: Apache-2.0 */

/* Inspects what is there, and the source. */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/hex.h"
#include "engine/file/file_state.h"

#define READ_MAX ((size_t)64 << 10)

/* ---- contents ---- */

static void
end_sum(struct w_file_sum *sum, struct w_sha256 *state)
{
	uint8_t bytes[W_SHA256_SIZE];

	w_sha256_end(state, bytes);
	w_hex_put(sum->hex, bytes, sizeof(bytes));
	sum->hex[W_SHA256_HEX] = '\0';
	if (!sum->kept.failed)
		sum->text = sum->kept.data;
}

/* Hashes a file, and keeps its content if it is small; size is the expected
 * size. Returns 0, or an errno. */
static int
sum_file(int fd, off_t size, struct w_file_sum *sum)
{
	const size_t room =
	    size >= 0 && (size_t)size < READ_MAX ? (size_t)size + 1 : READ_MAX;
	W_AUTO_FREE char *block = malloc(room);
	struct w_sha256 state;
	ssize_t n = 0;

	if (block == NULL)
		return ENOMEM;
	w_buf_init(&sum->kept, W_FILE_KEEP_MAX);
	w_sha256_init(&state);
	/* A short read of a regular file means its end. */
	do {
		n = read(fd, block, room);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		w_sha256_add(&state, block, (size_t)n);
		w_buf_add(&sum->kept, block, (size_t)n);
		sum->size += (uint64_t)n;
	} while (n < 0 || (size_t)n == room);
	end_sum(sum, &state);
	return 0;
}

static writ_status
fail_source(const char *source, int error, writ_error *err)
{
	if (error == ELOOP) {
		writ_status status = w_fail(err, WRIT_E_INVALID, W_FILE_STAGE,
		    0,
		    "source '%.200s' has a link in it that somebody else could "
		    "have made; it is not followed",
		    source);
		w_suggest(err, "name the place that it leads to");
		return status;
	}
	return w_fail(err,
	    error == ENOENT || error == ENOTDIR ? WRIT_E_INVALID
						: WRIT_E_SYSTEM,
	    W_FILE_STAGE, error, "cannot read source '%.200s'", source);
}

static writ_status
inspect_source(struct w_file_change *job, writ_error *err)
{
	const char *source = job->request.source;
	struct stat st;

	if (source == NULL)
		return WRIT_OK;
	int error = w_parent_dir_open_file(source,
	    O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, &job->source_fd);
	if (error == 0 && fstat(job->source_fd, &st) < 0)
		error = errno;
	if (error != 0)
		return fail_source(source, error, err);
	if (!S_ISREG(st.st_mode))
		return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
		    "source '%.200s' is not a file", source);
	error = sum_file(job->source_fd, st.st_size, &job->wanted);
	return error == 0
		   ? WRIT_OK
		   : w_fail(err, error == ENOMEM ? WRIT_E_NOMEM : WRIT_E_SYSTEM,
			 W_FILE_STAGE, error, "cannot read source '%.200s'",
			 source);
}

/* Reads the content of the file that was seen. */
static writ_status
look_into(struct w_file_change *job, writ_error *err)
{
	struct w_file_seen *seen = &job->seen;
	struct stat st;
	W_AUTO_FD int fd = openat(job->parent.fd, job->parent.name,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st) < 0)
		return w_fail(err, WRIT_E_SYSTEM, W_FILE_STAGE, errno,
		    "cannot read '%.256s'", job->request.path);
	if (!S_ISREG(st.st_mode))
		return w_fail(err, WRIT_E_SYSTEM, W_FILE_STAGE, EAGAIN,
		    "cannot read '%.256s'", job->request.path);
	seen->st = st;
	int error = sum_file(fd, st.st_size, &seen->sum);
	return error == 0
		   ? WRIT_OK
		   : w_fail(err, error == ENOMEM ? WRIT_E_NOMEM : WRIT_E_SYSTEM,
			 W_FILE_STAGE, error, "cannot read '%.256s'",
			 job->request.path);
}

/* ---- the path ---- */

static writ_status
refuse_way(const struct w_file_change *job, int error, writ_error *err)
{
	const char *path = job->request.path;
	writ_status status = WRIT_E_SYSTEM;

	if (error == ELOOP) {
		status = w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
		    "a directory of '%.200s' is a link that somebody else "
		    "could have made; it is not followed",
		    path);
		w_suggest(err, "name the place that it leads to");
		return status;
	}
	if (error == ENOTDIR) {
		const char *slash = strrchr(path, '/');

		return w_fail(err, WRIT_E_INVALID, W_FILE_STAGE, 0,
		    "\"%.*s\" is not a directory",
		    slash == path ? 1 : (int)(slash - path), path);
	}
	return w_fail(
	    err, status, W_FILE_STAGE, error, "cannot look at '%.256s'", path);
}

/* A trusted link to a directory counts as that directory. */
static void
follow_trusted_link(struct w_file_change *job)
{
	struct w_file_seen *seen = &job->seen;
	struct stat dir, st;

	if (job->request.ensure != WRIT_FILE_DIRECTORY ||
	    seen->kind != W_FILE_LINK || fstat(job->parent.fd, &dir) < 0 ||
	    !w_parent_dir_trusts_link(&dir, &seen->st) ||
	    fstatat(job->parent.fd, job->parent.name, &st, 0) < 0 ||
	    !S_ISDIR(st.st_mode))
		return;
	/* Unless something would have to be changed through it. */
	if (w_engine_file_differs(job, &st, NULL, 0))
		return;
	seen->kind = W_FILE_DIR;
	seen->st = st;
}

static writ_status
inspect_path(struct w_file_change *job, writ_error *err)
{
	struct w_file_seen *seen = &job->seen;
	int error = w_parent_dir_open(job->request.path, &job->parent);

	/* Without a directory for it, it is absent. */
	if (error == ENOTDIR && job->request.ensure == WRIT_FILE_ABSENT)
		return WRIT_OK;
	if (error != 0)
		return refuse_way(job, error, err);
	if (!w_parent_dir_exists(&job->parent))
		return WRIT_OK;
	if (fstatat(job->parent.fd, job->parent.name, &seen->st,
		AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? WRIT_OK : refuse_way(job, errno, err);
	seen->kind = S_ISREG(seen->st.st_mode)   ? W_FILE_REGULAR
		     : S_ISDIR(seen->st.st_mode) ? W_FILE_DIR
		     : S_ISLNK(seen->st.st_mode) ? W_FILE_LINK
						 : W_FILE_OTHER;
	follow_trusted_link(job);
	return WRIT_OK;
}

/* What the link leads to. */
static writ_status
read_target(struct w_file_change *job, writ_error *err)
{
	char target[PATH_MAX];
	const ssize_t len = readlinkat(
	    job->parent.fd, job->parent.name, target, sizeof(target) - 1);

	if (len < 0)
		return w_fail(err, WRIT_E_SYSTEM, W_FILE_STAGE, errno,
		    "cannot read the link '%.256s'", job->request.path);
	job->seen.target = strndup(target, (size_t)len);
	return job->seen.target == NULL ? w_fail_nomem(err, W_FILE_STAGE)
					: WRIT_OK;
}

writ_status
w_engine_file_inspect(struct w_file_change *job, writ_error *err)
{
	const struct w_file_seen *seen = &job->seen;
	writ_status status = inspect_source(job, err);

	if (status == WRIT_OK)
		status = inspect_path(job, err);
	if (status == WRIT_OK && seen->kind == W_FILE_LINK &&
	    job->request.ensure == WRIT_FILE_LINK)
		return read_target(job, err);
	if (status != WRIT_OK || seen->kind != W_FILE_REGULAR ||
	    job->request.ensure != WRIT_FILE_PRESENT)
		return status;
	if (job->has_content)
		return look_into(job, err);
	/* Only for the result: if it is small and readable. */
	if ((uint64_t)seen->st.st_size <= W_FILE_KEEP_MAX &&
	    look_into(job, NULL) == WRIT_E_NOMEM)
		return w_fail_nomem(err, W_FILE_STAGE);
	return WRIT_OK;
}

writ_status
w_engine_file_restat(
    const struct w_file_change *job, struct stat *out, writ_error *err)
{
	if (fstatat(job->parent.fd, job->parent.name, out,
		AT_SYMLINK_NOFOLLOW) == 0)
		return WRIT_OK;
	if (errno != ENOENT)
		return w_fail(err, WRIT_E_SYSTEM, W_FILE_STAGE, errno,
		    "cannot look at '%.256s'", job->request.path);
	*out = (struct stat){.st_mode = 0};
	return WRIT_OK;
}
