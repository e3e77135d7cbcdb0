/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The trail from its newest line to its oldest, a block at a time: who wants
 * the last twenty records reads no more than those.
 */

#include "audit/walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
	BLOCK = 64 * 1024
};

writ_status
w_walk_init(struct w_walk *walk, struct w_lines *lines, writ_error *err)
{
	*walk = (struct w_walk){.lines = lines};
	return w_lines_range(lines->dir_fd, &walk->first, &walk->segment, err);
}

void
w_walk_done(struct w_walk *walk)
{
	free(walk->window);
	walk->window = NULL;
}

/* Opens the newest file that is left. What stands behind its last newline is
 * being written, or torn. */
static writ_status
enter_segment(struct w_walk *walk, writ_error *err)
{
	struct stat st;

	writ_status status = w_lines_enter(walk->lines, walk->segment, err);
	if (status != WRIT_OK)
		return status;
	if (walk->lines->fd < 0) {
		walk->segment--;
		return WRIT_OK;
	}
	if (fstat(walk->lines->fd, &st) != 0)
		return w_lines_fail(walk->lines, errno, 0, err);
	walk->end = (uint64_t)st.st_size;
	walk->start = walk->end;
	walk->is_inside = true;
	return WRIT_OK;
}

/* Puts the block before the window in front of it. */
static writ_status
load_before(struct w_walk *walk, writ_error *err)
{
	size_t held = (size_t)(walk->end - walk->start);
	size_t more = walk->start < BLOCK ? (size_t)walk->start : BLOCK;

	/* Longer than a line can be: its rest is no record either. */
	if (held > W_LOG_LINE_MAX) {
		walk->end = walk->start;
		held = 0;
	}
	if (held + more > walk->window_size) {
		size_t size = held + more + (held > 0 ? held : BLOCK);
		char *window = realloc(walk->window, size);

		if (window == NULL)
			return w_fail_nomem(err, "audit");
		walk->window = window;
		walk->window_size = size;
	}
	if (held > 0)
		memmove(walk->window + more, walk->window, held);
	walk->start -= more;
	size_t got;
	writ_status status = w_lines_read(
	    walk->lines, walk->window, more, walk->start, &got, err);
	if (status != WRIT_OK)
		return status;
	/* Cut while we read: what is gone is no line. */
	if (got < more)
		memset(walk->window + got, '\0', more - got);
	return WRIT_OK;
}

/* The bytes behind the last newline before end; false: not in the window. */
static bool
cut_line(struct w_walk *walk, struct w_log_line *out_line,
    struct w_spot *out_spot, bool *out_is_record)
{
	size_t held = (size_t)(walk->end - walk->start);
	const char *window = walk->window;

	if (held == 0)
		return false;
	const char *newline = held < 2 ? NULL : memrchr(window, '\n', held - 1);
	if (newline == NULL && walk->start > 0)
		return false;
	size_t from = newline == NULL ? 0 : (size_t)(newline - window) + 1;
	size_t len = held - 1 - from;
	*out_is_record = window[held - 1] == '\n' &&
			 w_log_line_parse(window + from, len, out_line);
	if (*out_is_record)
		*out_spot = (struct w_spot){.seq = out_line->seq,
		    .offset = walk->start + from,
		    .segment = walk->segment,
		    .len = (uint32_t)len};
	walk->end = walk->start + from;
	return true;
}

writ_status
w_walk_next(struct w_walk *walk, struct w_log_line *out_line,
    struct w_spot *out_spot, bool *out_is_there, writ_error *err)
{
	bool is_record = false;
	writ_status status = WRIT_OK;

	*out_is_there = false;
	while (status == WRIT_OK && walk->segment != 0 &&
	       walk->segment >= walk->first) {
		if (!walk->is_inside) {
			status = enter_segment(walk, err);
		} else if (cut_line(walk, out_line, out_spot, &is_record)) {
			*out_is_there = is_record;
			if (is_record)
				return WRIT_OK;
		} else if (walk->start > 0) {
			status = load_before(walk, err);
		} else {
			walk->is_inside = false;
			walk->segment--;
		}
	}
	return status;
}
