/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_UNIX_SOCKETS_H
#define W_OS_UNIX_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/*
 * The kernel's list of Unix sockets, /proc/net/unix: those that others can send
 * to by an absolute path. A socket bound to a relative path cannot be found by
 * its name.
 */
struct w_unix_socket_entry {
	const char *path; /* in the text, not NUL-terminated */
	size_t len;
};

/* Finds the next one and moves *at past it; false: no more. */
bool w_unix_sockets_next(
    const char **at, const char *end, struct w_unix_socket_entry *out_entry);

/* Reads the list of this network namespace. 0, or an errno: E2BIG: longer than
 * the buffer's maximum. */
int w_unix_sockets_read(struct w_buf *buf);

#endif /* W_OS_UNIX_SOCKETS_H */
