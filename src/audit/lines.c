/* SPDX-License-Identifier: Apache-2.0 */

/* One line of the trail by its place; see lines.h. */

#include "audit/lines.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "store/log_reader.h"

void
w_lines_init(struct w_lines *lines, int dir_fd)
{
	*lines = (struct w_lines){.dir_fd = dir_fd, .fd = -1};
}

void
w_lines_done(struct w_lines *lines)
{
	w_close(&lines->fd);
	free(lines->room);
	lines->room = NULL;
	lines->room_size = 0;
}

/* Only plain files of ours or of root that nobody else can write. */
static writ_status
check_file(int fd, const char *name, writ_error *err)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return w_fail(err, WRIT_E_SYSTEM, "audit", errno,
		    "cannot look at '%s'", name);
	if (!S_ISREG(st.st_mode))
		return w_fail(err, WRIT_E_INVALID, "audit", 0,
		    "'%s' of the trail is no plain file", name);
	if (st.st_uid != geteuid() && st.st_uid != 0)
		return w_fail(err, WRIT_E_INVALID, "audit", 0,
		    "'%s' of the trail belongs to user %lu", name,
		    (unsigned long)st.st_uid);
	if ((st.st_mode & (S_IWGRP | S_IWOTH)) != 0)
		return w_fail(err, WRIT_E_INVALID, "audit", 0,
		    "'%s' of the trail can be written by others", name);
	return WRIT_OK;
}

writ_status
w_lines_enter(struct w_lines *lines, uint32_t segment, writ_error *err)
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
	writ_status status = check_file(fd, name, err);
	if (status != WRIT_OK)
		return status;
	lines->fd = w_take_fd(&fd);
	lines->segment = segment;
	return WRIT_OK;
}

writ_status
w_lines_fail(
    const struct w_lines *lines, int error, uint64_t offset, writ_error *err)
{
	char name[W_LOG_NAME_MAX];

	w_log_segment_name(W_TRAIL_NAME, lines->segment, name);
	return w_fail(err, WRIT_E_SYSTEM, "audit", error,
	    "cannot read '%s' of the trail at byte %" PRIu64, name, offset);
}

static bool
make_room(struct w_lines *lines, size_t size)
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
w_lines_read(struct w_lines *lines, char *to, size_t len, uint64_t offset,
    size_t *out_len, writ_error *err)
{
	size_t done = 0;
	ssize_t got = 1;

	while (done < len && got != 0) {
		got = pread(
		    lines->fd, to + done, len - done, (off_t)(offset + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return w_lines_fail(lines, errno, offset, err);
		done += (size_t)got;
	}
	*out_len = done;
	return WRIT_OK;
}

writ_status
w_lines_get(struct w_lines *lines, const struct w_spot *spot,
    struct w_log_line *out_line, bool *out_is_there, writ_error *err)
{
	size_t len = (size_t)spot->len + 1;

	*out_is_there = false;
	if (lines->dir_fd < 0 || spot->len == 0 || spot->len > W_LOG_LINE_MAX)
		return WRIT_OK;
	if (!make_room(lines, len + 1))
		return w_fail_nomem(err, "audit");
	writ_status status = w_lines_enter(lines, spot->segment, err);
	if (status != WRIT_OK || lines->fd < 0)
		return status;
	size_t got;
	status = w_lines_read(lines, lines->room, len, spot->offset, &got, err);
	if (status != WRIT_OK)
		return status;
	if (got != len || lines->room[len - 1] != '\n')
		return WRIT_OK;
	lines->room[len - 1] = '\0';
	*out_is_there = w_log_line_parse(lines->room, len - 1, out_line) &&
			out_line->seq == spot->seq;
	return WRIT_OK;
}

/* The number in a file's name; 0: it is none of the trail's. */
static uint32_t
number_of(const char *name)
{
	char again[W_LOG_NAME_MAX];
	unsigned number;

	if (sscanf(name, W_TRAIL_NAME "-%9u", &number) != 1)
		return 0;
	w_log_segment_name(W_TRAIL_NAME, number, again);
	return strcmp(again, name) == 0 ? number : 0;
}

writ_status
w_lines_range(
    int dir_fd, uint32_t *out_first, uint32_t *out_last, writ_error *err)
{
	*out_first = 0;
	*out_last = 0;
	if (dir_fd < 0)
		return WRIT_OK;
	W_AUTO_FD int fd =
	    openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	if (dir == NULL)
		return w_fail(err, WRIT_E_SYSTEM, "audit", errno,
		    "cannot list the directory of the trail");
	(void)w_take_fd(&fd);
	const struct dirent *entry;
	while ((entry = readdir(dir)) != NULL) {
		uint32_t number = number_of(entry->d_name);

		if (number != 0 && (*out_first == 0 || number < *out_first))
			*out_first = number;
		if (number > *out_last)
			*out_last = number;
	}
	(void)closedir(dir);
	return WRIT_OK;
}
