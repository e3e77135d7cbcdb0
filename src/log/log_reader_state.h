/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_LOG_LOG_READER_STATE_H
#define W_LOG_LOG_READER_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/log_reader.h"

/* The internals of a reader, for code that reads a log with it. */
struct w_log_reader {
	char *dir;
	char *name;
	int dir_fd;     /* -1: the directory does not exist yet */
	bool reads_all; /* also regular files of other users; anything else is
			   skipped */

	uint32_t segment;  /* the open file, or the last one finished */
	int fd;            /* -1: none */
	bool is_last_read; /* a later file was seen: if nothing more comes now,
			      this one is finished */
	uint64_t offset;   /* in the file, of buf[start] */
	uint64_t line;     /* of that byte; 0: unknown */

	char *buf;
	size_t cap;
	size_t start;
	size_t scanned; /* no newline before this offset */
	size_t end;
	size_t part_returned; /* length of the partial line last returned */
};

/* The number of the file after this one; 0: there is none. */
writ_status w_log_reader_find_next(
    struct w_log_reader *reader, uint32_t *out_next, writ_error *err);

/* Opens the next file; at the end nothing changes. */
writ_status w_log_reader_advance(
    struct w_log_reader *reader, bool *out_is_end, writ_error *err);

writ_status w_log_reader_fail(struct w_log_reader *reader, uint32_t segment,
    int error, const char *what, writ_error *err);

/* Like w_log_reader_head(). 0, ENOENT, EINVAL: invalid, or the errno of reading
 * it. */
int w_log_reader_read_head(
    struct w_log_reader *reader, struct w_log_head *out_head);

/* Takes a shared lock, waiting for a moment at most. */
bool w_log_lock_shared(int fd);

#endif /* W_LOG_LOG_READER_STATE_H */
