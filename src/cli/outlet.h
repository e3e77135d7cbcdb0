/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_OUTLET_H
#define W_CLI_OUTLET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* What an outlet keeps at most of what its reader has not taken yet. */
#define W_OUTLET_PENDING_MAX ((size_t)8 << 20)

enum w_outlet_way {
	W_OUTLET_UNKNOWN,
	W_OUTLET_PLAIN, /* regular files, devices: write() does not wait long */
	W_OUTLET_REOPEN,  /* own_fd, non-blocking */
	W_OUTLET_SOCKET,  /* send() can be told not to wait */
	W_OUTLET_CAREFUL, /* poll, then a little */
};

/*
 * Standard output or standard error, written without ever waiting for the
 * reader. What it does not take at once is kept until w_outlet_flush().
 */
struct w_outlet {
	int fd;     /* 1 or 2; not ours */
	int own_fd; /* the same file opened again; -1: none */
	enum w_outlet_way way;
	bool is_tty;   /* known after the first write or w_outlet_look() */
	int sys_errno; /* why it is broken; 0: it is not */
	struct w_buf pending;
	size_t pending_at; /* how much of pending is written already */
};

enum w_outlet_state {
	W_OUTLET_EMPTY,  /* everything is written */
	W_OUTLET_WAITS,  /* poll w_outlet_poll_fd(), then flush */
	W_OUTLET_BROKEN, /* see sys_errno; writes are swallowed from now on */
};

void w_outlet_init(struct w_outlet *outlet, int fd);
void w_outlet_done(struct w_outlet *outlet);

/* Finds out what kind of file it is, once. */
void w_outlet_look(struct w_outlet *outlet);

/* Writes what fits and keeps the rest. */
enum w_outlet_state w_outlet_put(
    struct w_outlet *outlet, const char *bytes, size_t len);

/* Writes what was kept. */
enum w_outlet_state w_outlet_flush(struct w_outlet *outlet);

/* Writes what fits of the bytes and keeps nothing. Returns how many were
 * written; fewer than len when the outlet is full, or broken. */
size_t w_outlet_write(struct w_outlet *outlet, const char *bytes, size_t len);

/* Forgets what was kept, and swallows writes from now on. */
void w_outlet_drop(struct w_outlet *outlet);

/* Whether something is kept. */
bool w_outlet_has_pending(const struct w_outlet *outlet);

/* What to poll for POLLOUT. */
int w_outlet_poll_fd(const struct w_outlet *outlet);

#endif /* W_CLI_OUTLET_H */
