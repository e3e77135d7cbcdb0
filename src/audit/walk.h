/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_WALK_H
#define W_AUDIT_WALK_H

#include "audit/lines.h"

/* The trail backwards. */
struct w_walk {
	struct w_lines *lines;
	uint32_t first;   /* the oldest file */
	uint32_t segment; /* the one being read */
	bool is_inside;   /* it is open */
	uint64_t start;   /* offset of the window's first byte in the file */
	uint64_t end;     /* offset behind the next line to be given */
	char *window;
	size_t window_size;
};

/* Starts behind the last whole line. lines must not be used for anything else
 * before w_walk_done(). */
writ_status w_walk_init(
    struct w_walk *walk, struct w_lines *lines, writ_error *err);
void w_walk_done(struct w_walk *walk);

/* The line before; bytes that are no record are passed over. *out_is_there
 * false: that was the oldest. */
writ_status w_walk_next(struct w_walk *walk, struct w_log_line *out_line,
    struct w_spot *out_spot, bool *out_is_there, writ_error *err);

#endif /* W_AUDIT_WALK_H */
