/* SPDX-License-Identifier: Apache-2.0 */

/* Reads small files of the kernel, line by line. */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "manifest/facts/facts_sources.h"

bool
w_fact_lines_next(
    struct w_fact_lines *lines, const char **out_line, size_t *out_len)
{
	if (lines->at >= lines->end)
		return false;
	const size_t left = (size_t)(lines->end - lines->at);
	const char *newline = memchr(lines->at, '\n', left);
	*out_line = lines->at;
	*out_len = newline != NULL ? (size_t)(newline - lines->at) : left;
	lines->at += *out_len + (newline != NULL);
	return true;
}

bool
w_fact_file_read(struct w_buf *buf, const char *path)
{
	/* Without O_NONBLOCK, opening a FIFO of this name would block. */
	W_AUTO_FD int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char block[4096];
	ssize_t n = 1;

	if (fd < 0)
		return false;
	while (n > 0 && !buf->failed) {
		do
			n = read(fd, block, sizeof(block));
		while (n < 0 && errno == EINTR);
		if (n > 0)
			w_buf_add(buf, block, (size_t)n);
	}
	return n == 0;
}
