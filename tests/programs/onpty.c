/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs a command on a terminal of its own.
 *
 *     onpty COMMAND ARG...
 *
 * What comes on standard input is typed on that terminal, what appears on it
 * goes to standard output. The command leads the terminal's foreground group,
 * so ^C is a real one. Exits with the command's status; when it is killed,
 * the terminal hangs up.
 */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static int
open_terminal(char *name, size_t size)
{
	int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (fd < 0 || grantpt(fd) < 0 || unlockpt(fd) < 0 ||
	    ptsname_r(fd, name, size) != 0)
		return -1;
	return fd;
}

static _Noreturn void
become(const char *terminal, char **argv)
{
	(void)setsid();
	int fd = open(terminal, O_RDWR);
	if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) < 0)
		_exit(96);
	for (int to = 0; to < 3; to++)
		(void)dup2(fd, to);
	if (fd > 2)
		(void)close(fd);
	(void)execvp(argv[0], argv);
	_exit(127);
}

/* Returns whether there may be more. */
static int
carry(int from, int to)
{
	char bytes[4096];
	ssize_t n = read(from, bytes, sizeof(bytes));

	if (n < 0 && errno == EINTR)
		return 1;
	/* A terminal without a holder answers EIO. */
	if (n <= 0)
		return 0;
	for (ssize_t at = 0; at < n;) {
		ssize_t done = write(to, bytes + at, (size_t)(n - at));

		if (done < 0)
			return 0;
		at += done;
	}
	return 1;
}

static void
serve(int terminal)
{
	struct pollfd fds[2] = {
	    {.fd = terminal, .events = POLLIN},
	    {.fd = STDIN_FILENO, .events = POLLIN},
	};

	for (;;) {
		if (poll(fds, 2, -1) < 0)
			continue;
		if (fds[0].revents != 0 && !carry(terminal, STDOUT_FILENO))
			return;
		if (fds[1].revents != 0 && !carry(STDIN_FILENO, terminal))
			fds[1].fd = -1;
	}
}

int
main(int argc, char **argv)
{
	char name[64];
	int status = 0;
	int terminal = open_terminal(name, sizeof(name));

	if (argc < 2 || terminal < 0)
		return 96;
	pid_t pid = fork();
	if (pid == 0)
		become(name, argv + 1);

	serve(terminal);
	(void)waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
