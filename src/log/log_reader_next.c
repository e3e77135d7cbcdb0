/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads a log line by line, across its files.
 *
 * 1. Files are read in blocks and never mapped: a file that is truncated
 *    meanwhile gives fewer bytes, not a signal.
 * 2. A file is left for the next one only if a read after the next one was seen
 *    returned nothing: writers start a new file only when they are done with
 *    the old one.
 * 3. Bytes without a newline at the end of the last file may be a line being
 *    written. Writers hold an exclusive lock for that long, so a line that is
 *    still incomplete under a shared lock was left by a writer that died.
 */

#include "log/log_reader.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "log/log_reader_state.h"

/* How long a writer may take to finish its line. */
#define SETTLE_TRIES  1000
#define SETTLE_NAP_NS 500000L

static const char stage[] = "audit";

/* Makes room after the buffered bytes. A line longer than any record is
 * returned in pieces, so the buffer's size is bounded. */
static writ_status
log_reader_next_make_room(struct w_log_reader *reader, writ_error *err)
{
	size_t held = reader->end - reader->start;

	if (reader->start > 0) {
		memmove(reader->buf, reader->buf + reader->start, held);
		reader->scanned -= reader->start;
		reader->start = 0;
		reader->end = held;
	}
	assert(reader->cap > 0);
	if (held < reader->cap)
		return WRIT_OK;
	char *grown = realloc(reader->buf, reader->cap * 2);
	if (grown == NULL)
		return w_fail_nomem(err, stage);
	reader->buf = grown;
	reader->cap *= 2;
	return WRIT_OK;
}

static writ_status
log_reader_next_fill(
    struct w_log_reader *reader, size_t *out_count, writ_error *err)
{
	writ_status status = log_reader_next_make_room(reader, err);

	if (status != WRIT_OK)
		return status;
	uint64_t at = reader->offset + (reader->end - reader->start);
	ssize_t count;
	do {
		count = pread(reader->fd, reader->buf + reader->end,
		    reader->cap - reader->end, (off_t)at);
	} while (count < 0 && errno == EINTR);
	if (count < 0)
		return w_log_reader_fail(
		    reader, reader->segment, errno, "read", err);
	reader->end += (size_t)count;
	*out_count = (size_t)count;
	return WRIT_OK;
}

