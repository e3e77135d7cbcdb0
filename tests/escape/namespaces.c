/* SPDX-License-Identifier: Apache-2.0 */

/* Namespaces: new ones are a larger kernel to attack, others' are a way out. */

#include "attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int
new_user(void)
{
	return outcome(unshare(CLONE_NEWUSER));
}

static int
new_mount(void)
{
	return outcome(unshare(CLONE_NEWNS));
}

static int
new_network(void)
{
	return outcome(unshare(CLONE_NEWNET));
}

static int
new_pid(void)
{
	return outcome(unshare(CLONE_NEWPID));
}

static int
new_ipc(void)
{
	return outcome(unshare(CLONE_NEWIPC));
}

static int
reap(long pid)
{
	if (pid < 0)
		return -errno;
	if (pid == 0)
		_exit(0);
	(void)waitpid((pid_t)pid, NULL, __WALL);
	return OPEN;
}

static int
clone_user(void)
{
	return reap(syscall(
	    SYS_clone, (unsigned long)CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
}

static int
clone3_user(void)
{
	struct {
		uint64_t flags, pidfd, child_tid, parent_tid, exit_signal,
		    stack, stack_size, tls;
	} args = {.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};

	return reap(syscall(SYS_clone3, &args, sizeof(args)));
}

static int
enter(long pid, const char *kind)
{
	char path[64];
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/%ld/ns/%s", pid, kind);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	return outcome(setns(fd, 0));
}

/* Whichever process may be looked into. */
static int
enter_any(const char *kind)
{
	const long pids[] = {1, starter, fact_number("victim")};
	int result = -ESRCH;

	for (size_t i = 0; i < 3 && result != OPEN; i++)
		if (pids[i] > 0)
			result = enter(pids[i], kind);
	return result;
}

static int
enter_mount(void)
{
	return enter_any("mnt");
}

static int
enter_network(void)
{
	return enter_any("net");
}

static int
enter_by_pidfd(void)
{
	long fd;

	if (fact("victim") == NULL)
		return CANNOT;
	fd = syscall(SYS_pidfd_open, fact_number("victim"), 0U);
	if (fd < 0)
		return -errno;
	return outcome(setns((int)fd, CLONE_NEWNET | CLONE_NEWUTS));
}

const struct attempt namespace_attempts[] = {
    {"unshare-user", "make a user namespace", new_user, false},
    {"unshare-mount", "make a mount namespace", new_mount, false},
    {"unshare-network", "make a network namespace", new_network, false},
    {"unshare-pid", "make a pid namespace", new_pid, false},
    {"unshare-ipc", "make an ipc namespace", new_ipc, false},
    {"clone-user", "make a user namespace by clone", clone_user, false},
    {"clone3-user", "make a user namespace by clone3", clone3_user, false},
    {"setns-mount", "enter the mount namespace of another process", enter_mount,
	false},
    {"setns-network", "enter the network namespace of another process",
	enter_network, false},
    {"setns-pidfd", "enter the namespaces of another process by a pidfd",
	enter_by_pidfd, false},
    {NULL, NULL, NULL, false},
};
