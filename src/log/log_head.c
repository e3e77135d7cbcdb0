/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The head: the last line that the last writer wrote. It is not part of the log
 * and never needed to write to it; it shows that something is missing.
 *
 * It has two halves with a lock each. File, number and hash are written by the
 * holder of the last file's lock; "synced" by the holder of the head's own.
 */

#include "log/log_state.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "os/file.h"

static const char head_name[] = "head";

/* Offsets in it. */
enum {
	SEQ_AT = 24,
	SEQ_DIGITS = 20,
	HASH_AT = 54,
	SYNCED_DIGITS = 20,
	SYNCED_AT = W_LOG_HEAD_LEN - 3 - SYNCED_DIGITS
};

writ_status
w_log_head_open(struct w_log *log, writ_error *err)
{
	struct stat st;
	W_AUTO_FD int fd = w_log_openat(log, head_name, O_RDWR | O_CREAT);

	if (fd < 0 || w_log_stat(fd, &st) < 0)
		return w_fail(err, WRIT_E_SYSTEM, W_LOG_STAGE, errno,
		    "cannot open '%s/%s'", log->dir, head_name);
	if (!w_log_is_ours(log, head_name, &st, S_IFREG, err))
		return WRIT_E_INVALID;
	/* The umask removed our own rights. */
	if ((st.st_mode & 0600) != 0600)
		(void)fchmod(fd, 0600);
	(void)w_fd_raise(&fd);
	log->head_fd = w_take_fd(&fd);
	return WRIT_OK;
}

void
w_log_head_read(struct w_log *log)
{
	char text[W_LOG_HEAD_LEN + 1];
	ssize_t n;

	do
		n = pread(log->head_fd, text, sizeof(text), 0);
	while (n < 0 && errno == EINTR);
	log->has_head = n >= 0 && w_log_head_parse(text, (size_t)n, &log->head);
	if (!log->has_head) {
		log->head = (struct w_log_head){0};
		memset(log->head.hash, '0', W_SHA256_HEX);
	}
}

void
w_log_head_renew(struct w_log *log)
{
	struct stat st;
	int old = log->head_fd;

	if (fstat(old, &st) < 0 || st.st_nlink > 0)
		return;
	if (w_log_head_open(log, NULL) != WRIT_OK)
		return;
	w_close(&old);
	w_log_head_read(log);
}

static int
write_at(int fd, const char *text, size_t len, off_t offset)
{
	ssize_t n;

	do
		n = pwrite(fd, text, len, offset);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno;
	return (size_t)n == len ? 0 : ENOSPC;
}

static void
format_end(struct w_log *log)
{
	log->head.segment = log->segment;
	log->head.seq = log->end.seq;
	memcpy(log->head.hash, log->end.hash, sizeof(log->head.hash));
	w_log_head_format(&log->head, log->head_text);
	log->head_text_segment = log->segment;
}

static void
put_digits(char *text, size_t digits, uint64_t value)
{
	while (digits-- > 0) {
		text[digits] = (char)('0' + value % 10);
		value /= 10;
	}
}

/* Adds the pending "synced". Without the head's lock this may undo another
 * writer's update, which only costs one sync too many. */
static size_t
add_synced(struct w_log *log)
{
	uint64_t synced = log->synced_note;

	log->synced_note = 0;
	if (synced <= log->head.synced)
		return SYNCED_AT;
	log->head.synced = synced;
	put_digits(log->head_text + SYNCED_AT, SYNCED_DIGITS, synced);
	return SYNCED_AT + SYNCED_DIGITS;
}

void
w_log_head_note(struct w_log *log)
{
	/* Runs for every line, where printf() would be the most expensive
	 * part. */
	if (log->head_text_segment == log->segment) {
		put_digits(log->head_text + SEQ_AT, SEQ_DIGITS, log->end.seq);
		memcpy(log->head_text + HASH_AT, log->end.hash, W_SHA256_HEX);
	} else {
		format_end(log);
	}
	size_t len = SYNCED_AT;
	if (log->synced_note > 0)
		len = add_synced(log);
	(void)write_at(log->head_fd, log->head_text, len, 0);
}

int
w_log_head_make(struct w_log *log)
{
	format_end(log);
	log->has_head = true;
	int error = write_at(log->head_fd, log->head_text, W_LOG_HEAD_LEN, 0);
	/* Nothing of a longer head may remain. */
	if (error == 0 && ftruncate(log->head_fd, W_LOG_HEAD_LEN) < 0)
		error = errno;
	/* A log without a head cannot be verified, and a power failure soon
	 * after creating the log would lose it. So it is synced once, if
	 * possible. */
	log->owes_head = log->options.is_brief;
	if (error == 0 && !log->owes_head)
		(void)fsync(log->head_fd);
	return error;
}

void
w_log_head_sync(struct w_log *log)
{
	if (!log->owes_head)
		return;
	log->owes_head = false;
	(void)fsync(log->head_fd);
}

void
w_log_head_synced(struct w_log *log, uint64_t seq)
{
	char digits[SYNCED_DIGITS];

	if (w_file_size_limit() < W_LOG_HEAD_LEN)
		return;
	put_digits(digits, SYNCED_DIGITS, seq);
	(void)write_at(log->head_fd, digits, SYNCED_DIGITS, SYNCED_AT);
}
