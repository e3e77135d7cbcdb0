/* SPDX-License-Identifier: Apache-2.0 */

/* Counting what a process and its descendants hold, from /proc. */

#include "census.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	KIN_MAX = 4096,
	SPACES_MAX = 4096
};

struct process {
	pid_t pid;
	pid_t parent;
	char state;
};

/* Distinct numbers of namespaces. */
struct spaces {
	ino_t seen[SPACES_MAX];
	size_t count;
};

static const char *const texts[] = {
#define X(name, text) text,
    CENSUS_MAP(X)
#undef X
};

const char *
census_text(enum census_kind kind)
{
	return texts[kind];
}

static size_t
read_file(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, buf, size - 1);

	if (fd >= 0)
		(void)close(fd);
	buf[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}

/* ---- who belongs to us ---- */

static bool
read_process(const char *name, struct process *out)
{
	char path[288], text[512];
	int parent = 0;

	(void)snprintf(path, sizeof(path), "/proc/%s/stat", name);
	if (read_file(path, text, sizeof(text)) == 0)
		return false;
	/* A program's name may hold anything, even ") R 1". */
	const char *end = strrchr(text, ')');
	if (end == NULL || sscanf(end + 1, " %c %d", &out->state, &parent) != 2)
		return false;
	out->pid = (pid_t)atoi(name);
	out->parent = parent;
	return true;
}

static size_t
list_processes(struct process *all)
{
	DIR *dir = opendir("/proc");
	size_t count = 0;

	for (struct dirent *entry = dir == NULL ? NULL : readdir(dir);
	     entry != NULL && count < KIN_MAX; entry = readdir(dir)) {
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    read_process(entry->d_name, &all[count]))
			count++;
	}
	if (dir != NULL)
		(void)closedir(dir);
	return count;
}

static bool
is_kin(const struct process *all, size_t count, pid_t pid)
{
	/* Bounded: parents change while the list is being made. */
	for (int depth = 0; depth < 16 && pid > 1; depth++) {
		size_t i = 0;

		if (pid == getpid())
			return true;
		while (i < count && all[i].pid != pid)
			i++;
		pid = i < count ? all[i].parent : 0;
	}
	return false;
}

/* ---- what one of them holds ---- */

static void
add_space(struct spaces *spaces, ino_t number)
{
	for (size_t i = 0; i < spaces->count; i++) {
		if (spaces->seen[i] == number)
			return;
	}
	if (spaces->count < SPACES_MAX)
		spaces->seen[spaces->count++] = number;
}

/* Descriptors of namespaces keep these alive as processes do. */
static bool
is_space(const char *path)
{
	char target[64];
	ssize_t n = readlink(path, target, sizeof(target) - 1);
	const char *const kinds[] = {
	    "mnt:", "pid:", "net:", "user:", "ipc:", "uts:", "cgroup:"};

	target[n > 0 ? n : 0] = '\0';
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strncmp(target, kinds[i], strlen(kinds[i])) == 0)
			return true;
	}
	return false;
}

/* How many entries; those that are namespaces go to the list. */
static long
look_through(pid_t pid, const char *folder, struct spaces *spaces)
{
	char path[320];
	struct stat at;
	long count = 0;

	(void)snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, folder);
	DIR *dir = opendir(path);
	for (struct dirent *entry = dir == NULL ? NULL : readdir(dir);
	     entry != NULL; entry = readdir(dir)) {
		if (entry->d_name[0] == '.')
			continue;
		count++;
		(void)snprintf(path, sizeof(path), "/proc/%d/%s/%s", (int)pid,
		    folder, entry->d_name);
		if (is_space(path) && stat(path, &at) == 0)
			add_space(spaces, at.st_ino);
	}
	if (dir != NULL)
		(void)closedir(dir);
	return count;
}

static long
count_lines(const char *path)
{
	FILE *file = fopen(path, "re");
	long lines = 0;

	if (file == NULL)
		return 0;
	for (int c = fgetc(file); c != EOF; c = fgetc(file))
		lines += c == '\n' ? 1 : 0;
	(void)fclose(file);
	return lines;
}

static long
private_kib(pid_t pid)
{
	char path[48], text[4096];
	long kib = 0;

	(void)snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	(void)read_file(path, text, sizeof(text));
	const char *line = strstr(text, "RssAnon:");
	if (line != NULL)
		(void)sscanf(line, "RssAnon: %ld", &kib);
	return kib;
}

