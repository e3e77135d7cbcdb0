/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Finds Unix sockets by their paths.
 *
 *     Num       RefCount Protocol Flags    Type St Inode Path
 *     0000...0: 00000002 00000000 00010000 0001 01 12345 /run/x
 *
 * The process that binds a socket chooses the path, newlines included, so a
 * line can contain anything. At worst this yields a path that has to be
 * checked.
 */

#include "os/unix_sockets.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/auto.h"

enum {
	FLAGS_AT = 3,
	TYPE_AT = 4,
	PATH_AT = 7,
	LISTENS = 0x10000,
	DIGITS_MAX = 8,
	CHUNK = 65536
};

static bool
parse_hex(const char *word, const char *end, uint32_t *out_value)
{
	uint32_t value = 0;

	if (word == end || end - word > DIGITS_MAX)
		return false;
	for (; word < end; word++) {
		const char *digits = "0123456789ABCDEF";
		const char *digit = memchr(digits, *word, 16);

		if (digit == NULL)
			return false;
		value = value << 4 | (uint32_t)(digit - digits);
	}
	*out_value = value;
	return true;
}

/* Parses the fields before the path; NULL: malformed. */
static const char *
parse_head(const char *line, const char *end, uint32_t *flags, uint32_t *type)
{
	for (int i = 0; i < PATH_AT; i++) {
		while (line < end && *line == ' ')
			line++;
		const char *stop = line;
		while (stop < end && *stop != ' ')
			stop++;
		if (stop == end ||
		    (i == FLAGS_AT && !parse_hex(line, stop, flags)) ||
		    (i == TYPE_AT && !parse_hex(line, stop, type)))
			return NULL;
		line = stop;
	}
	return line + 1;
}

/* A stream that does not listen is the accepted end of a connection, with the
 * path of the listening socket. */
static bool
parse_line(
    const char *line, const char *end, struct w_unix_socket_entry *out_entry)
{
	uint32_t flags = 0, type = 0;
	const char *path = parse_head(line, end, &flags, &type);

	if (path == NULL || path == end || *path != '/' ||
	    end - path >= PATH_MAX || memchr(path, '\0', (size_t)(end - path)))
		return false;
	if (type != SOCK_DGRAM && (flags & LISTENS) == 0)
		return false;
	*out_entry = (struct w_unix_socket_entry){
	    .path = path, .len = (size_t)(end - path)};
	return true;
}

bool
w_unix_sockets_next(
    const char **at, const char *end, struct w_unix_socket_entry *out_entry)
{
	while (*at < end) {
		const char *line = *at;
		const char *stop = memchr(line, '\n', (size_t)(end - line));

		if (stop == NULL)
			stop = end;
		*at = stop == end ? end : stop + 1;
		if (parse_line(line, stop, out_entry))
			return true;
	}
	return false;
}

int
w_unix_sockets_read(struct w_buf *buf)
{
	W_AUTO_FD int fd = open("/proc/net/unix", O_RDONLY | O_CLOEXEC);
	W_AUTO_FREE char *chunk = malloc(CHUNK);
	ssize_t n;

	if (fd < 0)
		return errno;
	if (chunk == NULL)
		return ENOMEM;
	do {
		n = read(fd, chunk, CHUNK);
		if (n > 0)
			w_buf_add(buf, chunk, (size_t)n);
	} while ((n > 0 && !buf->failed) || (n < 0 && errno == EINTR));
	if (n < 0)
		return errno;
	return buf->failed ? E2BIG : 0;
}
