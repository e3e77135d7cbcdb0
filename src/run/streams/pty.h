/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_PTY_H
#define W_RUN_PTY_H

#include <stdbool.h>

#include <writ/run.h>

/*
 * The terminal of a run: a pair of descriptors of the engine.
 *
 * The command's side stays open here while the command lives. So its output
 * ends when its processes end, as with pipes, and not when just no process has
 * the terminal open.
 *
 * The parent of the command (init, subreaper, sandbox init) leads the session
 * of the terminal, and the command is its foreground process group: only a
 * group whose parent is in the same session can be stopped by Ctrl-Z.
 */
enum {
	W_PTY_SIZE_MAX = 65535,
	W_PTY_ROWS = 24,
	W_PTY_COLUMNS = 80
};

struct w_pty {
	int master; /* ours; close-on-exec, non-blocking */
	int slave;  /* the command's; -1: none */
	unsigned rows;
	unsigned columns;
};

/* Opens both at W_FD_SAFE or above, with the size in *pty. 0, or an errno; then
 * both are closed. */
int w_pty_open(struct w_pty *pty);

/* The same for a pair opened elsewhere; takes both descriptors, even when it
 * fails. */
int w_pty_adopt(struct w_pty *pty, int master, int slave);

void w_pty_resize(struct w_pty *pty, unsigned rows, unsigned columns);

/* The terminal's current end-of-file character. */
char w_pty_end_char(int fd);

/* Whether typed input is still unread. */
bool w_pty_is_unread(int slave);

void w_pty_close(struct w_pty *pty);

#endif /* W_RUN_PTY_H */
