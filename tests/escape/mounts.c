/* SPDX-License-Identifier: Apache-2.0 */

/* Taking the view of the files apart. What succeeds does so in a mount
 * namespace of its own, where the machine's is at stake otherwise. */

#include "attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* Outside of any sandbox: a namespace that keeps the changes to itself. Inside
 * it cannot be had, and the attempt is made in the sandbox's own. */
static void
step_aside(void)
{
	if (unshare(CLONE_NEWNS) == 0)
		(void)mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
}

static int
mount_tmpfs(void)
{
	step_aside();
	return outcome(mount("none", own_directory(), "tmpfs", 0, NULL));
}

static int
remount_writable(void)
{
	step_aside();
	return outcome(mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL));
}

static int
bind_root(void)
{
	step_aside();
	return outcome(mount("/", own_directory(), NULL, MS_BIND, NULL));
}

static int
uncover_hidden(void)
{
	const char *path = fact("hidden");

	if (path == NULL)
		return CANNOT;
	step_aside();
	if (umount2(path, MNT_DETACH) == 0)
		return OPEN;
	/* EINVAL: allowed, and not a mount point. */
	return errno == EINVAL ? OPEN : -errno;
}

static int
clone_tree(void)
{
	return outcome(syscall(SYS_open_tree, AT_FDCWD, "/",
	    1U /* OPEN_TREE_CLONE */ | (unsigned)O_CLOEXEC));
}

static int
change_mount(void)
{
	struct {
		uint64_t set, clear, propagation, userns_fd;
	} attr = {.clear = 1 /* MOUNT_ATTR_RDONLY */};

	step_aside();
	return outcome(
	    syscall(SYS_mount_setattr, AT_FDCWD, "/", 0U, &attr, sizeof(attr)));
}

static int
open_filesystem(void)
{
	return outcome(syscall(SYS_fsopen, "tmpfs", 0U));
}

static int
pivot(void)
{
	step_aside();
	if (syscall(SYS_pivot_root, ".", ".") == 0)
		return OPEN;
	/* Being asked for a better place is being let in. */
	return errno == EINVAL || errno == EBUSY ? OPEN : -errno;
}

static int
make_device(void)
{
	const char *const name = "escape-device";
	int result;
	int fd;

	if (chdir(own_directory()) < 0)
		return -errno;
	(void)unlink(name);
	/* The kernel's memory device: opened for reading only. */
	if (mknod(name, S_IFCHR | 0600, makedev(1, 1)) < 0)
		return -errno;
	fd = open(name, O_RDONLY | O_CLOEXEC);
	result = outcome(fd);
	(void)unlink(name);
	return result == -ENXIO ? OPEN : result;
}

static int
open_disk(void)
{
	const char *path = fact("disk");

	if (path == NULL)
		return CANNOT;
	return outcome(open(path, O_RDONLY | O_CLOEXEC));
}

const struct attempt mount_attempts[] = {
    {"mount", "mount a file system", mount_tmpfs, false},
    {"remount", "make the root writable", remount_writable, false},
    {"bind", "mount the root somewhere else", bind_root, false},
    {"umount", "take the cover off the hidden", uncover_hidden, false},
    {"open-tree", "copy the tree of mounts", clone_tree, false},
    {"mount-setattr", "make the root writable by the new call", change_mount,
	false},
    {"fsopen", "open a file system by the new call", open_filesystem, false},
    {"pivot-root", "change the root", pivot, false},
    {"mknod", "make a device and open it", make_device, false},
    {"disk", "open the machine's disk for reading", open_disk, false},
    {NULL, NULL, NULL, false},
};
