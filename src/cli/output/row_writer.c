/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Buffered output of rows. The buffer holds at least one row of any size, and
 * is written when it has WRITE_AT bytes.
 */

#include "cli/output/row_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/output/print.h"

#define WRITE_AT ((size_t)64 << 10)
#define ROW_MAX  ((size_t)128 << 20)

writ_status
w_row_writer_open(
    struct w_row_writer *row_writer, const char *path, writ_error *err)
{
	int fd = STDOUT_FILENO;

	if (path != NULL)
		fd = open(path,
		    O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0600);
	if (fd < 0)
		return w_fail(err, WRIT_E_SYSTEM, "output", errno,
		    "cannot write '%s'", path);
	*row_writer = (struct w_row_writer){.fd = fd, .path = path};
	w_buf_init(&row_writer->buf, ROW_MAX);
	return WRIT_OK;
}

static void
write_out(struct w_row_writer *row_writer)
{
	struct w_buf *buf = &row_writer->buf;

	if (row_writer->sys_errno == 0 && buf->failed)
		row_writer->sys_errno = ENOMEM;
	if (row_writer->sys_errno == 0 &&
	    w_print_bytes(row_writer->fd, buf->data, buf->len) < 0)
		row_writer->sys_errno = errno;
	buf->len = 0;
}

bool
w_row_writer_end_row(struct w_row_writer *row_writer)
{
	if (row_writer->buf.failed || row_writer->buf.len >= WRITE_AT)
		write_out(row_writer);
	return row_writer->sys_errno == 0;
}

bool
w_row_writer_flush(struct w_row_writer *row_writer)
{
	write_out(row_writer);
	return row_writer->sys_errno == 0;
}

void
w_row_writer_drop(struct w_row_writer *row_writer)
{
	w_buf_done(&row_writer->buf);
	if (row_writer->path != NULL)
		(void)close(row_writer->fd);
	row_writer->fd = -1;
}

int
w_row_writer_close(struct w_row_writer *row_writer)
{
	write_out(row_writer);
	w_buf_done(&row_writer->buf);
	if (row_writer->path != NULL && close(row_writer->fd) < 0 &&
	    row_writer->sys_errno == 0)
		row_writer->sys_errno = errno;
	row_writer->fd = -1;
	if (row_writer->sys_errno == 0)
		return 0;
	if (row_writer->sys_errno == EPIPE)
		return 128 + SIGPIPE;
	if (row_writer->path != NULL)
		w_print_note("cannot write '%s': %s", row_writer->path,
		    strerror(row_writer->sys_errno));
	else
		w_print_note("cannot write to standard output: %s",
		    strerror(row_writer->sys_errno));
	return 1;
}