/* ---- beyond the processes ---- */

static long groups_found;

static int
count_group(
    const char *path, const struct stat *info, int kind, struct FTW *place)
{
	char own[32];

	(void)info;
	(void)place;
	(void)snprintf(own, sizeof(own), "/writ.%d.", (int)getpid());
	if ((kind == FTW_D || kind == FTW_DNR) && strstr(path, own) != NULL)
		groups_found++;
	return 0;
}

/* The groups whose name says that this process made them. */
static long
count_groups(void)
{
	const char *const roots[] = {
	    "/sys/fs/cgroup/unified", "/sys/fs/cgroup"};
	char text[4096], path[4224];

	(void)read_file("/proc/self/cgroup", text, sizeof(text));
	char *own = strstr(text, "0::");
	if (own == NULL)
		return -1;
	own[strcspn(own, "\n")] = '\0';
	groups_found = 0;
	for (size_t i = 0; i < sizeof(roots) / sizeof(*roots); i++) {
		(void)snprintf(path, sizeof(path), "%s%s", roots[i], own + 3);
		if (access(path, F_OK) < 0)
			continue;
		(void)nftw(path, count_group, 16, FTW_PHYS);
		break;
	}
	return groups_found;
}

static int slab_fd = -1;

void
census_open(void)
{
	slab_fd = open("/proc/slabinfo", O_RDONLY | O_CLOEXEC);
}

/* Objects of the kernel by the name of their cache. */
static long
count_objects(const char *cache)
{
	static char text[128 * 1024];
	size_t used = 0;
	char line[64];
	long active = -1;

	while (slab_fd >= 0 && used < sizeof(text) - 1) {
		ssize_t n = pread(
		    slab_fd, text + used, sizeof(text) - 1 - used, (off_t)used);

		if (n <= 0)
			break;
		used += (size_t)n;
	}
	text[used] = '\0';
	(void)snprintf(line, sizeof(line), "\n%s ", cache);
	const char *found = strstr(text, line);
	if (found != NULL)
		(void)sscanf(found + strlen(line), "%ld", &active);
	return active;
}

static void
add_process(
    struct census *census, const struct process *process, struct spaces *spaces)
{
	char path[48];

	census->count[CENSUS_PROCESSES]++;
	census->count[CENSUS_ZOMBIES] += process->state == 'Z' ? 1 : 0;
	census->count[CENSUS_FDS] += look_through(process->pid, "fd", spaces);
	(void)look_through(process->pid, "ns", spaces);
	(void)snprintf(
	    path, sizeof(path), "/proc/%d/mountinfo", (int)process->pid);
	census->count[CENSUS_MOUNTS] += count_lines(path);
	census->count[CENSUS_RSS] += private_kib(process->pid);
}

struct census
census_take(void)
{
	static struct process all[KIN_MAX];
	static struct spaces spaces;
	struct census census = {0};
	size_t count = list_processes(all);

	spaces.count = 0;
	for (size_t i = 0; i < count; i++) {
		if (is_kin(all, count, all[i].pid))
			add_process(&census, &all[i], &spaces);
	}
	census.count[CENSUS_NAMESPACES] = (long)spaces.count;
	census.count[CENSUS_CGROUPS] = count_groups();
	census.count[CENSUS_KERNEL_PIDNS] = count_objects("pid_namespace");
	census.count[CENSUS_KERNEL_NETNS] = count_objects("net_namespace");
	census.count[CENSUS_KERNEL_USERNS] = count_objects("user_namespace");
	census.count[CENSUS_KERNEL_MOUNTS] = count_objects("mnt_cache");
	return census;
}

bool
census_finds(const char *word)
{
	DIR *dir = opendir("/proc");
	bool is_found = false;
	char path[288], text[4096];

	for (struct dirent *entry = dir == NULL ? NULL : readdir(dir);
	     entry != NULL && !is_found; entry = readdir(dir)) {
		if (!isdigit((unsigned char)entry->d_name[0]) ||
		    atoi(entry->d_name) == getpid())
			continue;
		(void)snprintf(
		    path, sizeof(path), "/proc/%s/cmdline", entry->d_name);
		size_t len = read_file(path, text, sizeof(text));
		is_found = memmem(text, len, word, strlen(word)) != NULL;
	}
	if (dir != NULL)
		(void)closedir(dir);
	return is_found;
}
