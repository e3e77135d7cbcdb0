/* SPDX-License-Identifier: Apache-2.0 */

/* Kills a control group and removes its directories. */

#include <errno.h>
#include <fcntl.h>
#include <linux/time_types.h>

#include "os/syscall.h"
#include "run/helper/helper.h"

enum {
	WAIT_ROUNDS = 60000,
	WAIT_NS = 1000000,
	DEPTH_MAX = 16
};

static long
open_in_group(int group, const char *name, int flags)
{
	return w_sys4(__NR_openat, group, name, flags | O_CLOEXEC, 0);
}

static int
is_populated(int group)
{
	static const char word[] = "populated 1";
	char text[128];

	long fd = open_in_group(group, "cgroup.events", O_RDONLY);
	if (fd < 0)
		return 0;
	long n = w_sys3(__NR_read, fd, text, sizeof(text));
	(void)w_sys1(__NR_close, fd);
	for (long at = 0; at + (long)sizeof(word) - 1 <= n; at++) {
		size_t same = 0;

		while (
		    word[same] != '\0' && text[at + (long)same] == word[same])
			same++;
		if (word[same] == '\0')
			return 1;
	}
	return 0;
}

void
group_kill(int group)
{
	long fd = open_in_group(group, "cgroup.kill", O_WRONLY);

	if (fd < 0)
		return;
	(void)w_sys3(__NR_write, fd, "1", 1);
	(void)w_sys1(__NR_close, fd);
}

static void
pause_briefly(void)
{
	const struct __kernel_timespec pause = {.tv_nsec = WAIT_NS};

	(void)w_sys2(__NR_nanosleep, &pause, NULL);
}

struct cgroup_remove_entry {
	uint64_t ino;
	int64_t off;
	uint16_t len;
	uint8_t type;
	char name[];
};

enum {
	TYPE_DIR = 4
};

/* Removes the child groups that the run's processes made, deepest first. */
static void
remove_below(long dir, int depth)
{
	char list[1024] __attribute__((aligned(8)));
	long n;

	while ((n = w_sys3(__NR_getdents64, dir, list, sizeof(list))) > 0) {
		for (long at = 0; at < n;) {
			const struct cgroup_remove_entry *entry =
			    (const struct cgroup_remove_entry *)(const void
				    *)(list + at);

			at += entry->len;
			if (entry->type != TYPE_DIR || entry->name[0] == '.')
				continue;
			long fd = w_sys4(__NR_openat, dir, entry->name,
			    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
			if (fd >= 0 && depth > 0)
				remove_below(fd, depth - 1);
			(void)w_sys1(__NR_close, fd);
			(void)w_sys3(
			    __NR_unlinkat, dir, entry->name, AT_REMOVEDIR);
		}
	}
}

static long
try_remove(int parent, int group, const char *name)
{
	long ret = w_sys3(__NR_unlinkat, parent, name, AT_REMOVEDIR);
	if (ret == 0 || ret == -ENOENT)
		return 0;

	long dir = open_in_group(group, ".", O_RDONLY | O_DIRECTORY);
	if (dir >= 0)
		remove_below(dir, DEPTH_MAX);
	(void)w_sys1(__NR_close, dir);
	return ret;
}

void
group_remove(int parent, int group, const char *name)
{
	/* On a busy machine a group stays busy for a while. */
	enum {
		TRIES = 2000
	};

	/* A killed process needs time to exit, longer in an uninterruptible
	 * system call; a minute at most. */
	for (int i = 0; i < WAIT_ROUNDS && is_populated(group); i++)
		pause_briefly();
	for (int i = 0; i < TRIES && try_remove(parent, group, name) < 0; i++)
		pause_briefly();
}
