/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Long output. A row is never larger than what the buffer may grow to, and
 * the buffer is written whenever it has some rows.
 */

#include "cli/sheet.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/print.h"

#define WRITE_AT ((size_t)64 << 10)
#define ROW_MAX  ((size_t)128 << 20)

writ_status
w_sheet_open(struct w_sheet *sheet, const char *path, writ_error *err)
{
	int fd = STDOUT_FILENO;

	if (path != NULL)
		fd = open(path,
		    O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0600);
	if (fd < 0)
		return w_fail(err, WRIT_E_SYSTEM, "output", errno,
		    "cannot write '%s'", path);
	*sheet = (struct w_sheet){.fd = fd, .path = path};
	w_buf_init(&sheet->buf, ROW_MAX);
	return WRIT_OK;
}

static void
write_out(struct w_sheet *sheet)
{
	struct w_buf *buf = &sheet->buf;

	if (sheet->sys_errno == 0 && buf->failed)
		sheet->sys_errno = ENOMEM;
	if (sheet->sys_errno == 0 &&
	    w_print_bytes(sheet->fd, buf->data, buf->len) < 0)
		sheet->sys_errno = errno;
	buf->len = 0;
}

bool
w_sheet_settle(struct w_sheet *sheet)
{
	if (sheet->buf.failed || sheet->buf.len >= WRITE_AT)
		write_out(sheet);
	return sheet->sys_errno == 0;
}

bool
w_sheet_flush(struct w_sheet *sheet)
{
	write_out(sheet);
	return sheet->sys_errno == 0;
}

void
w_sheet_drop(struct w_sheet *sheet)
{
	w_buf_done(&sheet->buf);
	if (sheet->path != NULL)
		(void)close(sheet->fd);
	sheet->fd = -1;
}

int
w_sheet_close(struct w_sheet *sheet)
{
	write_out(sheet);
	w_buf_done(&sheet->buf);
	if (sheet->path != NULL && close(sheet->fd) < 0 &&
	    sheet->sys_errno == 0)
		sheet->sys_errno = errno;
	sheet->fd = -1;
	if (sheet->sys_errno == 0)
		return 0;
	if (sheet->sys_errno == EPIPE)
		return 128 + SIGPIPE;
	if (sheet->path != NULL)
		w_print_note("cannot write '%s': %s", sheet->path,
		    strerror(sheet->sys_errno));
	else
		w_print_note("cannot write to standard output: %s",
		    strerror(sheet->sys_errno));
	return 1;
}
