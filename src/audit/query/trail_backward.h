/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_TRAIL_BACKWARD_H
#define W_AUDIT_TRAIL_BACKWARD_H

#include "audit/query/trail_lines.h"

/* The trail backwards. */
struct w_trail_backward {
	struct w_trail_lines *lines;
	uint32_t first;   /* the oldest file */
	uint32_t segment; /* the one being read */
	bool is_inside;   /* it is open */
	uint64_t start;   /* offset of the window's first byte in the file */
	uint64_t end;     /* offset behind the next line to be given */
	char *window;
	size_t window_size;
};

/* Starts behind the last whole line. lines must not be used for anything else
 * before w_trail_backward_done(). */
writ_status w_trail_backward_init(struct w_trail_backward *backward,
    struct w_trail_lines *lines, writ_error *err);
void w_trail_backward_done(struct w_trail_backward *backward);

/* The line before; bytes that are no record are passed over. *out_is_there
 * false: that was the oldest. */
writ_status w_trail_backward_next(struct w_trail_backward *backward,
    struct w_log_line *out_line, struct w_trail_position *out_position,
    bool *out_is_there, writ_error *err);

#endif /* W_AUDIT_TRAIL_BACKWARD_H */
