/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The interpreter of a mount plan.
 *
 * It runs as real root in a fresh mount namespace, or with the capabilities of
 * a fresh user namespace. There the mounts that came from the parent are
 * locked: attributes can be added but not removed, and no mount can be
 * uncovered. This dictates the order of every plan: what must be writable is
 * cloned (KEEP) while it still is, then everything is made read-only, then it
 * is PUT back.
 *
 * A file that the plan names by device and inode is opened once; the check and
 * the mount use that descriptor, so no rename can come between them.
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <sys/stat.h>

#include "os/syscall.h"
#include "sandbox/child/mount_step.h"

static long
close_after(long fd, long ret)
{
	(void)w_sys1(__NR_close, fd);
	return ret;
}

static long
mount_interpreter_check_file(long fd, const struct w_mount_op *op)
{
	struct stat found;

	if (op->ino == 0)
		return 0;
	long ret = w_sys2(__NR_fstat, fd, &found);
	if (ret == 0 && ((op->dev != 0 && found.st_dev != op->dev) ||
			    found.st_ino != op->ino))
		ret = -ESTALE;
	return ret;
}

static int
is_link(long fd)
{
	struct stat found;

	return w_sys2(__NR_fstat, fd, &found) == 0 && S_ISLNK(found.st_mode);
}

/* Opens a path in a tree that others may be changing. */
static long
open_step_path(const char *path, const struct w_mount_op *op)
{
	/* A link that is identified by its inode can be pinned like any
	 * file. */
	struct open_how how = {
	    .flags = O_PATH | O_CLOEXEC | (op->ino != 0 ? O_NOFOLLOW : 0),
	    .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};

	long fd = w_sys4(__NR_openat2, AT_FDCWD, path, &how, sizeof(how));
	if (fd < 0)
		return fd;
	long ret = mount_interpreter_check_file(fd, op);
	/* A link that appeared since then leads elsewhere. */
	if (ret == -ESTALE && is_link(fd))
		ret = -ELOOP;
	return ret < 0 ? close_after(fd, ret) : fd;
}

static long
set_attrs(long fd, uint32_t attrs, uint64_t propagation)
{
	const unsigned flags =
	    (attrs & W_MOUNT_FLAT) != 0 ? 0 : (unsigned)AT_RECURSIVE;
	struct mount_attr attr = {.propagation = propagation};

	if ((attrs & W_MOUNT_READONLY) != 0)
		attr.attr_set |= MOUNT_ATTR_RDONLY;
	if ((attrs & W_MOUNT_NOSUID) != 0)
		attr.attr_set |= MOUNT_ATTR_NOSUID;
	if ((attrs & W_MOUNT_NODEV) != 0)
		attr.attr_set |= MOUNT_ATTR_NODEV;
	if ((attrs & W_MOUNT_NOEXEC) != 0)
		attr.attr_set |= MOUNT_ATTR_NOEXEC;
	if ((attrs & W_MOUNT_RW) != 0)
		attr.attr_clr |= MOUNT_ATTR_RDONLY;
	if (attr.attr_set == 0 && attr.attr_clr == 0 && propagation == 0)
		return 0;
	return w_sys5(__NR_mount_setattr, fd, "", AT_EMPTY_PATH | flags, &attr,
	    sizeof(attr));
}

static unsigned
clone_flags(const struct w_mount_op *op)
{
	return OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_SYMLINK_NOFOLLOW |
	       ((op->attrs & W_MOUNT_FLAT) != 0 ? 0 : (unsigned)AT_RECURSIVE);
}

/* The clone's descriptor is both checked and mounted: a link on the way can
 * only lead to the same file. */
static long
clone_source(const struct w_enter_step *step)
{
	long tree = w_sys3(
	    __NR_open_tree, AT_FDCWD, step->source, clone_flags(step->op));
	if (tree < 0)
		return tree;
	long ret = mount_interpreter_check_file(tree, step->op);
	return ret < 0 ? close_after(tree, ret) : tree;
}

