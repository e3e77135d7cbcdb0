/* SPDX-License-Identifier: Apache-2.0 */

/* More power than one's own: capabilities, other users, setuid programs. */

#include "attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/capability.h>

static int
hold_capability(void)
{
	struct __user_cap_header_struct header = {
	    _LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct data[2] = {{0}};

	if (syscall(SYS_capget, &header, data) < 0)
		return -errno;
	for (int i = 0; i < 2; i++)
		if ((data[i].effective | data[i].permitted |
			data[i].inheritable) != 0)
			return OPEN;
	return -EPERM;
}

/* Executing a program as root must not bring them back. */
static int
regain_capability(void)
{
	char *const argv[] = {
	    (char[]){"attempt"}, (char[]){"hold-capability"}, NULL};
	int fds[2];
	char answer[8] = "";
	pid_t pid;

	if (pipe(fds) < 0)
		return -errno;
	pid = fork();
	if (pid < 0)
		return -errno;
	if (pid == 0) {
		(void)dup2(fds[1], 1);
		(void)execv("/proc/self/exe", argv);
		_exit(1);
	}
	(void)close(fds[1]);
	(void)!read(fds[0], answer, 4);
	(void)waitpid(pid, NULL, 0);
	return strcmp(answer, "OPEN") == 0 ? OPEN : -EPERM;
}

static int
ambient_capability(void)
{
	struct __user_cap_header_struct header = {
	    _LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct data[2] = {{0}};

	(void)syscall(SYS_capget, &header, data);
	data[0].inheritable |= 1U << CAP_SYS_ADMIN;
	(void)syscall(SYS_capset, &header, data);
	return outcome(
	    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_SYS_ADMIN, 0, 0));
}

/* What an exec could still give, were no_new_privs not there. */
static int
bounding_set(void)
{
	for (unsigned long cap = 0; cap < 64; cap++) {
		const int has = prctl(PR_CAPBSET_READ, cap, 0, 0, 0);

		if (has < 0)
			break;
		if (has == 1)
			return OPEN;
	}
	return -EPERM;
}

static int
change_user(void)
{
	const uid_t other = getuid() == 0 ? 65534 : 0;

	/* The bare call: the library's would speak to other threads. */
	return outcome(syscall(SYS_setresuid, other, other, other));
}

static int
change_groups(void)
{
	const gid_t groups[] = {getgid()};

	return outcome(syscall(SYS_setgroups, 1, groups));
}

static int
run_setuid(void)
{
	const char *path =
	    beneath("bin", getuid() == 0 ? "as-user" : "as-root");
	char *const argv[] = {
	    (char[]){"attempt"}, (char[]){"--effective-user"}, NULL};
	int status;
	pid_t pid;

	if (path == NULL || access(path, X_OK) < 0)
		return CANNOT;
	pid = fork();
	if (pid < 0)
		return -errno;
	if (pid == 0) {
		(void)execv(path, argv);
		_exit(2);
	}
	(void)waitpid(pid, &status, 0);
	return WIFEXITED(status) && WEXITSTATUS(status) == 1 ? OPEN : -EPERM;
}

/* In the workspace, a program that is setuid would be run by others. */
static int
leave_setuid(mode_t mode_at_birth, bool changes_mode)
{
	const char *const name = "escape-setuid";
	struct stat about = {0};
	int result;
	int fd;

	(void)umask(0);
	fd = open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode_at_birth);
	if (fd < 0)
		return -errno;
	result = changes_mode ? outcome(fchmod(fd, 04755)) : OPEN;
	(void)fstat(fd, &about);
	(void)unlink(name);
	return result == OPEN && (about.st_mode & S_ISUID) == 0 ? -EPERM
								: result;
}

static int
make_setuid(void)
{
	return leave_setuid(0700, true);
}

static int
create_setuid(void)
{
	return leave_setuid(04755, false);
}

static int
raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return -errno;
	limit.rlim_max++;
	return outcome(setrlimit(RLIMIT_NOFILE, &limit));
}

static int
raise_priority(void)
{
	/* The tests themselves may run at any priority. */
	const int now = getpriority(PRIO_PROCESS, 0);

	return outcome(setpriority(PRIO_PROCESS, 0, now - 1));
}

static int
real_time(void)
{
	const struct sched_param param = {.sched_priority = 1};

	return outcome(sched_setscheduler(0, SCHED_FIFO, &param));
}

static int
evade_out_of_memory(void)
{
	const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return outcome(write(fd, "-1000", 5));
}

static int
shed_no_new_privs(void)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0)
		return OPEN;
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 ? OPEN : -errno;
}

const struct attempt privilege_attempts[] = {
    {"hold-capability", "hold any capability", hold_capability, false},
    {"regain-capability", "get one by executing a program", regain_capability,
	false},
    {"ambient-capability", "raise an ambient one", ambient_capability, false},
    {"bounding-set", "keep a capability in the bounding set", bounding_set,
	false},
    {"change-user", "become another user", change_user, false},
    {"change-groups", "set the groups", change_groups, false},
    {"setuid-program", "become another user by a setuid program", run_setuid,
	false},
    {"make-setuid", "leave a setuid program", make_setuid, false},
    {"create-setuid", "create a program that is setuid from birth",
	create_setuid, false},
    {"raise-limit", "raise a hard resource limit", raise_limit, false},
    {"raise-priority", "raise the own priority", raise_priority, false},
    {"real-time", "become a real-time process", real_time, false},
    {"oom-evade", "be spared by the out-of-memory killer", evade_out_of_memory,
	false},
    {"new-privs", "be without no_new_privs", shed_no_new_privs, false},
    {NULL, NULL, NULL, false},
};
