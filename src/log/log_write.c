/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Writes lines to the current, locked file, and ensures that there is room:
 * in the file, on the disk, within the host's limits.
 *
 * Some blocks after the end of the file are kept allocated. A record that
 * begins something fails if they cannot be had, so that what began can still
 * record its end on a disk that is full by then.
 */

#include "log/log_state.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "os/file.h"

/* Reserves allocated at once, so that most lines need no allocation. */
#define RESERVE_STEP 4

/* How far a file grows before the host's limit is read again. */
#define LIMIT_STEP ((uint64_t)64 << 10)

/* A longer file has more than its first lines. */
#define FIRST_LINES_MAX 1024

/* Truncates the file to its lines, which also frees the reserve. If that fails,
 * the next writer finds half a line and records it. */
static void
log_write_trim(struct w_log *log)
{
	log->reserved_to = 0;
	log->is_known = false;
	if (ftruncate(log->fd, (off_t)log->size) < 0)
		return;
}

/* Writes all of it or nothing. */
static int
write_line(struct w_log *log, size_t len)
{
	const char *at = log->line;
	size_t left = len;
	int error = 0;

	while (left > 0) {
		ssize_t n = write(log->fd, at, left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			error = n < 0 ? errno : ENOSPC;
			break;
		}
		at += n;
		left -= (size_t)n;
	}
	if (error == 0 || left == len)
		return error;
	log_write_trim(log);
	return error;
}

bool
w_log_may_grow(struct w_log *log, uint64_t size)
{
	if (size > log->size_limit || size > log->limit_to) {
		log->size_limit = w_file_size_limit();
		log->limit_to = size + LIMIT_STEP;
	}
	return size <= log->size_limit;
}

writ_status
w_log_fail_write(const struct w_log *log, int error, writ_error *err)
{
	char name[W_LOG_FILE_NAME];

	w_log_segment_name(log->name, log->segment, name);
	(void)w_fail(err, WRIT_E_SYSTEM, W_LOG_STAGE, error,
	    "cannot write to '%s/%s'", log->dir, name);
	if (error == ENOSPC || error == EDQUOT)
		w_suggest(err, "make room in '%s'", log->dir);
	if (error == EFBIG)
		w_suggest(err, "raise the limit on file sizes (ulimit -f)");
	return WRIT_E_SYSTEM;
}

/* Lines in log->line that are about to be written. */
struct made_lines {
	size_t len;
	size_t last; /* where the last one begins */
};

/* The next line is chained to it, which does not count until it is written. */
static writ_status
make_line(struct w_log *log, struct made_lines *made, const char *payload,
    size_t len, writ_error *err)
{
	if (log->end.seq == UINT64_MAX)
		return w_fail(err, WRIT_E_INVALID, W_LOG_STAGE, 0,
		    "the log in '%s' has no number left for a record",
		    log->dir);
	const size_t line_len = w_log_line_make(log, made->len, payload, len);
	if (line_len == 0)
		return w_fail_nomem(err, W_LOG_STAGE);
	made->last = made->len;
	made->len += line_len;
	log->end.seq++;
	/* The hash is followed by a quote, the brace and the newline. */
	memcpy(log->end.hash, log->line + made->len - 3 - W_SHA256_HEX,
	    W_SHA256_HEX);
	return WRIT_OK;
}

static writ_status
put_lines(struct w_log *log, const struct made_lines *made, writ_error *err)
{
	if (!w_log_may_grow(log, log->size + made->len))
		return w_log_fail_write(log, EFBIG, err);
	int error = write_line(log, made->len);
	return error == 0 ? WRIT_OK : w_log_fail_write(log, error, err);
}

writ_status
w_log_write(struct w_log *log, const char *payloads, size_t len,
    size_t *out_used, writ_error *err)
{
	const struct w_log_end before = log->end;
	struct made_lines made = {.len = 0};
	writ_status status = WRIT_OK;
	size_t used = 0;

	while (status == WRIT_OK && used < len) {
		const char *at = payloads + used;
		const char *newline =
		    out_used == NULL ? NULL : memchr(at, '\n', len - used);
		const size_t one =
		    newline == NULL ? len - used : (size_t)(newline - at);

		if (used > 0 && w_log_is_full(log, made.len, one))
			break;
		status = make_line(log, &made, at, one, err);
		used += one + (newline != NULL);
	}
	if (status == WRIT_OK)
		status = put_lines(log, &made, err);
	if (status != WRIT_OK) {
		log->end = before;
		return status;
	}
	log->last.seq = log->end.seq;
	log->last.segment = log->segment;
	log->last.offset = log->size + made.last;
	log->size += made.len;
	log->is_known = true;
	w_log_head_note(log);
	if (out_used != NULL)
		*out_used = used;
	return WRIT_OK;
}

