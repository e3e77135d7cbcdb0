/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_TRAIL_LINES_H
#define W_AUDIT_TRAIL_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audit/audit.h"
#include "audit/query/audit_run_map.h"
#include "base/error.h"
#include "log/log_format.h"

/*
 * Lines of the trail at known positions. log/log_reader.h reads forwards,
 * audit/query/trail_backward.h backwards.
 */

struct w_trail_lines {
	int dir_fd; /* borrowed; -1: there is no trail */
	int fd;     /* of the file last read; -1: none */
	uint32_t segment;
	char *room; /* the line last read, with a NUL */
	size_t room_size;
};

void w_trail_lines_init(struct w_trail_lines *lines, int dir_fd);
void w_trail_lines_done(struct w_trail_lines *lines);

/*
 * Reads the line at a position; valid until the next call, and NUL-terminated.
 * *out_is_there false: no line with this number is there (any more).
 */
writ_status w_trail_lines_get(struct w_trail_lines *lines,
    const struct w_trail_position *position, struct w_log_line *out_line,
    bool *out_is_there, writ_error *err);

/* Numbers of the first and last file; 0, 0: none. */
writ_status w_trail_lines_range(
    int dir_fd, uint32_t *out_first, uint32_t *out_last, writ_error *err);

/* For trail_backward.c: opens a file of the trail, leaving fd at -1 if it does
 * not exist; and reads from it, up to its end. */
writ_status w_trail_lines_enter(
    struct w_trail_lines *lines, uint32_t segment, writ_error *err);
writ_status w_trail_lines_read(struct w_trail_lines *lines, char *to,
    size_t len, uint64_t offset, size_t *out_len, writ_error *err);
writ_status w_trail_lines_fail(const struct w_trail_lines *lines, int error,
    uint64_t offset, writ_error *err);

#endif /* W_AUDIT_TRAIL_LINES_H */
