/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A request from a file or a pipe. It may be endless: what is read is bounded
 * before it is looked at.
 */

#include "cli/request_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/size.h"

#define CHUNK 8192

static writ_status
fail_size(const char *name, writ_error *err)
{
	char limit[W_SIZE_TEXT_MAX];

	w_size_format(WRIT_REQUEST_MAX, limit);
	(void)w_fail(err, WRIT_E_INVALID, "request", 0,
	    "the request in '%s' is larger than %s", name, limit);
	w_suggest(err, "give long input as a file: --stdin file:PATH");
	return WRIT_E_INVALID;
}

static writ_status
read_all(int fd, const char *name, struct w_buf *buf, writ_error *err)
{
	char chunk[CHUNK];

	for (;;) {
		ssize_t len = read(fd, chunk, sizeof(chunk));

		if (len < 0 && errno == EINTR)
			continue;
		if (len < 0)
			return w_fail(err, WRIT_E_INVALID, "request", errno,
			    "cannot read the request from '%s'", name);
		if (len == 0)
			return WRIT_OK;
		if ((size_t)len > buf->max - buf->len)
			return fail_size(name, err);
		w_buf_add(buf, chunk, (size_t)len);
		if (buf->failed)
			return w_fail_nomem(err, "request");
	}
}

static writ_status
check_size(int fd, const char *name, writ_error *err)
{
	struct stat st;

	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    (uint64_t)st.st_size > WRIT_REQUEST_MAX)
		return fail_size(name, err);
	return WRIT_OK;
}

writ_status
w_request_file_read(writ_draft *draft, const char *path, writ_error *err)
{
	const bool is_stdin = strcmp(path, "-") == 0;
	const char *name = is_stdin ? "standard input" : path;
	W_AUTO_FD int opened = -1;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, WRIT_REQUEST_MAX);
	if (!is_stdin) {
		opened = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		if (opened < 0)
			return w_fail(err, WRIT_E_INVALID, "request", errno,
			    "cannot open the request '%s'", path);
	}
	int fd = is_stdin ? STDIN_FILENO : opened;
	writ_status status = check_size(fd, name, err);
	if (status == WRIT_OK)
		status = read_all(fd, name, &buf, err);
	if (status != WRIT_OK)
		return status;
	return writ_draft_read_json(draft, buf.data, buf.len, err);
}
