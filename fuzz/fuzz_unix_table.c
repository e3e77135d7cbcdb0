/* SPDX-License-Identifier: Apache-2.0 */

/* The kernel's list of sockets: every path lies in the text and on one line,
 * and the search gets to the end. */

#include "os/unix_sockets.h"

#include <limits.h>

#include "check.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	const char *at = text;
	const char *end = text + size;
	struct w_unix_socket_entry entry;

	if (size == 0)
		return 0;
	while (w_unix_sockets_next(&at, end, &entry)) {
		CHECK(entry.path >= text && entry.path + entry.len <= at);
		CHECK(entry.len > 0 && entry.len < PATH_MAX);
		CHECK(entry.path[0] == '/');
		CHECK(memchr(entry.path, '\n', entry.len) == NULL);
		CHECK(memchr(entry.path, '\0', entry.len) == NULL);
	}
	CHECK(at == end);
	return 0;
}
