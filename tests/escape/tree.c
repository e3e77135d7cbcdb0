/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Outliving the run, and reaching the terminal it came from. A survivor shows
 * itself by its name, a fact of the stage; whoever set that looks for it.
 */

#include "attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Long enough to be found, short enough to be no burden if it was not. */
enum {
	SURVIVE_S = 20
};

static void
survive(void)
{
	for (int i = 1; i < SIGRTMAX; i++)
		(void)signal(i, SIG_IGN);
	(void)prctl(PR_SET_NAME, fact("mark") != NULL ? fact("mark") : "?");
	(void)prctl(PR_SET_PDEATHSIG, 0);
	for (int fd = 0; fd < 64; fd++)
		(void)close(fd);
	(void)sleep(SURVIVE_S);
	_exit(0);
}

static int
daemonize(void)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (pid == 0) {
		(void)setsid();
		pid = fork();
		if (pid == 0)
			survive();
		_exit(pid < 0 ? errno : 0);
	}
	(void)waitpid(pid, &status, 0);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0
		   ? TRIED
		   : -WEXITSTATUS(status);
}

static bool
join_group(const char *path)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool joined;

	if (fd < 0)
		return false;
	joined = write(fd, "0", 1) == 1;
	(void)close(fd);
	return joined;
}

/* Out of the control group that holds us, then away. */
static int
leave_group(void)
{
	if (!join_group("/sys/fs/cgroup/cgroup.procs") &&
	    !join_group("/sys/fs/cgroup/unified/cgroup.procs"))
		return -errno;
	return daemonize();
}

static int
make_group(void)
{
	static const char *const paths[] = {
	    "/sys/fs/cgroup/unified/escape", "/sys/fs/cgroup/escape"};
	int result = -ENOENT;

	for (size_t i = 0; i < 2 && result != OPEN; i++) {
		struct {
			const char *path;
		} group = {paths[i]};

		result = outcome(
		    syscall(SYS_mkdirat, AT_FDCWD, group.path, (mode_t)0755));
		(void)rmdir(group.path);
	}
	return result;
}

static int
terminal(void)
{
	const char *path = fact("tty");
	int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	fd = path == NULL ? -1 : open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	(void)setsid();
	(void)ioctl(fd, TIOCSCTTY, 1);
	return fd;
}

static int
type_on(unsigned long command)
{
	const char key = ' ';
	const int fd = terminal();

	if (fd < 0)
		return fact("tty") == NULL ? CANNOT : -errno;
	return outcome(syscall(SYS_ioctl, fd, command, &key));
}

static int
type_on_terminal(void)
{
	return type_on(TIOCSTI);
}

/* A filter that compares 64 bits does not see it, the kernel takes 32. */
static int
type_on_terminal_widely(void)
{
	return type_on(TIOCSTI | 1UL << 32);
}

static int
write_on_terminal(void)
{
	const char *path = fact("tty");

	return path == NULL
		   ? CANNOT
		   : outcome(open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC));
}

/* On a stream that is no console: only a filter says EPERM. */
static int
paste_on_console(unsigned long command)
{
	char subcode = 2;
	int fds[2];

	if (pipe(fds) < 0)
		return -errno;
	if (syscall(SYS_ioctl, fds[0], command, &subcode) == 0 ||
	    errno == ENOTTY)
		return OPEN;
	return -errno;
}

static int
paste(void)
{
	return paste_on_console(TIOCLINUX);
}

static int
paste_widely(void)
{
	return paste_on_console(TIOCLINUX | 1UL << 32);
}

const struct attempt tree_attempts[] = {
    {"survivor", "leave a process behind: setsid, double fork", daemonize,
	true},
    {"group-left", "move to another control group and stay", leave_group, true},
    {"group-new", "make a control group", make_group, false},
    {"terminal-write", "write on the terminal of the caller", write_on_terminal,
	false},
    {"tiocsti", "type on the terminal of the caller", type_on_terminal, false},
    {"tiocsti-wide", "the same with a number beyond 32 bits",
	type_on_terminal_widely, false},
    {"tioclinux", "paste on a console", paste, false},
    {"tioclinux-wide", "the same with a number beyond 32 bits", paste_widely,
	false},
    {NULL, NULL, NULL, false},
};
