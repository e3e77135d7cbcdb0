/* SPDX-License-Identifier: Apache-2.0 */

/* Changes of mode, owner, times and attributes of files outside, by old calls
 * and new ones. Each sets what is set already. */

#include "attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <linux/fs.h>

/* Newer than the system's headers. */
enum {
	CALL_FCHMODAT2 = 452,
	CALL_SETXATTRAT = 463,
	CALL_FILE_SETATTR = 469,
};

struct new_xattr {
	uint64_t value;
	uint32_t size;
	uint32_t flags;
};

struct new_file_attr {
	uint64_t xflags;
	uint32_t words[4];
};

static const char *
target(void)
{
	return beneath("outside", "file");
}

/* A descriptor for reading, as anybody who may read has it. */
static int
readable(void)
{
	const char *path = target();

	return path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
}

/* An answer of ENOSYS is the filter's if the call is known to this kernel,
 * which nobody inside can tell: closed either way. */
static int
change_mode(void)
{
	return target() == NULL ? CANNOT : outcome(chmod(target(), 0644));
}

static int
change_mode_by_fd(void)
{
	const int fd = readable();

	if (fd < 0)
		return target() == NULL ? CANNOT : -errno;
	return outcome(fchmod(fd, 0644));
}

static int
change_mode_newly(void)
{
	if (target() == NULL)
		return CANNOT;
	return outcome(
	    syscall(CALL_FCHMODAT2, AT_FDCWD, target(), (mode_t)0644, 0));
}

static int
change_owner(void)
{
	if (target() == NULL)
		return CANNOT;
	return outcome(chown(target(), getuid(), getgid()));
}

static int
change_owner_by_fd(void)
{
	const int fd = readable();

	if (fd < 0)
		return target() == NULL ? CANNOT : -errno;
	return outcome(fchown(fd, getuid(), getgid()));
}

static int
change_times(void)
{
	if (target() == NULL)
		return CANNOT;
	return outcome(utimensat(AT_FDCWD, target(), NULL, 0));
}

static int
change_times_by_fd(void)
{
	const int fd = readable();

	if (fd < 0)
		return target() == NULL ? CANNOT : -errno;
	return outcome(futimens(fd, NULL));
}

static int
set_attribute(void)
{
	int result;

	if (target() == NULL)
		return CANNOT;
	result = outcome(setxattr(target(), "user.escape", "1", 1, 0));
	(void)removexattr(target(), "user.escape");
	return result == -EOPNOTSUPP ? CANNOT : result;
}

static int
set_attribute_newly(void)
{
	const struct new_xattr args = {(uintptr_t) "1", 1, 0};
	int result;

	if (target() == NULL)
		return CANNOT;
	result = outcome(syscall(CALL_SETXATTRAT, AT_FDCWD, target(), 0U,
	    "user.escape", &args, sizeof(args)));
	(void)removexattr(target(), "user.escape");
	return result == -EOPNOTSUPP ? CANNOT : result;
}

static int
set_flags(void)
{
	const int fd = readable();
	int flags = 0;
	int result;

	if (fd < 0)
		return target() == NULL ? CANNOT : -errno;
	if (ioctl(fd, FS_IOC_GETFLAGS, &flags) < 0 && errno == ENOTTY)
		return CANNOT;
	flags ^= FS_NODUMP_FL;
	result = outcome(ioctl(fd, FS_IOC_SETFLAGS, &flags));
	flags ^= FS_NODUMP_FL;
	(void)ioctl(fd, FS_IOC_SETFLAGS, &flags);
	return result;
}

static int
set_flags_newly(void)
{
	struct new_file_attr attr = {FS_XFLAG_NODUMP, {0}};
	int result;

	if (target() == NULL)
		return CANNOT;
	result = outcome(syscall(
	    CALL_FILE_SETATTR, AT_FDCWD, target(), &attr, sizeof(attr), 0U));
	attr.xflags = 0;
	(void)syscall(
	    CALL_FILE_SETATTR, AT_FDCWD, target(), &attr, sizeof(attr), 0U);
	return result == -EOPNOTSUPP ? CANNOT : result;
}

const struct attempt metadata_attempts[] = {
    {"chmod", "change the mode of a file outside", change_mode, false},
    {"fchmod", "change the mode by a descriptor for reading", change_mode_by_fd,
	false},
    {"fchmodat2", "change the mode by the newest call", change_mode_newly,
	false},
    {"chown", "change the owner of a file outside", change_owner, false},
    {"fchown", "change the owner by a descriptor for reading",
	change_owner_by_fd, false},
    {"utime", "change the times of a file outside", change_times, false},
    {"futime", "change the times by a descriptor for reading",
	change_times_by_fd, false},
    {"setxattr", "set an extended attribute outside", set_attribute, false},
    {"setxattrat", "set one by the newest call", set_attribute_newly, false},
    {"chattr", "change the flags of a file outside", set_flags, false},
    {"file-setattr", "change them by the newest call", set_flags_newly, false},
    {NULL, NULL, NULL, false},
};
