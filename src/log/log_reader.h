/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_LOG_LOG_READER_H
#define W_LOG_LOG_READER_H

#include "base/error.h"
#include "log/log_format.h"

/*
 * Reading a log, also while others write to it. Readers never hold a lock for
 * longer than a moment, and change nothing.
 */
struct w_log_reader;

/* A missing log has no lines. Files of other users are rejected as in
 * w_log_open(). */
writ_status w_log_reader_open(const char *dir, const char *name,
    struct w_log_reader **out_reader, writ_error *err);
void w_log_reader_free(struct w_log_reader *reader);

/* Numbers of the first and last file; 0 if there is none. */
uint32_t w_log_reader_first(const struct w_log_reader *reader);
uint32_t w_log_reader_last(struct w_log_reader *reader);

/* Continues at this byte of this file, which must be the start of a line;
 * offset 0 of file 0 is the start of the log. */
writ_status w_log_reader_seek(struct w_log_reader *reader, uint32_t segment,
    uint64_t offset, writ_error *err);

enum w_log_read {
	W_LOG_LINE,  /* a line in the format of a record */
	W_LOG_OTHER, /* bytes up to a newline that are not a record */
	W_LOG_PART, /* bytes at the end of a file without a newline; in the last
		       file: a line being written, or torn */
	W_LOG_END,  /* nothing more for now */
};

/* The position of what was read. */
struct w_log_place {
	uint32_t segment;
	uint64_t offset;
	uint64_t line; /* in its file, from 1; 0 after a seek: unknown */
};

/*
 * The next line, in file order. The bytes are valid until the next call. After
 * W_LOG_PART of the last file and after W_LOG_END a later call tries again.
 * WRIT_E_SYSTEM if a file cannot be read.
 */
writ_status w_log_reader_next(struct w_log_reader *reader,
    enum w_log_read *out_read, struct w_log_line *out_line,
    struct w_log_place *out_place, writ_error *err);

/* The name of a file of this log, copied to out. */
#define W_LOG_NAME_MAX 64
void w_log_segment_name(
    const char *name, uint32_t segment, char out[W_LOG_NAME_MAX]);

/* The current head. false: missing or invalid. */
bool w_log_reader_head(
    struct w_log_reader *reader, struct w_log_head *out_head);

#endif /* W_LOG_LOG_READER_H */