/* The host name, up to the first character that needs quoting. */
static void
host_name(char out[65])
{
	struct utsname names;
	size_t len = 0;

	if (uname(&names) < 0)
		names.nodename[0] = '\0';
	for (const char *at = names.nodename; *at != '\0' && len < 64; at++) {
		unsigned char c = (unsigned char)*at;

		out[len++] =
		    c < ' ' || c >= 0x7f || c == '"' || c == '\\' ? '?' : *at;
	}
	out[len] = '\0';
}

writ_status
w_log_write_segment(struct w_log *log, writ_error *err)
{
	char payload[320];
	char host[65];
	char key[W_LOG_KEY_ID_LEN + 3] = "null";
	const bool is_keyed = log->options.key != NULL;

	host_name(host);
	if (is_keyed)
		(void)snprintf(key, sizeof(key), "\"%s\"", log->key_id);
	int len = snprintf(payload, sizeof(payload),
	    "\"kind\":\"segment\",\"format\":%d,\"file\":%" PRIu32
	    ",\"chain\":\"%s\",\"key\":%s,\"host\":\"%s\"",
	    W_LOG_FORMAT, log->segment, is_keyed ? "hmac-sha256" : "sha256",
	    key, host);
	/* Before the line: a writer that still has that file open must not add
	 * to it. */
	if (log->left_fd >= 0)
		(void)fchmod(log->left_fd, 0400);
	/* Sealing would have synced it. */
	if (log->left_fd >= 0 && log->left_note[0] != '\0')
		(void)w_log_sync_file(log->left_fd);
	log->chain.key = log->options.key;
	memcpy(log->file_key, log->key_id, sizeof(log->file_key));
	log->is_foreign = false;
	log->has_chain = true;
	writ_status status = w_log_write(log, payload, (size_t)len, NULL, err);
	if (status == WRIT_OK && log->options.durability != W_LOG_NONE &&
	    (log->left_fd >= 0 || log->options.durability == W_LOG_SYNC))
		(void)fsync(log->dir_fd);
	return status;
}

/* Preallocates up to this size. Returns 0 or an errno. */
static int
reserve_to(struct w_log *log, uint64_t from, uint64_t to)
{
	int rc;

	do
		rc = fallocate(log->fd, FALLOC_FL_KEEP_SIZE, (off_t)from,
		    (off_t)(to - from));
	while (rc < 0 && errno == EINTR);
	if (rc == 0) {
		log->reserved_to = to;
		return 0;
	}
	if (errno == ENOSPC || errno == EDQUOT || errno == EIO)
		return errno;
	/* This file system cannot preallocate. */
	log->has_no_reserve = true;
	return 0;
}

writ_status
w_log_reserve(
    struct w_log *log, size_t len, enum w_log_urgency urgency, writ_error *err)
{
	const uint64_t want = log->size + len + log->options.reserve;

	if (log->has_no_reserve || log->reserved_to >= want ||
	    log->disk >= want)
		return WRIT_OK;
	int error = reserve_to(
	    log, log->size, want + RESERVE_STEP * log->options.reserve);
	if (error != 0)
		error = reserve_to(log, log->size, want);
	if (error != 0 && urgency == W_LOG_BEGINS)
		return w_log_fail_write(log, error, err);
	return WRIT_OK;
}

bool
w_log_is_full(const struct w_log *log, size_t before, size_t len)
{
	const uint64_t size = log->size + before;

	/* A line longer than a file gets a file of its own. */
	return (size > FIRST_LINES_MAX &&
		   size + len + W_LOG_FRAME_MAX > log->options.segment_max) ||
	       log->chain.key != log->options.key;
}

/* Ends the current file and frees its reserve. */
static writ_status
seal(struct w_log *log, writ_error *err)
{
	char payload[W_LOG_FILE_NAME + 64];
	char next[W_LOG_FILE_NAME];

	w_log_segment_name(log->name, log->segment + 1, next);
	int len = snprintf(payload, sizeof(payload),
	    "\"kind\":\"seal\",\"next\":\"%s\"", next);
	writ_status status = w_log_write(log, payload, (size_t)len, NULL, err);
	if (status != WRIT_OK)
		return status;
	log_write_trim(log);
	int error = w_log_sync_file(log->fd);
	return error == 0 ? WRIT_OK : w_log_fail_write(log, error, err);
}

writ_status
w_log_rotate(struct w_log *log, enum w_log_urgency urgency, writ_error *err)
{
	int error = w_log_segment_prepare(log);

	/* An end goes to an oversized file rather than nowhere. */
	if (error != 0 && urgency == W_LOG_ENDS)
		return WRIT_OK;
	if (error != 0)
		return w_log_fail_write(log, error, err);
	writ_status status = seal(log, err);
	if (status == WRIT_OK)
		status = w_log_segment_next(log, err);
	if (status == WRIT_OK)
		status = w_log_hold(log, err);
	return status;
}
