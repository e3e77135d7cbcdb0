/* SPDX-License-Identifier: Apache-2.0 */

/* Reads one line of the trail by its position. */

#include "audit/query/trail_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "log/log_files.h"

void
w_trail_lines_init(struct w_trail_lines *lines, int dir_fd)
{
	*lines = (struct w_trail_lines){.dir_fd = dir_fd, .fd = -1};
}

void
w_trail_lines_done(struct w_trail_lines *lines)
{
	w_close(&lines->fd);
	free(lines->room);
	lines->room = NULL;
	lines->room_size = 0;
}

static writ_status
trail_lines_check_file(int fd, const char *name, writ_error *err)
{
	char why[W_LOG_WHY_MAX];
	struct stat st;

	if (fstat(fd, &st) != 0)
		return w_fail(err, WRIT_E_SYSTEM, "audit", errno,
		    "cannot look at '%s' of the trail", name);
	return w_log_file_is_ours(&st, S_IFREG, why)
		   ? WRIT_OK
		   : w_fail(
			 err, WRIT_E_INVALID, "audit", 0, "'%s' %s", name, why);
}

writ_status
w_trail_lines_enter(
    struct w_trail_lines *lines, uint32_t segment, writ_error *err)
{
	char name[W_LOG_NAME_MAX];

	if (lines->fd >= 0 && lines->segment == segment)
		return WRIT_OK;
	w_close(&lines->fd);
	w_log_segment_name(W_TRAIL_NAME, segment, name);
	W_AUTO_FD int fd = openat(lines->dir_fd, name,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return WRIT_OK;
	if (fd < 0)
		return w_fail(err, WRIT_E_SYSTEM, "audit", errno,
		    "cannot open '%s' of the trail", name);
	writ_status status = trail_lines_check_file(fd, name, err);
	if (status != WRIT_OK)
		return status;
	lines->fd = w_take_fd(&fd);
	lines->segment = segment;
	return WRIT_OK;
}

writ_status
w_trail_lines_fail(const struct w_trail_lines *lines, int error,
    uint64_t offset, writ_error *err)
{
	char name[W_LOG_NAME_MAX];

	w_log_segment_name(W_TRAIL_NAME, lines->segment, name);
	return w_fail(err, WRIT_E_SYSTEM, "audit", error,
	    "cannot read '%s' of the trail at byte %" PRIu64, name, offset);
}

static bool
trail_lines_make_room(struct w_trail_lines *lines, size_t size)
{
	if (size <= lines->room_size)
		return true;
	char *room = realloc(lines->room, size);
	if (room == NULL)
		return false;
	lines->room = room;
	lines->room_size = size;
	return true;
}

writ_status
w_trail_lines_read(struct w_trail_lines *lines, char *to, size_t len,
    uint64_t offset, size_t *out_len, writ_error *err)
{
	size_t done = 0;
	ssize_t got = 1;

	while (done < len && got != 0) {
		got = pread(
		    lines->fd, to + done, len - done, (off_t)(offset + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return w_trail_lines_fail(lines, errno, offset, err);
		done += (size_t)got;
	}
	*out_len = done;
	return WRIT_OK;
}

writ_status
w_trail_lines_get(struct w_trail_lines *lines,
    const struct w_trail_position *position, struct w_log_line *out_line,
    bool *out_is_there, writ_error *err)
{
	size_t len = (size_t)position->len + 1;

	*out_is_there = false;
	if (lines->dir_fd < 0 || position->len == 0 ||
	    position->len > W_LOG_LINE_MAX)
		return WRIT_OK;
	if (!trail_lines_make_room(lines, len + 1))
		return w_fail_nomem(err, "audit");
	writ_status status = w_trail_lines_enter(lines, position->segment, err);
	if (status != WRIT_OK || lines->fd < 0)
		return status;
	size_t got = 0;
	status = w_trail_lines_read(
	    lines, lines->room, len, position->offset, &got, err);
	if (status != WRIT_OK)
		return status;
	if (got != len || lines->room[len - 1] != '\n')
		return WRIT_OK;
	lines->room[len - 1] = '\0';
	*out_is_there = w_log_line_parse(lines->room, len - 1, out_line) &&
			out_line->seq == position->seq;
	return WRIT_OK;
}

writ_status
w_trail_lines_range(
    int dir_fd, uint32_t *out_first, uint32_t *out_last, writ_error *err)
{
	int error = dir_fd < 0 ? 0
			       : w_log_files_find(dir_fd, W_TRAIL_NAME, 0,
				     out_first, out_last);

	if (dir_fd < 0 || error != 0) {
		*out_first = 0;
		*out_last = 0;
	}
	return error == 0 ? WRIT_OK
			  : w_fail(err, WRIT_E_SYSTEM, "audit", error,
				"cannot list the directory of the trail");
}
