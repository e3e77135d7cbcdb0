/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A /dev with the devices that every program may want and nothing else.
 *
 * Root creates the nodes: this saves mounts, and every later copy of the
 * namespace pays for each mount. Nodes created in a user namespace do not work,
 * so there the machine's nodes are bind-mounted one by one.
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sys/stat.h>

#include "os/syscall.h"
#include "sandbox/child/enter.h"

enum {
	NAME_AT = sizeof("/dev/") - 1,
	NODE_COUNT = 6,
	NODE_NAME = sizeof("urandom"),
	LINK_COUNT = 5,
	LINK_NAME = sizeof("stderr"),
	LINK_TARGET = sizeof("/proc/self/fd/0")
};

/* Arrays instead of pointers: the child half has no second relocation. */
static const struct {
	char path[NAME_AT + NODE_NAME];
	unsigned number;
} nodes[NODE_COUNT] = {
    {"/dev/null", 1 << 8 | 3},
    {"/dev/zero", 1 << 8 | 5},
    {"/dev/full", 1 << 8 | 7},
    {"/dev/random", 1 << 8 | 8},
    {"/dev/urandom", 1 << 8 | 9},
    {"/dev/tty", 5 << 8 | 0},
};

static const struct {
	char name[LINK_NAME];
	char target[LINK_TARGET];
} links[LINK_COUNT] = {
    {"fd", "/proc/self/fd"},
    {"stdin", "/proc/self/fd/0"},
    {"stdout", "/proc/self/fd/1"},
    {"stderr", "/proc/self/fd/2"},
    {"ptmx", "pts/ptmx"},
};

static long
make_links(long dir)
{
	long ret = 0;

	for (int i = 0; i < LINK_COUNT && ret == 0; i++)
		ret =
		    w_sys3(__NR_symlinkat, links[i].target, dir, links[i].name);
	if (ret == 0)
		ret = w_sys3(__NR_mkdirat, dir, "pts", 0755);
	return ret;
}

/* Clones the machine's node, which must be the device of that name: anything
 * else at this path would be mounted with device access. */
static long
clone_node(int i)
{
	/* This makes the node read-only, not the device. */
	struct mount_attr attr = {
	    .attr_set = MOUNT_ATTR_RDONLY, .attr_clr = MOUNT_ATTR_NODEV};
	struct stat found;

	long fd = w_sys3(__NR_open_tree, AT_FDCWD, nodes[i].path,
	    OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_SYMLINK_NOFOLLOW);
	if (fd < 0)
		return fd;
	long ret = w_sys2(__NR_fstat, fd, &found);
	if (ret == 0 &&
	    (!S_ISCHR(found.st_mode) || found.st_rdev != nodes[i].number))
		ret = -ESTALE;
	if (ret == 0)
		ret = w_sys5(__NR_mount_setattr, fd, "", AT_EMPTY_PATH, &attr,
		    sizeof(attr));
	if (ret == 0)
		return fd;
	(void)w_sys1(__NR_close, fd);
	return ret;
}

/* All are cloned before the new directory can cover the machine's /dev. */
static long
clone_nodes(long dir, int fds[NODE_COUNT])
{
	for (int i = 0; i < NODE_COUNT; i++) {
		long fd = clone_node(i);

		fds[i] = (int)fd;
		if (fd == -ENOENT)
			continue;
		if (fd < 0)
			return fd;
		long ret = w_sys4(__NR_mknodat, dir, nodes[i].path + NAME_AT,
		    S_IFREG | 0666, 0);
		if (ret < 0 && ret != -EEXIST)
			return ret;
	}
	return 0;
}

static long
attach_nodes(const char *target, const int fds[NODE_COUNT])
{
	long dir = w_sys4(__NR_openat, AT_FDCWD, target,
	    O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
	if (dir < 0)
		return dir;
	long ret = 0;
	for (int i = 0; i < NODE_COUNT && ret == 0; i++) {
		if (fds[i] < 0)
			continue;
		ret = w_sys5(__NR_move_mount, fds[i], "", dir,
		    nodes[i].path + NAME_AT, MOVE_MOUNT_F_EMPTY_PATH);
		(void)w_sys1(__NR_close, fds[i]);
	}
	(void)w_sys1(__NR_close, dir);
	return ret;
}

static long
appear(long dir, const char *target)
{
	long tree = w_sys3(__NR_open_tree, dir, "",
	    OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH);
	if (tree < 0)
		return tree;
	long ret = w_sys5(__NR_move_mount, tree, "", AT_FDCWD, target,
	    MOVE_MOUNT_F_EMPTY_PATH);
	(void)w_sys1(__NR_close, tree);
	return ret;
}

long
w_enter_devices(const char *source, const char *target)
{
	const int is_apart = source[0] != '\0';
	int fds[NODE_COUNT];

	long dir = w_sys4(__NR_openat, AT_FDCWD, is_apart ? source : target,
	    O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
	if (dir < 0)
		return dir;
	long ret = make_links(dir);
	for (int i = 0; i < NODE_COUNT && ret == 0; i++)
		ret = w_sys4(__NR_mknodat, dir, nodes[i].path + NAME_AT,
		    S_IFCHR | 0666, nodes[i].number);
	const int is_bound = ret == -EPERM;
	if (is_bound)
		ret = clone_nodes(dir, fds);
	if (ret == 0 && is_apart)
		ret = appear(dir, target);
	if (ret == 0 && is_bound)
		ret = attach_nodes(target, fds);
	(void)w_sys1(__NR_close, dir);
	return ret;
}
