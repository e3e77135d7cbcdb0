/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_WRITER_H
#define W_CLI_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* What an outlet keeps at most of what its reader has not taken yet. */
#define W_WRITER_PENDING_MAX ((size_t)8 << 20)

enum w_writer_mode {
	W_WRITER_UNKNOWN,
	W_WRITER_PLAIN, /* regular files, devices: write() does not wait long */
	W_WRITER_REOPEN,  /* own_fd, non-blocking */
	W_WRITER_SOCKET,  /* send() can be told not to wait */
	W_WRITER_CAREFUL, /* poll, then a little */
};

/*
 * Standard output or standard error, written without ever waiting for the
 * reader. What it does not take at once is kept until w_writer_flush().
 */
struct w_writer {
	int fd;     /* 1 or 2; not ours */
	int own_fd; /* the same file opened again; -1: none */
	enum w_writer_mode mode;
	bool is_tty;   /* known after the first write or w_writer_inspect() */
	int sys_errno; /* why it is broken; 0: it is not */
	struct w_buf pending;
	size_t pending_at; /* how much of pending is written already */
};

enum w_writer_state {
	W_WRITER_EMPTY,  /* everything is written */
	W_WRITER_WAITS,  /* poll w_writer_poll_fd(), then flush */
	W_WRITER_BROKEN, /* see sys_errno; writes are swallowed from now on */
};

void w_writer_init(struct w_writer *writer, int fd);
void w_writer_done(struct w_writer *writer);

/* Finds out what kind of file it is, once. */
void w_writer_inspect(struct w_writer *writer);

/* Writes what fits and keeps the rest. */
enum w_writer_state w_writer_put(
    struct w_writer *writer, const char *bytes, size_t len);

/* Writes what was kept. */
enum w_writer_state w_writer_flush(struct w_writer *writer);

/* Writes what fits of the bytes and keeps nothing. Returns how many were
 * written; fewer than len when the outlet is full, or broken. */
size_t w_writer_write(struct w_writer *writer, const char *bytes, size_t len);

/* Forgets what was kept, and swallows writes from now on. */
void w_writer_drop(struct w_writer *writer);

/* Whether something is kept. */
bool w_writer_has_pending(const struct w_writer *writer);

/* What to poll for POLLOUT. */
int w_writer_poll_fd(const struct w_writer *writer);

#endif /* W_CLI_WRITER_H */
