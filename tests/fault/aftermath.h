/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_AFTERMATH_H
#define W_TEST_AFTERMATH_H

/*
 * What a sweep looks at after each failure: is anything left, was anything
 * said that is not true. Findings are counted and printed, not asserted, so
 * that one sweep shows all of them.
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <writ/writ.h>

#include "../unit/leftovers.h"
#include "../unit/own_state.h"
#include "../unit/temp.h"
#include "inject.h"
#include "os/cgroup.h"
#include "os/file.h"

/* The failure that is being tried. */
static struct {
	const char *scene;
	const char *function;
	unsigned nth;
	int error;
} trial;

static unsigned findings;
static char mark[48];
static struct temp temp;
static int fds_before;

static inline void
find(const char *what)
{
	findings++;
	(void)fprintf(stderr, "%s: call %u of %s fails (%s): %s\n", trial.scene,
	    trial.nth, trial.function, strerrorname_np(trial.error), what);
}

/* Where a run hangs, this says in which trial. */
static inline void
on_alarm(int sig)
{
	(void)sig;
	find("it hangs");
	_exit(1);
}

/* Moves into a group of our own, where nobody else makes directories. */
static inline int
enter_own_group(void)
{
	int parent = w_cgroup_open_own();
	char name[48];

	if (parent < 0)
		return -1;
	(void)snprintf(name, sizeof(name), "writ-fault.%d", (int)getpid());
	int group = w_cgroup_make(parent, name);
	(void)close(parent);
	if (group >= 0)
		(void)w_file_write_at(group, "cgroup.procs", "0");
	return group;
}

static inline void
leave_own_group(int group)
{
	char name[48];

	if (group < 0)
		return;
	int parent = openat(group, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
	(void)w_file_write_at(parent, "cgroup.procs", "0");
	(void)close(group);
	(void)snprintf(name, sizeof(name), "writ-fault.%d", (int)getpid());
	(void)unlinkat(parent, name, AT_REMOVEDIR);
	(void)close(parent);
}

/* Calls fn for each group below this one. */
static inline int
each_group(int group, void (*fn)(int parent, const char *name))
{
	const struct dirent *entry;
	int count = 0;

	if (group < 0)
		return 0;
	int fd = openat(group, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fdopendir(fd);
	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		count++;
		if (fn != NULL)
			fn(group, entry->d_name);
	}
	(void)closedir(dir);
	return count;
}

static inline void
remove_group(int parent, const char *name)
{
	(void)unlinkat(parent, name, AT_REMOVEDIR);
}

static inline void
clear_group(int parent, const char *name)
{
	int group = openat(parent, name, O_PATH | O_DIRECTORY | O_CLOEXEC);

	(void)w_cgroup_kill(group);
	for (int i = 0; i < 1000 && w_cgroup_populated(group) > 0; i++)
		(void)usleep(1000);
	(void)each_group(group, remove_group);
	(void)close(group);
	remove_group(parent, name);
}

/* Helpers end by themselves a moment after the run. */
static inline int
settle_groups(int group)
{
	int count = each_group(group, NULL);

	for (int i = 0; i < 500 && count > 0; i++) {
		(void)usleep(10000);
		count = each_group(group, NULL);
	}
	return count;
}

static inline void
kill_marked(void)
{
	char command[256];

	(void)snprintf(command, sizeof(command),
	    "for f in $(grep -lsaF %s /proc/[0-9]*/environ); do "
	    "f=${f#/proc/}; kill -9 ${f%%/*}; done 2>/dev/null",
	    mark);
	(void)!system(command);
}

static inline void
check_nothing_left(int group)
{
	if (count_marked(mark) != 0 && settle_marked(mark, 0) != 0) {
		find("a process survives");
		kill_marked();
	}
	if (has_child()) {
		find("a child is left");
		while (waitpid(-1, NULL, WNOHANG) > 0)
			continue;
	}
	if (settle_groups(group) != 0) {
		find("a control group is left");
		(void)each_group(group, clear_group);
	}
	if (inject_private_dir()[0] != '\0' &&
	    access(inject_private_dir(), F_OK) == 0) {
		find("a private directory is left");
		(void)w_file_remove_tree(inject_private_dir());
	}
	if (count_fds() != fds_before) {
		find("a descriptor is left");
		fds_before = count_fds();
	}
}

static inline void
check_error(writ_status status, const writ_error *err)
{
	if (err->status != status)
		find("the error carries another status");
	if (err->message[0] == '\0' || err->stage[0] == '\0')
		find("the error says nothing");
}

#endif /* W_TEST_AFTERMATH_H */
