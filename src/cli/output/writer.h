/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_WRITER_H
#define W_CLI_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Bytes that a writer buffers at most until its reader reads. */
#define W_WRITER_PENDING_MAX ((size_t)8 << 20)

enum w_writer_mode {
	W_WRITER_UNKNOWN,
	W_WRITER_PLAIN,   /* regular files, devices: write() does not block long
			   */
	W_WRITER_REOPEN,  /* own_fd, non-blocking */
	W_WRITER_SOCKET,  /* send() with MSG_DONTWAIT */
	W_WRITER_CAREFUL, /* poll, then a small write */
};

/*
 * Standard output or standard error, written without ever waiting for the
 * reader. Bytes that it does not take at once are pending until
 * w_writer_flush().
 */
struct w_writer {
	int fd;     /* 1 or 2; not ours */
	int own_fd; /* the same file opened again; -1: none */
	enum w_writer_mode mode;
	bool is_tty;   /* set by the first write or w_writer_inspect() */
	bool is_held;  /* something else is on the screen: bytes stay pending */
	int sys_errno; /* the write error; 0: none */
	struct w_buf pending;
	size_t pending_at; /* bytes of pending that are written */
};

enum w_writer_state {
	W_WRITER_EMPTY,  /* everything is written */
	W_WRITER_WAITS,  /* poll w_writer_poll_fd(), then flush */
	W_WRITER_BROKEN, /* see sys_errno; later writes are discarded */
};

void w_writer_init(struct w_writer *writer, int fd);
void w_writer_done(struct w_writer *writer);

/* Finds out what kind of file it is, once. */
void w_writer_inspect(struct w_writer *writer);

/* Writes what fits and keeps the rest as pending. */
enum w_writer_state w_writer_put(
    struct w_writer *writer, const char *bytes, size_t len);

/* Writes pending bytes. */
enum w_writer_state w_writer_flush(struct w_writer *writer);

/* Writes what fits; the rest does not become pending. Returns how many bytes
 * were written: fewer than len if the stream is full, or broken. */
size_t w_writer_write(struct w_writer *writer, const char *bytes, size_t len);

/* Discards pending bytes, and every write from now on. */
void w_writer_drop(struct w_writer *writer);

bool w_writer_has_pending(const struct w_writer *writer);

/* The descriptor to poll for POLLOUT. */
int w_writer_poll_fd(const struct w_writer *writer);

#endif /* W_CLI_WRITER_H */
