/* SPDX-License-Identifier: Apache-2.0 */

/* Reads children, memory and CPU time of processes from /proc. */

#include "os/proc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

#include "base/auto.h"
#include "base/grow.h"
#include "base/pid_stat.h"
#include "base/size.h"
#include "os/file.h"

/* A bound for runaway trees; more than this exceeds every limit anyway. */
enum {
	PIDS_MAX = 1 << 20,
	TEXT_MAX = 65536
};

writ_status
w_proc_check(writ_error *err)
{
	struct statfs fs;

	if (statfs("/proc/self", &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC)
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_SYSTEM, "proc", 0,
	    "'/proc' is not mounted, and writ needs it to find out where files "
	    "are");
	w_suggest(err, "mount -t proc proc /proc");
	return WRIT_E_SYSTEM;
}

void
w_pids_done(struct w_pids *pids)
{
	free(pids->items);
	*pids = (struct w_pids){0};
}

bool
w_pids_add(struct w_pids *pids, pid_t pid)
{
	if (pids->count >= PIDS_MAX)
		return false;
	if (!w_grow(&pids->items, pids->count, &pids->cap))
		return false;
	pids->items[pids->count++] = pid;
	return true;
}

bool
w_pids_parse(struct w_pids *pids, const char *text)
{
	char *end;

	for (;;) {
		long pid = strtol(text, &end, 10);

		if (end == text)
			return true;
		/* Zero is a process of an outer namespace. */
		if (pid > 0 && !w_pids_add(pids, (pid_t)pid))
			return false;
		text = end;
	}
}

/* Children are listed per thread of their parent. */
static bool
add_children(struct w_pids *pids, pid_t parent, char *text)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%d/task", (int)parent);
	W_AUTO_FD int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return true;
	DIR *dir = fdopendir(fd);
	if (dir == NULL)
		return false;
	(void)w_take_fd(&fd);

	const struct dirent *entry;
	bool added = true;
	while (added && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		(void)snprintf(
		    path, sizeof(path), "%.20s/children", entry->d_name);
		if (w_file_read_at(dirfd(dir), path, text, TEXT_MAX) > 0)
			added = w_pids_parse(pids, text);
	}
	(void)closedir(dir);
	return added;
}

bool
w_pids_descend(struct w_pids *pids, pid_t root)
{
	W_AUTO_FREE char *text = malloc(TEXT_MAX);
	size_t next = pids->count;

	if (text == NULL || !add_children(pids, root, text))
		return false;
	while (next < pids->count) {
		if (!add_children(pids, pids->items[next++], text))
			return false;
	}
	return true;
}

/* 0, or an errno. */
static int
read_stat(pid_t pid, struct w_pid_stat *out_stat)
{
	char path[48];
	char text[1024];

	(void)snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	ssize_t len = w_file_read_at(AT_FDCWD, path, text, sizeof(text));
	if (len <= 0)
		return len == 0 ? ENOENT : (int)-len;
	return w_pid_stat_parse(text, out_stat) ? 0 : EINVAL;
}

bool
w_proc_usage(pid_t pid, struct w_usage *out_usage)
{
	char path[48];
	char text[1024];
	unsigned long resident;
	unsigned long shared;
	struct w_pid_stat stat = {0};

	(void)snprintf(path, sizeof(path), "/proc/%d/statm", (int)pid);
	if (read_stat(pid, &stat) != 0 ||
	    w_file_read_at(AT_FDCWD, path, text, sizeof(text)) <= 0 ||
	    sscanf(text, "%*u %lu %lu", &resident, &shared) != 2)
		return false;

	*out_usage = (struct w_usage){
	    .cpu_ms = stat.cpu_ticks * 1000 / (uint64_t)sysconf(_SC_CLK_TCK),
	    .memory_bytes = resident > shared
				? (uint64_t)(resident - shared) *
				      (uint64_t)sysconf(_SC_PAGESIZE)
				: 0,
	    .is_zombie = w_pid_stat_is_zombie(&stat),
	};
	return true;
}

int
w_proc_start(pid_t pid, uint64_t *out_ticks)
{
	struct w_pid_stat stat = {0};
	int error = read_stat(pid, &stat);

	if (error != 0)
		return error;
	*out_ticks = stat.start_ticks;
	return w_pid_stat_is_zombie(&stat) ? ESRCH : 0;
}
