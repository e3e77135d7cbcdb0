/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_TRAIL_BACKWARD_H
#define W_AUDIT_TRAIL_BACKWARD_H

#include "audit/query/trail_lines.h"

/* Reads the trail backwards. */
struct w_trail_backward {
	struct w_trail_lines *lines;
	uint32_t first;   /* the oldest file */
	uint32_t segment; /* the one being read */
	bool is_inside;   /* a file is open */
	uint64_t start;   /* offset of the window's first byte in the file */
	uint64_t end;     /* offset after the next line to deliver */
	char *window;
	size_t window_size;
};

/* Starts after the last complete line. lines must not be used for anything else
 * before w_trail_backward_done(). */
writ_status w_trail_backward_init(struct w_trail_backward *backward,
    struct w_trail_lines *lines, writ_error *err);
void w_trail_backward_done(struct w_trail_backward *backward);

/* The previous line; bytes that are not a record are skipped. *out_is_there
 * false: there are no more. */
writ_status w_trail_backward_next(struct w_trail_backward *backward,
    struct w_log_line *out_line, struct w_trail_position *out_position,
    bool *out_is_there, writ_error *err);

#endif /* W_AUDIT_TRAIL_BACKWARD_H */
