/* SPDX-License-Identifier: Apache-2.0 */

/* A reader of a log and the files it goes through; log_reader_next.c reads
 * lines from them. */

#include "log/log_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "log/log_files.h"
#include "log/log_reader_state.h"

#define BLOCK ((size_t)256 << 10)

static const char stage[] = "audit";

writ_status
w_log_reader_fail(struct w_log_reader *reader, uint32_t segment, int error,
    const char *what, writ_error *err)
{
	char file[W_LOG_NAME_MAX];

	w_log_segment_name(reader->name, segment, file);
	return w_fail(err, WRIT_E_SYSTEM, stage, error, "cannot %s '%s/%s'",
	    what, reader->dir, file);
}

static writ_status
log_reader_refuse(const char *path, const char *why, writ_error *err)
{
	(void)w_fail(err, WRIT_E_INVALID, stage, 0, "'%s' %s", path, why);
	w_suggest(err,
	    "a log must belong to you or to root, and only its owner may be "
	    "able to write it");
	return WRIT_E_INVALID;
}

/* The directory may be created later: then this is tried again. */
static writ_status
log_reader_open_dir(struct w_log_reader *reader, writ_error *err)
{
	char why[W_LOG_WHY_MAX];
	struct stat st;

	if (reader->dir_fd >= 0)
		return WRIT_OK;
	W_AUTO_FD int fd =
	    open(reader->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return WRIT_OK;
	if (fd < 0 || fstat(fd, &st) != 0)
		return w_fail(err, WRIT_E_SYSTEM, stage, errno,
		    "cannot open '%s'", reader->dir);
	if (!w_log_file_is_ours(&st, S_IFDIR, why))
		return log_reader_refuse(reader->dir, why, err);
	reader->dir_fd = w_take_fd(&fd);
	return WRIT_OK;
}

writ_status
w_log_reader_open(const char *dir, const char *name,
    struct w_log_reader **out_reader, writ_error *err)
{
	struct w_log_reader *reader = calloc(1, sizeof(*reader));

	if (reader == NULL)
		return w_fail_nomem(err, stage);
	reader->dir_fd = -1;
	reader->fd = -1;
	reader->dir = strdup(dir);
	reader->name = strdup(name);
	reader->cap = BLOCK;
	reader->buf = malloc(reader->cap);
	writ_status status = WRIT_OK;
	if (reader->dir == NULL || reader->name == NULL || reader->buf == NULL)
		status = w_fail_nomem(err, stage);
	else
		status = log_reader_open_dir(reader, err);
	if (status != WRIT_OK) {
		w_log_reader_free(reader);
		return status;
	}
	*out_reader = reader;
	return WRIT_OK;
}

void
w_log_reader_free(struct w_log_reader *reader)
{
	if (reader == NULL)
		return;
	w_close(&reader->fd);
	w_close(&reader->dir_fd);
	free(reader->dir);
	free(reader->name);
	free(reader->buf);
	free(reader);
}

uint32_t
w_log_reader_first(const struct w_log_reader *reader)
{
	uint32_t first = 0;

	if (reader->dir_fd < 0 || w_log_files_find(reader->dir_fd, reader->name,
				      0, &first, NULL) != 0)
		return 0;
	return first;
}

uint32_t
w_log_reader_last(struct w_log_reader *reader)
{
	uint32_t last = 0;

	if (log_reader_open_dir(reader, NULL) != WRIT_OK ||
	    reader->dir_fd < 0 ||
	    w_log_files_find(reader->dir_fd, reader->name, 0, NULL, &last) != 0)
		return 0;
	return last;
}

/* An empty file is about to be started: its predecessor is not finished yet. */
static bool
is_begun(const struct w_log_reader *reader, uint32_t segment)
{
	char file[W_LOG_NAME_MAX];
	struct stat st;

	w_log_segment_name(reader->name, segment, file);
	return fstatat(reader->dir_fd, file, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       (st.st_size > 0 || !S_ISREG(st.st_mode));
}

writ_status
w_log_reader_find_next(
    struct w_log_reader *reader, uint32_t *out_next, writ_error *err)
{
	uint32_t next = reader->segment + 1;

	*out_next = 0;
	writ_status status = log_reader_open_dir(reader, err);
	if (status != WRIT_OK || reader->dir_fd < 0)
		return status;
	while (next > 0 && !is_begun(reader, next)) {
		int error = w_log_files_find(
		    reader->dir_fd, reader->name, next, &next, NULL);

		if (error != 0)
			return w_fail(err, WRIT_E_SYSTEM, stage, error,
			    "cannot list '%s'", reader->dir);
	}
	*out_next = next;
	return WRIT_OK;
}

static void
start_at(struct w_log_reader *reader, uint32_t segment, uint64_t offset)
{
	reader->segment = segment;
	reader->offset = offset;
	reader->line = offset == 0 ? 1 : 0;
	reader->start = reader->scanned = reader->end = 0;
	reader->part_returned = 0;
	reader->is_last_read = false;
}

/* *out_fd stays -1 if the file is gone or not readable. */
static writ_status
open_segment(
    struct w_log_reader *reader, uint32_t segment, int *out_fd, writ_error *err)
{
	char file[W_LOG_NAME_MAX];
	char why[W_LOG_WHY_MAX];
	struct stat st;

	w_log_segment_name(reader->name, segment, file);
	/* Without O_NONBLOCK a pipe of this name would block us. */
	W_AUTO_FD int fd = openat(reader->dir_fd, file,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 &&
	    (errno == ENOENT || (errno == ELOOP && reader->reads_all)))
		return WRIT_OK;
	if (fd < 0 || fstat(fd, &st) != 0)
		return w_log_reader_fail(reader, segment, errno, "open", err);
	if (reader->reads_all && !S_ISREG(st.st_mode))
		return WRIT_OK;
	if (!reader->reads_all && !w_log_file_is_ours(&st, S_IFREG, why))
		return log_reader_refuse(file, why, err);
	*out_fd = w_take_fd(&fd);
	return WRIT_OK;
}

writ_status
w_log_reader_advance(
    struct w_log_reader *reader, bool *out_is_end, writ_error *err)
{
	uint32_t from = reader->segment;

	for (;;) {
		uint32_t next;
		int fd = -1;
		writ_status status = w_log_reader_find_next(reader, &next, err);

		if (status == WRIT_OK && next > 0)
			status = open_segment(reader, next, &fd, err);
		*out_is_end = next == 0;
		if (status != WRIT_OK || next == 0) {
			reader->segment = from;
			return status;
		}
		reader->segment = next;
		if (fd < 0)
			continue; /* pruned at this moment */
		w_close(&reader->fd);
		reader->fd = fd;
		start_at(reader, next, 0);
		return WRIT_OK;
	}
}

writ_status
w_log_reader_seek(struct w_log_reader *reader, uint32_t segment,
    uint64_t offset, writ_error *err)
{
	char file[W_LOG_NAME_MAX];
	W_AUTO_FD int fd = -1;
	char before = '\n';

	writ_status status = log_reader_open_dir(reader, err);
	if (status == WRIT_OK && segment > 0 && reader->dir_fd >= 0)
		status = open_segment(reader, segment, &fd, err);
	if (status != WRIT_OK)
		return status;
	w_log_segment_name(reader->name, segment, file);
	if (segment > 0 && fd < 0)
		return w_fail(err, WRIT_E_NOTFOUND, stage, 0,
		    "there is no '%s/%s'", reader->dir, file);
	if (segment > 0 && offset > 0 &&
	    (pread(fd, &before, 1, (off_t)offset - 1) != 1 || before != '\n'))
		return w_fail(err, WRIT_E_INVALID, stage, 0,
		    "no line of '%s/%s' begins at byte %llu", reader->dir, file,
		    (unsigned long long)offset);
	w_close(&reader->fd);
	reader->fd = w_take_fd(&fd);
	start_at(reader, segment, segment > 0 ? offset : 0);
	return WRIT_OK;
}

/* 'head' is opened with the same care as the other files. */
int
w_log_reader_read_head(struct w_log_reader *reader, struct w_log_head *out_head)
{
	char text[W_LOG_HEAD_LEN + 1];

	if (log_reader_open_dir(reader, NULL) != WRIT_OK || reader->dir_fd < 0)
		return ENOENT;
	W_AUTO_FD int fd = openat(reader->dir_fd, "head",
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return errno;
	ssize_t len = pread(fd, text, sizeof(text), 0);
	if (len < 0)
		return errno;
	return w_log_head_parse(text, (size_t)len, out_head) ? 0 : EINVAL;
}

bool
w_log_reader_head(struct w_log_reader *reader, struct w_log_head *out_head)
{
	return w_log_reader_read_head(reader, out_head) == 0;
}
