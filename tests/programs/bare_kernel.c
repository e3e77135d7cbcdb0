/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs a command where the kernel offers no help with process trees: neither
 * user nor pid namespaces can be made, and there are no control groups.
 *
 *     bare_kernel COMMAND ARG...
 *
 * The walls are a user namespace of its own with its limits at zero, so the
 * machine around it stays as it is. Exits 77 where that cannot be built.
 */

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

static int
put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = write(fd, text, strlen(text));
	(void)close(fd);
	return n < 0 ? -1 : 0;
}

static int
map_ids(uid_t uid, gid_t gid)
{
	char text[64];

	if (put("/proc/self/setgroups", "deny") < 0)
		return -1;
	(void)snprintf(text, sizeof(text), "%u %u 1", gid, gid);
	if (put("/proc/self/gid_map", text) < 0)
		return -1;
	(void)snprintf(text, sizeof(text), "%u %u 1", uid, uid);
	return put("/proc/self/uid_map", text);
}

static int
hide_groups(void)
{
	if (access("/sys/fs/cgroup", F_OK) < 0)
		return 0;
	return mount("none", "/sys/fs/cgroup", "tmpfs", 0, "mode=755");
}

int
main(int argc, char **argv)
{
	uid_t uid = geteuid();
	gid_t gid = getegid();

	if (argc < 2)
		return 96;
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0 || map_ids(uid, gid) < 0 ||
	    hide_groups() < 0 ||
	    put("/proc/sys/user/max_user_namespaces", "0") < 0 ||
	    put("/proc/sys/user/max_pid_namespaces", "0") < 0) {
		perror("bare_kernel");
		return 77;
	}
	(void)execvp(argv[1], argv + 1);
	return 127;
}
