/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_LOG_LOG_READER_STATE_H
#define W_LOG_LOG_READER_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/log_reader.h"

/* A reader from the inside, for what reads a log with it. */
struct w_log_reader {
	char *dir;
	char *name;
	int dir_fd;     /* -1: there is no directory yet */
	bool reads_all; /* also files that are not ours, as far as they are
			   plain files; others are stepped over */

	uint32_t segment;  /* the file that is open, or the last one passed */
	int fd;            /* -1: none */
	bool is_last_look; /* a later file was seen: if nothing more comes
			      now, this one is done */
	uint64_t offset;   /* in the file, of buf[start] */
	uint64_t line;     /* of that byte; 0: not known */

	char *buf;
	size_t cap;
	size_t start;
	size_t scanned; /* no newline stands before it */
	size_t end;
	size_t part_told; /* length of the part that was last given out */
};

/* The number of the file after this one; 0: there is none. */
writ_status w_log_reader_find_next(
    struct w_log_reader *reader, uint32_t *out_next, writ_error *err);

/* Goes on to the next file; at the end everything stays as it was. */
writ_status w_log_reader_advance(
    struct w_log_reader *reader, bool *out_is_end, writ_error *err);

writ_status w_log_reader_fail(struct w_log_reader *reader, uint32_t segment,
    int error, const char *what, writ_error *err);

/* Like w_log_reader_head(). 0, ENOENT, EINVAL: it is no head, or why it
 * cannot be read. */
int w_log_reader_read_head(
    struct w_log_reader *reader, struct w_log_head *out_head);

/* Takes a shared lock, waiting for a moment at most. */
bool w_log_lock_shared(int fd);

#endif /* W_LOG_LOG_READER_STATE_H */
