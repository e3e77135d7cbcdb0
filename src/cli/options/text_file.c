/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads a document from a file or a pipe. It may be endless, so the size is
 * bounded while reading.
 */

#include "cli/options/text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/size.h"

#define CHUNK 8192

struct source {
	const struct w_text_file_kind *kind;
	const char *name;
	int fd;
};

static writ_status
fail_size(const struct source *source, size_t max, writ_error *err)
{
	char limit[W_SIZE_TEXT_MAX];

	w_size_format(max, limit);
	(void)w_fail(err, WRIT_E_INVALID, source->kind->what, 0,
	    "the %s in '%s' is larger than %s", source->kind->what,
	    source->name, limit);
	w_suggest(err, "%s", source->kind->advice);
	return WRIT_E_INVALID;
}

static writ_status
text_file_read_all(
    const struct source *source, struct w_buf *buf, writ_error *err)
{
	char chunk[CHUNK];

	for (;;) {
		ssize_t len = read(source->fd, chunk, sizeof(chunk));

		if (len < 0 && errno == EINTR)
			continue;
		if (len < 0)
			return w_fail(err, WRIT_E_INVALID, source->kind->what,
			    errno, "cannot read the %s from '%s'",
			    source->kind->what, source->name);
		if (len == 0)
			return WRIT_OK;
		if ((size_t)len > buf->max - buf->len)
			return fail_size(source, buf->max, err);
		w_buf_add(buf, chunk, (size_t)len);
		if (buf->failed)
			return w_fail_nomem(err, source->kind->what);
	}
}

writ_status
w_text_file_read(const struct w_text_file_kind *kind, const char *path,
    struct w_buf *buf, writ_error *err)
{
	const bool is_stdin = strcmp(path, "-") == 0;
	W_AUTO_FD int opened = -1;
	struct stat st;
	struct source source = {.kind = kind,
	    .name = is_stdin ? "standard input" : path,
	    .fd = STDIN_FILENO};

	if (!is_stdin) {
		opened = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		if (opened < 0)
			return w_fail(err, WRIT_E_INVALID, kind->what, errno,
			    "cannot open the %s '%s'", kind->what, path);
		source.fd = opened;
	}
	if (fstat(source.fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    (uint64_t)st.st_size > buf->max)
		return fail_size(&source, buf->max, err);
	return text_file_read_all(&source, buf, err);
}
