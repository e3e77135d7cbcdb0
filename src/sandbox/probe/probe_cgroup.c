/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Probes cgroups: makes one beneath our own, enters, kills and removes it; then
 * checks which limits can be set, in version 2 or version 1.
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/auto.h"
#include "os/cgroup.h"
#include "os/file.h"
#include "sandbox/probe/probe_child.h"

static const char *const controllers[] = {"memory", "pids"};

enum {
	CONTROLLERS = sizeof(controllers) / sizeof(controllers[0]),
	NAME_MAX_LEN = 40,
};

static void
probe_cgroup_fail(struct w_probe *probe, const char *step, int error)
{
	probe->is_available = false;
	probe->error = error;
	probe->step = step;
}

/* A member that lives until it is killed. */
static void
kill_member(int group_fd, struct w_probe *probe)
{
	char text[24];
	int status = 0;
	long pid = w_probe_child_fork();

	if (pid == 0) {
		(void)alarm(5);
		for (;;)
			(void)pause();
	}
	if (pid < 0) {
		probe_cgroup_fail(probe, "making a process", errno);
		return;
	}
	(void)snprintf(text, sizeof(text), "%ld", pid);
	int error = w_file_write_at(group_fd, "cgroup.procs", text);
	if (error != 0)
		probe_cgroup_fail(probe, "entering a control group", error);
	else if ((error = w_cgroup_kill(group_fd)) != 0)
		probe_cgroup_fail(probe, "killing a control group", error);
	if (error != 0)
		(void)kill((pid_t)pid, SIGKILL);
	while (waitpid((pid_t)pid, &status, __WALL) < 0 && errno == EINTR)
		continue;
	if (error == 0 && !(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL))
		probe_cgroup_fail(probe, "killing a control group", EINVAL);
}

/* Version 1 has a hierarchy per controller; we must be able to make a group in
 * ours. */
static bool
has_version_1(const char *controller)
{
	char text[8192], key[24], dir[512];

	if (w_file_read_at(AT_FDCWD, "/proc/self/cgroup", text, sizeof(text)) <=
	    0)
		return false;
	(void)snprintf(key, sizeof(key), ":%s:/", controller);
	const char *at = strstr(text, key);
	if (at == NULL)
		return false;
	at += strlen(key);
	(void)snprintf(dir, sizeof(dir),
	    "/sys/fs/cgroup/%s/%.*s%swrit-doctor.%d", controller,
	    (int)strcspn(at, "\n"), at, *at == '\n' ? "" : "/", (int)getpid());
	if (mkdir(dir, 0700) < 0)
		return false;
	(void)rmdir(dir);
	return true;
}

static void
list_limits(int group_fd, struct w_probe *probe)
{
	size_t len = 0;

	for (size_t i = 0; i < CONTROLLERS; i++) {
		char file[24];

		(void)snprintf(file, sizeof(file), "%s.max", controllers[i]);
		bool is_new = faccessat(group_fd, file, W_OK, 0) == 0;
		if (!is_new && !has_version_1(controllers[i]))
			continue;
		len += (size_t)snprintf(probe->detail + len,
		    sizeof(probe->detail) - len, "%s%s (v%d)",
		    len == 0 ? "limits: " : ", ", controllers[i],
		    is_new ? 2 : 1);
	}
	if (len == 0)
		(void)snprintf(probe->detail, sizeof(probe->detail),
		    "no limits: neither memory nor pids can be written");
}

void
w_probe_cgroup(struct w_probe *out_probe)
{
	char name[NAME_MAX_LEN];
	W_AUTO_FD int parent_fd = w_cgroup_open_own();

	*out_probe = (struct w_probe){.is_available = true, .step = ""};
	if (parent_fd < 0) {
		probe_cgroup_fail(
		    out_probe, "finding our control group", errno);
		return;
	}
	(void)snprintf(name, sizeof(name), "writ-doctor.%d", (int)getpid());
	W_AUTO_FD int group_fd = w_cgroup_make(parent_fd, name);
	if (group_fd < 0) {
		probe_cgroup_fail(out_probe, "making a control group", errno);
		return;
	}
	list_limits(group_fd, out_probe);
	kill_member(group_fd, out_probe);
	int error = w_cgroup_remove(parent_fd, name);
	if (error != 0 && out_probe->error == 0)
		probe_cgroup_fail(out_probe, "removing a control group", error);
}
