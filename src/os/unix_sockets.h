/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_UNIX_SOCKETS_H
#define W_OS_UNIX_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/*
 * The kernel's list of Unix sockets, /proc/net/unix. Of interest are those
 * that somebody else can send to by an absolute path. A socket that was bound
 * by a relative path cannot be found by its name.
 */
struct w_unix_socket_entry {
	const char *path; /* in the text, not ended */
	size_t len;
};

/* The next of them from *at on, which moves behind it; false: no more. */
bool w_unix_sockets_next(
    const char **at, const char *end, struct w_unix_socket_entry *out_entry);

/* Reads the list of this process's network namespace. 0, or an errno: E2BIG
 * when it is longer than the buffer may become. */
int w_unix_sockets_read(struct w_buf *buf);

#endif /* W_OS_UNIX_SOCKETS_H */