bool
w_log_lock_shared(int fd)
{
	const struct timespec nap = {.tv_nsec = SETTLE_NAP_NS};

	for (int i = 0; i < SETTLE_TRIES; i++) {
		if (flock(fd, LOCK_SH | LOCK_NB) == 0)
			return true;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return false;
		(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
	}
	return false;
}

/* Returns len bytes from the start of the buffer and skips them and their
 * newline, if any. */
static void
log_reader_next_give(struct w_log_reader *reader, size_t len, size_t newline,
    struct w_log_line *out_line, struct w_log_place *out_place)
{
	*out_line = (struct w_log_line){
	    .bytes = reader->buf + reader->start,
	    .len = len,
	};
	*out_place = (struct w_log_place){
	    .segment = reader->segment,
	    .offset = reader->offset,
	    .line = reader->line,
	};
	reader->start += len + newline;
	reader->offset += len + newline;
	reader->scanned = reader->start;
	if (newline > 0 && reader->line > 0)
		reader->line++;
}

/* Takes a line from the buffer. false: no complete one is there. */
static bool
log_reader_next_take_line(struct w_log_reader *reader,
    enum w_log_read *out_read, struct w_log_line *out_line,
    struct w_log_place *out_place)
{
	const char *from = reader->buf + reader->scanned;
	const char *newline =
	    reader->end > reader->scanned
		? memchr(from, '\n', reader->end - reader->scanned)
		: NULL;

	reader->scanned = reader->end;
	if (newline == NULL) {
		if (reader->end - reader->start <= W_LOG_LINE_MAX)
			return false;
		log_reader_next_give(reader, reader->end - reader->start, 0,
		    out_line, out_place);
		*out_read = W_LOG_OTHER;
		return true;
	}
	log_reader_next_give(reader,
	    (size_t)(newline - (reader->buf + reader->start)), 1, out_line,
	    out_place);
	*out_read = w_log_line_parse(out_line->bytes, out_line->len, out_line)
			? W_LOG_LINE
			: W_LOG_OTHER;
	return true;
}

/* A partial line at the end of the last file is not consumed: the next call
 * reads it again, and returns it again if its length changed. */
static enum w_log_read
return_part(struct w_log_reader *reader, struct w_log_line *out_line,
    struct w_log_place *out_place)
{
	size_t len = reader->end - reader->start;
	bool is_known = len == 0 || len == reader->part_returned;

	reader->part_returned = len;
	if (is_known)
		return W_LOG_END;
	log_reader_next_give(reader, len, 0, out_line, out_place);
	reader->offset -= len;
	reader->start -= len;
	return W_LOG_PART;
}

/* Drops a partial line, so that it is read from the file again. */
static void
drop_part(struct w_log_reader *reader)
{
	reader->end = reader->scanned = reader->start;
}

enum log_reader_next_step {
	AGAIN, /* try the buffer, read more */
	DONE,  /* return *out_read */
};

/* At the end of a file that has a successor. */
static writ_status
leave_file(struct w_log_reader *reader, enum log_reader_next_step *out_step,
    enum w_log_read *out_read, struct w_log_line *out_line,
    struct w_log_place *out_place, writ_error *err)
{
	size_t rest = reader->end - reader->start;
	bool is_end;

	*out_step = AGAIN;
	if (!reader->is_last_read) {
		reader->is_last_read = true;
		return WRIT_OK;
	}
	if (rest > 0) {
		log_reader_next_give(reader, rest, 0, out_line, out_place);
		*out_read = W_LOG_PART;
		*out_step = DONE;
		return WRIT_OK;
	}
	reader->is_last_read = false;
	writ_status status = w_log_reader_advance(reader, &is_end, err);
	if (status == WRIT_OK && is_end) {
		*out_read = W_LOG_END;
		*out_step = DONE;
	}
	return status;
}

/* At the end of the last file. */
static enum log_reader_next_step
rest_at_end(struct w_log_reader *reader, bool *is_settled,
    enum w_log_read *out_read, struct w_log_line *out_line,
    struct w_log_place *out_place)
{
	if (reader->end > reader->start && !*is_settled) {
		*is_settled = true;
		(void)w_log_lock_shared(reader->fd);
		drop_part(reader);
		return AGAIN;
	}
	*out_read = return_part(reader, out_line, out_place);
	return DONE;
}

static writ_status
read_next(struct w_log_reader *reader, bool *is_settled,
    enum w_log_read *out_read, struct w_log_line *out_line,
    struct w_log_place *out_place, writ_error *err)
{
	enum log_reader_next_step step = AGAIN;
	writ_status status = WRIT_OK;

	while (status == WRIT_OK && step == AGAIN) {
		uint32_t next;
		size_t count = 0;

		if (log_reader_next_take_line(
			reader, out_read, out_line, out_place))
			return WRIT_OK;
		status = log_reader_next_fill(reader, &count, err);
		if (status != WRIT_OK || count > 0)
			continue;
		status = w_log_reader_find_next(reader, &next, err);
		if (status == WRIT_OK && next > 0)
			status = leave_file(
			    reader, &step, out_read, out_line, out_place, err);
		else if (status == WRIT_OK)
			step = rest_at_end(
			    reader, is_settled, out_read, out_line, out_place);
	}
	return status;
}

writ_status
w_log_reader_next(struct w_log_reader *reader, enum w_log_read *out_read,
    struct w_log_line *out_line, struct w_log_place *out_place, writ_error *err)
{
	bool is_settled = false;

	if (reader->fd < 0) {
		bool is_end;
		writ_status status = w_log_reader_advance(reader, &is_end, err);

		if (status != WRIT_OK)
			return status;
		if (is_end) {
			*out_read = W_LOG_END;
			return WRIT_OK;
		}
	}
	if (reader->part_returned > 0)
		drop_part(reader);
	writ_status status =
	    read_next(reader, &is_settled, out_read, out_line, out_place, err);
	if (is_settled)
		(void)flock(reader->fd, LOCK_UN);
	return status;
}
