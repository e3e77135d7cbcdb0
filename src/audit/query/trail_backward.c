/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads the trail from its newest line to its oldest, block by block: the last
 * twenty records cost no more than reading those.
 */

#include "audit/query/trail_backward.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
	BLOCK = 64 * 1024
};

writ_status
w_trail_backward_init(struct w_trail_backward *backward,
    struct w_trail_lines *lines, writ_error *err)
{
	*backward = (struct w_trail_backward){.lines = lines};
	return w_trail_lines_range(
	    lines->dir_fd, &backward->first, &backward->segment, err);
}

void
w_trail_backward_done(struct w_trail_backward *backward)
{
	free(backward->window);
	backward->window = NULL;
}

/* Opens the newest file that is left. Bytes after its last newline are still
 * being written, or torn. */
static writ_status
enter_segment(struct w_trail_backward *backward, writ_error *err)
{
	struct stat st;

	writ_status status =
	    w_trail_lines_enter(backward->lines, backward->segment, err);
	if (status != WRIT_OK)
		return status;
	if (backward->lines->fd < 0) {
		backward->segment--;
		return WRIT_OK;
	}
	if (fstat(backward->lines->fd, &st) != 0)
		return w_trail_lines_fail(backward->lines, errno, 0, err);
	backward->end = (uint64_t)st.st_size;
	backward->start = backward->end;
	backward->is_inside = true;
	return WRIT_OK;
}

/* Loads the block before the window in front of it. */
static writ_status
load_before(struct w_trail_backward *backward, writ_error *err)
{
	size_t held = (size_t)(backward->end - backward->start);
	size_t more = backward->start < BLOCK ? (size_t)backward->start : BLOCK;

	/* Longer than any line: the rest is not a record either. */
	if (held > W_LOG_LINE_MAX) {
		backward->end = backward->start;
		held = 0;
	}
	if (held + more > backward->window_size) {
		size_t size = held + more + (held > 0 ? held : BLOCK);
		char *window = realloc(backward->window, size);

		if (window == NULL)
			return w_fail_nomem(err, "audit");
		backward->window = window;
		backward->window_size = size;
	}
	if (held > 0)
		memmove(backward->window + more, backward->window, held);
	backward->start -= more;
	size_t got;
	writ_status status = w_trail_lines_read(backward->lines,
	    backward->window, more, backward->start, &got, err);
	if (status != WRIT_OK)
		return status;
	/* Truncated while we read: what is gone is not a line. */
	if (got < more)
		memset(backward->window + got, '\0', more - got);
	return WRIT_OK;
}

/* The bytes after the last newline before end; false: not in the window. */
static bool
cut_line(struct w_trail_backward *backward, struct w_log_line *out_line,
    struct w_trail_position *out_position, bool *out_is_record)
{
	size_t held = (size_t)(backward->end - backward->start);
	const char *window = backward->window;

	if (held == 0)
		return false;
	const char *newline = held < 2 ? NULL : memrchr(window, '\n', held - 1);
	if (newline == NULL && backward->start > 0)
		return false;
	size_t from = newline == NULL ? 0 : (size_t)(newline - window) + 1;
	size_t len = held - 1 - from;
	*out_is_record = window[held - 1] == '\n' &&
			 w_log_line_parse(window + from, len, out_line);
	if (*out_is_record)
		*out_position = (struct w_trail_position){.seq = out_line->seq,
		    .offset = backward->start + from,
		    .segment = backward->segment,
		    .len = (uint32_t)len};
	backward->end = backward->start + from;
	return true;
}

writ_status
w_trail_backward_next(struct w_trail_backward *backward,
    struct w_log_line *out_line, struct w_trail_position *out_position,
    bool *out_is_there, writ_error *err)
{
	bool is_record = false;
	writ_status status = WRIT_OK;

	*out_is_there = false;
	while (status == WRIT_OK && backward->segment != 0 &&
	       backward->segment >= backward->first) {
		if (!backward->is_inside) {
			status = enter_segment(backward, err);
		} else if (cut_line(
			       backward, out_line, out_position, &is_record)) {
			*out_is_there = is_record;
			if (is_record)
				return WRIT_OK;
		} else if (backward->start > 0) {
			status = load_before(backward, err);
		} else {
			backward->is_inside = false;
			backward->segment--;
		}
	}
	return status;
}
