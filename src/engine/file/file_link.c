/* SPDX-License-Identifier: Apache-2.0 */

/* Makes symbolic links: the old one is there until the new one replaces it. */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/auto.h"
#include "engine/file/file_state.h"

#define TEMP_MAX 32

static int
make_temp(const struct w_file_change *job, char out_temp[TEMP_MAX])
{
	uint64_t random;

	if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return errno == 0 ? EAGAIN : errno;
	(void)snprintf(out_temp, TEMP_MAX, ".writ-%016" PRIx64 ".tmp", random);
	return symlinkat(job->request.target, job->parent.fd, out_temp) < 0
		   ? errno
		   : 0;
}

/* Who owns a link decides whether others follow it. */
static int
file_link_chown(const struct w_file_change *job, const char *temp)
{
	const bool has_old = job->seen.kind == W_FILE_LINK;
	uid_t uid = job->uid;
	gid_t gid = job->gid;

	if (has_old && uid == (uid_t)-1 && job->seen.st.st_uid != geteuid())
		uid = job->seen.st.st_uid;
	if (has_old && gid == (gid_t)-1 && job->seen.st.st_gid != getegid())
		gid = job->seen.st.st_gid;
	if (uid == (uid_t)-1 && gid == (gid_t)-1)
		return 0;
	return fchownat(job->parent.fd, temp, uid, gid, AT_SYMLINK_NOFOLLOW) < 0
		   ? errno
		   : 0;
}

static int
give_link_name(const struct w_file_change *job, const char *temp)
{
	const int dir_fd = job->parent.fd;
	const char *name = job->parent.name;
	const bool may_replace = job->seen.kind != W_FILE_NONE;

	if (may_replace)
		return renameat(dir_fd, temp, dir_fd, name) < 0 ? errno : 0;
	if (renameat2(dir_fd, temp, dir_fd, name, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return errno;
	/* Not every file system has that. */
	if (symlinkat(job->request.target, dir_fd, name) < 0)
		return errno;
	(void)unlinkat(dir_fd, temp, 0);
	return 0;
}

writ_status
w_engine_file_make_link(struct w_file_change *job, writ_error *err)
{
	char temp[TEMP_MAX];
	int error = make_temp(job, temp);

	if (error == 0) {
		error = file_link_chown(job, temp);
		if (error == 0)
			error = give_link_name(job, temp);
		if (error != 0)
			(void)unlinkat(job->parent.fd, temp, 0);
	}
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, W_FILE_STAGE, error,
		    "cannot make the link '%.200s'", job->request.path);
	W_AUTO_FD int fd =
	    openat(job->parent.fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0)
		(void)fsync(fd);
	return WRIT_OK;
}
