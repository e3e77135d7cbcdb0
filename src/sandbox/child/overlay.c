/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Mounts an overlay: a directory with a layer on top that takes all changes.
 *
 * The options name descriptors, so no path has to be quoted, and the table of
 * mounts that a run can read says nothing about where the layer lies. The
 * kernel clones only mounts of the caller's own namespace: the descriptors must
 * have been opened after it was made.
 *
 * userxattr also for root: it turns redirect_dir and metacopy off. A renamed
 * directory would leave what is mounted in it behind.
 *
 * volatile: nothing waits for the disk, and the kernel refuses to mount the
 * layer again, now or after a crash, until its work directory is made anew.
 * Two mounts of one layer are undefined.
 */

#include <linux/mount.h>

#include "os/syscall.h"
#include "sandbox/child/enter.h"

enum {
	TEXT_MAX = 192
};

static char *
overlay_add_text(char *end, const char *text)
{
	while (*text != '\0')
		*end++ = *text++;
	*end = '\0';
	return end;
}

static char *
add_fd(char *end, const char *key, int fd)
{
	char digits[12];
	int len = 0;

	end = overlay_add_text(end, key);
	end = overlay_add_text(end, "/proc/self/fd/");
	do
		digits[len++] = (char)('0' + fd % 10);
	while ((fd /= 10) > 0);
	while (len > 0)
		*end++ = digits[--len];
	*end = '\0';
	return end;
}

long
w_enter_overlay(int lower, int layer, const char *target)
{
	char text[TEXT_MAX];
	char *end = add_fd(text, "lowerdir=", lower);

	end = add_fd(end, ",upperdir=", layer);
	end = overlay_add_text(end, "/upper");
	end = add_fd(end, ",workdir=", layer);
	(void)overlay_add_text(
	    end, "/work,userxattr,index=off,xino=auto,volatile");
	return w_sys5(__NR_mount, "overlay", target, "overlay",
	    MS_NOSUID | MS_NODEV, text);
}
