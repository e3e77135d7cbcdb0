/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Waits for the end of its parent.
 *
 * The guard is in a session of its own: a signal to the parent's process group
 * does not hit it, and it may set the terminal without being stopped, since it
 * is not its controlling terminal.
 */

#include "cli/output/terminal_guard.h"

#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <errno.h>
#include <fcntl.h>

#include "base/auto.h"

#define NAME "writ-guard"

/* Only system calls from here on. */
static _Noreturn void
terminal_guard_wait(
    int fd, int terminal_fd, const struct termios *saved, const char *text)
{
	char byte;
	ssize_t len;

	(void)setsid();
	(void)prctl(PR_SET_NAME, NAME);
	do
		len = read(fd, &byte, sizeof(byte));
	while (len < 0 && errno == EINTR);
	/* End of file without a word: the parent was killed. */
	if (len == 0) {
		(void)!write(terminal_fd, text, strlen(text));
		(void)tcsetattr(terminal_fd, TCSANOW, saved);
	}
	_exit(0);
}

/* Moves the two descriptors to 0 and 1, and closes all others: the guard must
 * not keep a lock or a pipe of its parent. */
static _Noreturn void
terminal_guard_enter(
    int fd, int terminal_fd, const struct termios *saved, const char *text)
{
	const int in = fcntl(fd, F_DUPFD, 2);
	const int out = fcntl(terminal_fd, F_DUPFD, 2);

	if (in < 0 || out < 0 || dup2(in, STDIN_FILENO) < 0 ||
	    dup2(out, STDOUT_FILENO) < 0)
		_exit(1);
	(void)close_range(2, ~0U, 0);
	terminal_guard_wait(STDIN_FILENO, STDOUT_FILENO, saved, text);
}

void
w_terminal_guard_open(struct w_terminal_guard *guard, int terminal_fd,
    const struct termios *saved, const char *text)
{
	int fds[2];

	*guard = (struct w_terminal_guard){.fd = -1};
	if (pipe2(fds, O_CLOEXEC) < 0)
		return;
	guard->pid = fork();
	if (guard->pid == 0)
		terminal_guard_enter(fds[0], terminal_fd, saved, text);
	w_close(&fds[0]);
	if (guard->pid < 0)
		w_close(&fds[1]);
	guard->fd = fds[1];
}

void
w_terminal_guard_close(struct w_terminal_guard *guard)
{
	if (guard->fd < 0)
		return;
	(void)!write(guard->fd, "", 1);
	w_close(&guard->fd);
	(void)waitpid(guard->pid, NULL, 0);
}
