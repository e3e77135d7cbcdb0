/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_TERMINAL_GUARD_H
#define W_CLI_TERMINAL_GUARD_H

#include <termios.h>

/*
 * Restores the terminal if this process is killed with SIGKILL while it uses
 * the whole screen or raw mode: a small process that does nothing else waits
 * for its end.
 */
struct w_terminal_guard {
	int fd; /* its end tells the guard; -1: there is none */
	int pid;
};

/* Without a guard (no memory for a process) everything else still works. text:
 * what puts the screen back. */
void w_terminal_guard_open(struct w_terminal_guard *guard, int terminal_fd,
    const struct termios *saved, const char *text);

/* The terminal was restored: the guard is not needed any more. */
void w_terminal_guard_close(struct w_terminal_guard *guard);

#endif /* W_CLI_TERMINAL_GUARD_H */
