/* SPDX-License-Identifier: Apache-2.0 */

/* The steps of a mount plan that create something new. */

#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <sys/stat.h>

#include "os/syscall.h"
#include "sandbox/child/mount_step.h"

enum {
	DETACH = 2, /* MNT_DETACH, which only libc's header has */
	OPTIONS_MAX = 64
};

static unsigned long
old_flags(uint32_t attrs)
{
	unsigned long flags = 0;

	if ((attrs & W_MOUNT_READONLY) != 0)
		flags |= MS_RDONLY;
	if ((attrs & W_MOUNT_NOSUID) != 0)
		flags |= MS_NOSUID;
	if ((attrs & W_MOUNT_NODEV) != 0)
		flags |= MS_NODEV;
	if ((attrs & W_MOUNT_NOEXEC) != 0)
		flags |= MS_NOEXEC;
	return flags;
}

/* mount(2): one call instead of the four or more of the new interface. */
static long
mount_fresh(
    const struct w_enter_step *step, const char *type, const char *options)
{
	return w_sys5(__NR_mount, type, step->target, type,
	    old_flags(step->op->attrs), options);
}

static char *
fresh_mounts_add_text(char *end, const char *text)
{
	while (*text != '\0')
		*end++ = *text++;
	*end = '\0';
	return end;
}

static char *
fresh_mounts_add_number(char *end, uint64_t number, unsigned base)
{
	char digits[OPTIONS_MAX / 2];
	int len = 0;

	do
		digits[len++] = (char)('0' + number % base);
	while ((number /= base) > 0);
	while (len > 0)
		*end++ = digits[--len];
	*end = '\0';
	return end;
}

long
w_enter_tmpfs(const struct w_enter_step *step)
{
	char options[OPTIONS_MAX];
	char *end = fresh_mounts_add_text(options, "mode=");

	end = fresh_mounts_add_number(end, step->op->mode, 8);
	if (step->op->number > 0)
		(void)fresh_mounts_add_number(
		    fresh_mounts_add_text(end, ",size="), step->op->number, 10);
	return mount_fresh(step, "tmpfs", options);
}

long
w_enter_proc(const struct w_enter_step *step)
{
	return mount_fresh(step, "proc", step->source);
}

long
w_enter_devpts(const struct w_enter_step *step)
{
	long ret = mount_fresh(step, "devpts", step->source);

	if (ret == -EINVAL && (step->op->attrs & W_MOUNT_IF_THERE) != 0)
		return 0;
	return ret;
}

static long
unless_there(long ret)
{
	return ret == -EEXIST ? 0 : ret;
}

/* Opens the directory of target without following a link, where others write.
 * *out_name is the last part. AT_FDCWD and the whole path: nobody else does. */
static long
open_parent(const struct w_enter_step *step, const char **out_name)
{
	struct open_how how = {
	    .flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
	    .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};
	char parent[PATH_MAX];
	size_t len = 0, slash = 0;

	*out_name = step->target;
	if ((step->op->attrs & W_MOUNT_SHARED) == 0)
		return AT_FDCWD;
	for (; len < sizeof(parent) - 1 && step->target[len] != '\0'; len++) {
		parent[len] = step->target[len];
		if (parent[len] == '/')
			slash = len;
	}
	if (step->target[len] != '\0' || slash == 0)
		return -EINVAL;
	parent[slash] = '\0';
	*out_name = step->target + slash + 1;
	return w_sys4(__NR_openat2, AT_FDCWD, parent, &how, sizeof(how));
}

static long
close_parent(long parent, long ret)
{
	if (parent != AT_FDCWD)
		(void)w_sys1(__NR_close, parent);
	return unless_there(ret);
}

long
w_enter_dir(const struct w_enter_step *step)
{
	const char *name;

	long parent = open_parent(step, &name);
	if (parent < 0 && parent != AT_FDCWD)
		return parent;
	return close_parent(
	    parent, w_sys3(__NR_mkdirat, parent, name, step->op->mode));
}

long
w_enter_file(const struct w_enter_step *step)
{
	const char *name;

	long parent = open_parent(step, &name);
	if (parent < 0 && parent != AT_FDCWD)
		return parent;
	return close_parent(parent,
	    w_sys4(__NR_mknodat, parent, name, S_IFREG | step->op->mode, 0));
}

long
w_enter_symlink(const struct w_enter_step *step)
{
	return unless_there(
	    w_sys3(__NR_symlinkat, step->source, AT_FDCWD, step->target));
}

long
w_enter_seal(const struct w_enter_step *step)
{
	return w_sys5(__NR_mount, NULL, step->target, NULL,
	    MS_REMOUNT | MS_RDONLY | MS_NOSUID, NULL);
}

/* The old root ends up on top of the new one and is detached from there, so it
 * needs no directory of its own. */
long
w_enter_pivot(const struct w_enter_step *step)
{
	long ret = w_sys1(__NR_chdir, step->target);

	if (ret == 0)
		ret = w_sys2(__NR_pivot_root, ".", ".");
	if (ret == 0)
		ret = w_sys2(__NR_umount2, ".", DETACH);
	if (ret == 0)
		ret = w_sys1(__NR_chdir, "/");
	return ret;
}
