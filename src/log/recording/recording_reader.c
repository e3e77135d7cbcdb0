/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads a recording, also one that is still being written: an incomplete piece
 * is read again by the next call, never remembered in part.
 */

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "log/recording/recording.h"
#include "log/recording/recording_format.h"

enum {
	MAGIC_LEN = sizeof(W_RECORDING_MAGIC) - 1,
	/* Complete pieces fit, and a busy file needs few reads. */
	BUFFER = 2 * (W_RECORDING_HEADER + W_RECORDING_PIECE_MAX)
};

struct w_recording_reader {
	int fd;
	bool has_magic;
	char *path;
	uint64_t start; /* file offset of the buffer */
	size_t at;      /* in the buffer: next byte to return */
	size_t len;     /* of the buffer */
	uint64_t at_us;
	char buffer[BUFFER];
};

static writ_status
recording_reader_open_file(const char *path, int *out_fd, writ_error *err)
{
	struct stat st;
	/* O_NONBLOCK: a pipe of that name must not block us. */
	W_AUTO_FD int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return w_fail(err, WRIT_E_NOTFOUND, "recording", errno,
		    "cannot open the recording '%s'", path);
	if (fd < 0 || fstat(fd, &st) < 0)
		return w_fail(err, WRIT_E_SYSTEM, "recording", errno,
		    "cannot open the recording '%s'", path);
	if (!S_ISREG(st.st_mode))
		return w_fail(err, WRIT_E_INVALID, "recording", 0,
		    "'%s' is not a recording: it is not a file", path);
	*out_fd = w_take_fd(&fd);
	return WRIT_OK;
}

writ_status
w_recording_open(
    const char *path, struct w_recording_reader **out_reader, writ_error *err)
{
	W_AUTO_FD int fd = -1;

	writ_status status = recording_reader_open_file(path, &fd, err);
	if (status != WRIT_OK)
		return status;
	struct w_recording_reader *reader = malloc(sizeof(*reader));
	if (reader == NULL)
		return w_fail_nomem(err, "recording");
	reader->path = strdup(path);
	if (reader->path == NULL) {
		free(reader);
		return w_fail_nomem(err, "recording");
	}
	reader->fd = w_take_fd(&fd);
	reader->has_magic = false;
	reader->start = 0;
	reader->at = 0;
	reader->len = 0;
	reader->at_us = 0;
	*out_reader = reader;
	return WRIT_OK;
}

void
w_recording_reader_free(struct w_recording_reader *reader)
{
	if (reader == NULL)
		return;
	w_close(&reader->fd);
	free(reader->path);
	free(reader);
}

/* Fills the buffer from the first byte that was not returned yet. */
static writ_status
refill(struct w_recording_reader *reader, writ_error *err)
{
	reader->start += reader->at;
	reader->at = 0;
	reader->len = 0;
	while (reader->len < BUFFER) {
		ssize_t n = pread(reader->fd, reader->buffer + reader->len,
		    BUFFER - reader->len, (off_t)(reader->start + reader->len));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return w_fail(err, WRIT_E_SYSTEM, "recording", errno,
			    "cannot read '%s'", reader->path);
		if (n == 0)
			break;
		reader->len += (size_t)n;
	}
	return WRIT_OK;
}

static writ_status
fail_at(
    const struct w_recording_reader *reader, const char *what, writ_error *err)
{
	unsigned long long place = reader->start + reader->at;

	return w_fail(err, WRIT_E_INVALID, "recording", 0,
	    "'%s' is not a recording: %s at byte %llu", reader->path, what,
	    place);
}

/* Little-endian. */
static uint32_t
get32(const char *from)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < 4; i++)
		value |= (uint32_t)(uint8_t)from[i] << (8 * i);
	return value;
}

/* Checks the magic, as much of it as there is. */
static writ_status
take_magic(struct w_recording_reader *reader, writ_error *err)
{
	size_t there = reader->len < MAGIC_LEN ? reader->len : MAGIC_LEN;

	if (memcmp(reader->buffer, W_RECORDING_MAGIC, there) != 0)
		return fail_at(reader, "no known beginning", err);
	if (there == MAGIC_LEN) {
		reader->has_magic = true;
		reader->at = MAGIC_LEN;
	}
	return WRIT_OK;
}

/* Takes a piece out of the buffer; *out_is_whole: it was complete. A pause is a
 * piece without bytes. */
static writ_status
take_piece(struct w_recording_reader *reader,
    struct w_recording_piece *out_piece, bool *out_is_whole, writ_error *err)
{
	const char *header = reader->buffer + reader->at;
	size_t there = reader->len - reader->at;

	*out_is_whole = false;
	if (!reader->has_magic || there < W_RECORDING_HEADER)
		return WRIT_OK;
	uint32_t head = get32(header);
	uint32_t len = head & ~W_RECORDING_STDERR;
	if (len > W_RECORDING_PIECE_MAX)
		return fail_at(reader, "a piece that is too long", err);
	if (there - W_RECORDING_HEADER < len)
		return WRIT_OK;
	const uint32_t delay_us = get32(header + 4);
	if (reader->at_us > UINT64_MAX - delay_us)
		reader->at_us = UINT64_MAX;
	else
		reader->at_us += delay_us;
	*out_piece = (struct w_recording_piece){
	    .is_stderr = (head & W_RECORDING_STDERR) != 0,
	    .at_us = reader->at_us,
	    .bytes = header + W_RECORDING_HEADER,
	    .len = len,
	};
	reader->at += W_RECORDING_HEADER + len;
	*out_is_whole = true;
	return WRIT_OK;
}

writ_status
w_recording_next(struct w_recording_reader *reader,
    struct w_recording_piece *out_piece, bool *out_is_cut, writ_error *err)
{
	struct w_recording_piece piece = {0};
	bool is_whole = false;
	bool is_fresh = false;

	/* Once through the buffer, and once through what is in the file now. */
	while (piece.len == 0) {
		writ_status status = take_piece(reader, &piece, &is_whole, err);

		if (status == WRIT_OK && !is_whole) {
			if (is_fresh)
				break;
			status = refill(reader, err);
			if (status == WRIT_OK && !reader->has_magic)
				status = take_magic(reader, err);
		}
		if (status != WRIT_OK)
			return status;
		is_fresh = !is_whole;
	}
	if (piece.len == 0)
		piece = (struct w_recording_piece){.at_us = reader->at_us};
	if (out_is_cut != NULL)
		*out_is_cut = piece.len == 0 && reader->at < reader->len;
	*out_piece = piece;
	return WRIT_OK;
}
