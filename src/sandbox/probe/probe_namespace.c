/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Probes namespaces. Each probe makes a namespace and uses it as a run does,
 * inside a user namespace if the caller needs one.
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <net/if.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/probe/probe_child.h"

static int
probe_namespace_put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	ssize_t n = write(fd, text, strlen(text));
	int saved = errno;
	(void)close(fd);
	errno = saved;
	return n < 0 ? -1 : 0;
}

int
w_probe_userns(struct w_probe_child *child)
{
	if (unshare(CLONE_NEWUSER) < 0)
		return w_probe_child_fail(child, "making a user namespace");
	if (probe_namespace_put("/proc/self/setgroups", "deny") < 0)
		return w_probe_child_fail(child, "giving up setgroups");
	if (probe_namespace_put("/proc/self/gid_map", child->gid_map) < 0)
		return w_probe_child_fail(child, "mapping the group id");
	if (probe_namespace_put("/proc/self/uid_map", child->uid_map) < 0)
		return w_probe_child_fail(child, "mapping the user id");
	/* A security module may allow the namespace yet grant no capability. */
	if (prctl(PR_CAPBSET_DROP, CAP_SYS_BOOT, 0, 0, 0) < 0)
		return w_probe_child_fail(child, "using the user namespace");
	return 0;
}

/* Makes one kind of namespace; link is its file in /proc, whose inode must
 * change. */
static int
probe_namespace_make(struct w_probe_child *child, int flag, const char *link)
{
	struct stat before = {0}, after = {0};

	if (child->has_userns) {
		int error = w_probe_userns(child);

		if (error != 0)
			return error;
	}
	if (stat(link, &before) < 0)
		return w_probe_child_fail(
		    child, "looking at the old namespace");
	if (unshare(flag) < 0)
		return w_probe_child_fail(child, "making the namespace");
	if (flag == CLONE_NEWPID)
		return 0;
	errno = EINVAL;
	if (stat(link, &after) < 0 || before.st_ino == after.st_ino)
		return w_probe_child_fail(child, "entering the namespace");
	return 0;
}

int
w_probe_ipcns(struct w_probe_child *child)
{
	return probe_namespace_make(child, CLONE_NEWIPC, "/proc/self/ns/ipc");
}

int
w_probe_utsns(struct w_probe_child *child)
{
	int error =
	    probe_namespace_make(child, CLONE_NEWUTS, "/proc/self/ns/uts");

	if (error == 0 && sethostname("writ", 4) < 0)
		return w_probe_child_fail(child, "setting the host name");
	return error;
}

int
w_probe_cgroupns(struct w_probe_child *child)
{
	return probe_namespace_make(
	    child, CLONE_NEWCGROUP, "/proc/self/ns/cgroup");
}

int
w_probe_netns(struct w_probe_child *child)
{
	struct ifreq request = {.ifr_name = "lo"};
	int error =
	    probe_namespace_make(child, CLONE_NEWNET, "/proc/self/ns/net");

	if (error != 0)
		return error;
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return w_probe_child_fail(child, "making a socket");
	if (ioctl(fd, SIOCGIFFLAGS, &request) < 0)
		return w_probe_child_fail(
		    child, "looking at the loopback interface");
	request.ifr_flags |= IFF_UP;
	if (ioctl(fd, SIOCSIFFLAGS, &request) < 0)
		return w_probe_child_fail(
		    child, "raising the loopback interface");
	return 0;
}

/* Waits for a child of a probe; its exit status is an errno. */
static int
await_errno(long pid)
{
	int status = 0;
	pid_t got;

	do
		got = waitpid((pid_t)pid, &status, __WALL);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EPERM;
}

int
w_probe_pidns(struct w_probe_child *child)
{
	int error = probe_namespace_make(
	    child, CLONE_NEWPID, "/proc/self/ns/pid_for_children");

	if (error != 0)
		return error;
	long pid = w_probe_child_fork();
	if (pid < 0)
		return w_probe_child_fail(child, "making an init");
	if (pid == 0)
		_exit(syscall(SYS_getpid) == 1 ? 0 : EINVAL);
	child->step = "being the init of the pid namespace";
	return await_errno(pid);
}

/* The init of a fresh pid namespace mounts its own /proc. */
static int
mount_proc(void)
{
	char self[16] = "";

	if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC,
		NULL) < 0)
		return errno;
	if (readlink("/proc/self", self, sizeof(self) - 1) < 0)
		return errno;
	return strcmp(self, "1") == 0 ? 0 : EINVAL;
}

static int
try_proc(struct w_probe_child *child)
{
	/* Missing pid namespaces are reported by their own probe. */
	if (unshare(CLONE_NEWPID) < 0)
		return 0;
	long pid = w_probe_child_fork();
	if (pid < 0)
		return w_probe_child_fail(child, "making an init");
	if (pid == 0)
		_exit(mount_proc());
	child->step = W_STEP_PROC;
	return await_errno(pid);
}

/* Builds a read-only copy of the whole tree in a fresh tmpfs on /proc, which
 * every machine has. */
static int
build_tree(struct w_probe_child *child)
{
	struct mount_attr attr = {.attr_set = MOUNT_ATTR_RDONLY};
	struct statfs fs;

	int tree = (int)syscall(SYS_open_tree, AT_FDCWD, "/",
	    OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
	if (tree < 0)
		return w_probe_child_fail(child, "copying the tree of mounts");
	if (syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH | AT_RECURSIVE,
		&attr, sizeof(attr)) < 0)
		return w_probe_child_fail(child, "making mounts read-only");
	if (mount("tmpfs", "/proc", "tmpfs", MS_NOSUID | MS_NODEV,
		"size=64k,mode=755") < 0)
		return w_probe_child_fail(child, "mounting a tmpfs");
	errno = EINVAL;
	if (statfs("/proc", &fs) < 0 || fs.f_type != TMPFS_MAGIC ||
	    mkdir("/proc/root", 0755) < 0)
		return w_probe_child_fail(child, "using a tmpfs");
	if (syscall(SYS_move_mount, tree, "", AT_FDCWD, "/proc/root",
		MOVE_MOUNT_F_EMPTY_PATH) < 0)
		return w_probe_child_fail(child, "attaching a tree of mounts");
	return 0;
}

/* Builds a file system view as a run does; the namespace is ours alone. */
static int
build_view(struct w_probe_child *child)
{
	int error =
	    probe_namespace_make(child, CLONE_NEWNS, "/proc/self/ns/mnt");

	if (error != 0)
		return error;
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return w_probe_child_fail(child, "making mounts private");
	error = build_tree(child);
	if (error != 0)
		return error;
	if (mkdir("/proc/root/writ-doctor", 0700) == 0) {
		(void)rmdir("/proc/root/writ-doctor");
		errno = ENOTSUP;
		return w_probe_child_fail(child, "being refused by the mounts");
	}
	return 0;
}

int
w_probe_mountns(struct w_probe_child *child)
{
	int error = build_view(child);

	return error != 0 ? error : try_proc(child);
}

int
w_probe_pivot_root(struct w_probe_child *child)
{
	int error = build_view(child);

	if (error != 0)
		return error;
	if (chdir("/proc/root") < 0 || syscall(SYS_pivot_root, ".", ".") < 0)
		return w_probe_child_fail(child, "changing the root");
	if (umount2(".", MNT_DETACH) < 0 || chdir("/") < 0)
		return w_probe_child_fail(child, "leaving the old root");
	return 0;
}