static long
attach_at(long tree, long fd)
{
	return w_sys5(__NR_move_mount, tree, "", fd, "",
	    MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH);
}

static long
attach_checked(long tree, const struct w_enter_step *step)
{
	long fd = open_step_path(step->target, step->op);
	if (fd < 0)
		return fd;
	return close_after(fd, attach_at(tree, fd));
}

/* Onto whatever the target is. */
static long
attach(long tree, const struct w_enter_step *step)
{
	const struct w_mount_op anything = {.kind = step->op->kind};

	if ((step->op->attrs & W_MOUNT_SHARED) != 0) {
		long fd = open_step_path(step->target, &anything);

		return fd < 0 ? fd : close_after(fd, attach_at(tree, fd));
	}
	return w_sys5(__NR_move_mount, tree, "", AT_FDCWD, step->target,
	    MOVE_MOUNT_F_EMPTY_PATH);
}

static long
do_private(const struct w_enter_step *step)
{
	long fd = w_sys4(__NR_openat, AT_FDCWD, step->target,
	    O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
	if (fd < 0)
		return fd;
	return close_after(fd, set_attrs(fd, step->op->attrs, MS_PRIVATE));
}

/* Binds a path onto itself. */
static long
bind_in_place(const struct w_enter_step *step)
{
	long fd = open_step_path(step->target, step->op);
	if (fd < 0)
		return fd;
	long tree = w_sys3(
	    __NR_open_tree, fd, "", AT_EMPTY_PATH | clone_flags(step->op));
	if (tree < 0)
		return close_after(fd, tree);
	long ret = set_attrs(tree, step->op->attrs, 0);
	if (ret == 0)
		ret = attach_at(tree, fd);
	(void)w_sys1(__NR_close, tree);
	return close_after(fd, ret);
}

static long
do_bind(const struct w_enter_step *step)
{
	if (step->op->source == step->op->target)
		return bind_in_place(step);

	long tree = clone_source(step);
	if (tree < 0)
		return tree;
	long ret = set_attrs(tree, step->op->attrs, 0);
	if (ret == 0)
		ret = attach(tree, step);
	return close_after(tree, ret);
}

static long
do_keep(const struct w_enter_step *step)
{
	long tree = clone_source(step);
	if (tree < 0)
		return tree;
	long ret = set_attrs(tree, step->op->attrs, MS_PRIVATE);
	if (ret < 0)
		return close_after(tree, ret);
	step->kept[step->op->slot] = (int)tree;
	return 0;
}

static long
do_take(const struct w_enter_step *step)
{
	long tree = w_sys3(__NR_open_tree, AT_FDCWD, step->source,
	    OPEN_TREE_CLOEXEC | AT_SYMLINK_NOFOLLOW);
	if (tree < 0)
		return tree;
	step->kept[step->op->slot] = (int)tree;
	return 0;
}

static long
do_put(const struct w_enter_step *step)
{
	const int tree = step->kept[step->op->slot];

	return close_after(tree, step->op->ino == 0
				     ? attach(tree, step)
				     : attach_checked(tree, step));
}

static long
do_mask(const struct w_enter_step *step)
{
	long fd = open_step_path(step->target, step->op);
	if (fd < 0)
		return fd;
	long tree = w_sys3(
	    __NR_open_tree, AT_FDCWD, step->source, clone_flags(step->op));
	if (tree < 0)
		return close_after(fd, tree);
	long ret = attach_at(tree, fd);
	(void)w_sys1(__NR_close, tree);
	return close_after(fd, ret);
}

static long
do_attrs(const struct w_enter_step *step)
{
	long fd = open_step_path(step->target, step->op);
	if (fd < 0)
		return fd;
	return close_after(fd, set_attrs(fd, step->op->attrs, 0));
}

/* The options of mount(2) would apply to the file system: a part of it may be
 * writable in the view. */
static long
do_overlay(const struct w_enter_step *step)
{
	long ret = w_sys5(
	    __NR_mount, "overlay", step->target, "overlay", 0, step->source);
	if (ret < 0)
		return ret;
	long fd = open_step_path(step->target, step->op);
	if (fd < 0)
		return fd;
	return close_after(fd, set_attrs(fd, step->op->attrs, MS_PRIVATE));
}

/* Outside this namespace a mount point can be removed, and the mount goes with
 * it; a file created in its place would be exposed. */
static long
do_check(const struct w_enter_step *step)
{
	const int is_shared = (step->op->attrs & W_MOUNT_SHARED) != 0;
	struct statx found;
	long fd = AT_FDCWD;

	if (is_shared)
		fd = open_step_path(step->target, step->op);
	if (is_shared && fd < 0)
		return fd == -EMFILE ? fd : -ESTALE;
	long ret = w_sys5(__NR_statx, fd, is_shared ? "" : step->target,
	    AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT |
		(is_shared ? AT_EMPTY_PATH : 0),
	    0, &found);
	if (is_shared)
		(void)w_sys1(__NR_close, fd);
	if (ret == -ENOENT)
		return -ESTALE;
	if (ret == 0 && (found.stx_attributes & STATX_ATTR_MOUNT_ROOT) == 0)
		ret = -ESTALE;
	return ret;
}

static long
perform(const struct w_enter_step *step)
{
	switch ((enum w_mount_kind)step->op->kind) {
	case W_MOUNT_PRIVATE:
		return do_private(step);
	case W_MOUNT_BIND:
		return do_bind(step);
	case W_MOUNT_KEEP:
		return do_keep(step);
	case W_MOUNT_TAKE:
		return do_take(step);
	case W_MOUNT_PUT:
		return do_put(step);
	case W_MOUNT_TMPFS:
		return w_enter_tmpfs(step);
	case W_MOUNT_PROC:
		return w_enter_proc(step);
	case W_MOUNT_DEVPTS:
		return w_enter_devpts(step);
	case W_MOUNT_DEV:
		return w_enter_devices(step->source, step->target);
	case W_MOUNT_DIR:
		return w_enter_dir(step);
	case W_MOUNT_FILE:
		return w_enter_file(step);
	case W_MOUNT_SYMLINK:
		return w_enter_symlink(step);
	case W_MOUNT_MASK:
		return do_mask(step);
	case W_MOUNT_COVER:
		/* One call instead of four: the mounts that it copies have
		 * their attributes already. */
		return w_sys5(__NR_mount, step->source, step->target, NULL,
		    MS_BIND, NULL);
	case W_MOUNT_ATTRS:
		return do_attrs(step);
	case W_MOUNT_CHECK:
		return do_check(step);
	case W_MOUNT_OVERLAY:
		return do_overlay(step);
	case W_MOUNT_SEAL:
		return w_enter_seal(step);
	case W_MOUNT_PIVOT:
		return w_enter_pivot(step);
	}
	return -EINVAL;
}

long
w_enter_mounts(const struct w_mount_op *ops, size_t count, const char *strings,
    int is_per_run, int kept[W_MOUNT_SLOTS], uint32_t *out_failed)
{
	const long umask = w_sys1(__NR_umask, 0);
	long ret = 0;

	for (size_t i = 0; i < count && ret == 0; i++) {
		const struct w_mount_op *op = &ops[i];
		const struct w_enter_step step = {
		    .op = op,
		    .source = strings + op->source,
		    .target = strings + op->target,
		    .kept = kept,
		};

		if (((op->attrs & W_MOUNT_PER_RUN) != 0) != (is_per_run != 0))
			continue;
		ret = op->slot < W_MOUNT_SLOTS ? perform(&step) : -EINVAL;
		if ((ret == -ENOENT || ret == -ESTALE) &&
		    (op->attrs & W_MOUNT_IF_THERE) != 0)
			ret = 0;
		if (ret < 0)
			*out_failed = (uint32_t)i;
	}
	(void)w_sys1(__NR_umask, umask);
	return ret;
}
