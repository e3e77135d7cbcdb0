/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_PTY_H
#define W_RUN_PTY_H

#include <stdbool.h>

#include <writ/run.h>

/*
 * The terminal of a run: a pair of descriptors of the engine.
 *
 * The command's side stays open here as long as the command lives. So the end
 * of its output is the end of its processes, as with pipes, and no moment at
 * which just nobody has the terminal open is taken for it.
 *
 * Whoever is above the command (init, keeper, cell) leads the session of the
 * terminal, and the command is a process group in it, in the foreground: only
 * a group whose parent is of the same session can be stopped by Ctrl-Z.
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

/* Both at W_FD_SAFE or above, and of the size that *pty says. 0, or an errno;
 * then there is none. */
int w_pty_open(struct w_pty *pty);

/* The same for a pair that was made elsewhere; takes both descriptors, also
 * when it fails. */
int w_pty_adopt(struct w_pty *pty, int master, int slave);

void w_pty_resize(struct w_pty *pty, unsigned rows, unsigned columns);

/* The character that means end of file, as the terminal is set now. */
char w_pty_end_char(int fd);

/* Whether something was typed that nobody has read. */
bool w_pty_is_unread(int slave);

void w_pty_close(struct w_pty *pty);

#endif /* W_RUN_PTY_H */
