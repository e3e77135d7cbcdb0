/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Prints the recorded output of a run, each stream to its own descriptor, in
 * the order in which the run wrote it. A pipe or a file gets every byte, a
 * terminal sanitized text.
 */

#include "cli/run/run_playback.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "cli/output/print.h"
#include "data/json.h"

/* Base64 of the largest piece, and the JSON around it. */
#define PIECE_JSON_MAX ((size_t)1 << 20)

static const char *const stream_words[] = {"stdout", "stderr"};

void
w_playback_done(struct w_playback *playback)
{
	writ_recording_free(playback->recording);
	playback->recording = NULL;
}

static uint64_t
count_newlines(const char *bytes, size_t len)
{
	uint64_t count = 0;

	for (const char *at = bytes; len > 0; count++) {
		const char *next = memchr(at, '\n', len);

		if (next == NULL)
			break;
		len -= (size_t)(next + 1 - at);
		at = next + 1;
	}
	return count;
}

/* For --tail: counts the lines that are there now, and sets how many to skip
 * when the recording is read again. */
static writ_status
run_playback_count_lines(
    struct w_playback *playback, const char *path, writ_error *err)
{
	writ_recording *recording = NULL;
	uint64_t lines[2] = {0, 0};
	bool is_mid_line[2] = {false, false};
	writ_piece piece;

	writ_status status = writ_recording_open(path, &recording, err);
	while (status == WRIT_OK) {
		status = writ_recording_next(recording, &piece, err);
		if (status != WRIT_OK || piece.len == 0)
			break;
		lines[piece.stream] += count_newlines(piece.bytes, piece.len);
		is_mid_line[piece.stream] = piece.bytes[piece.len - 1] != '\n';
	}
	writ_recording_free(recording);
	for (int i = WRIT_STDOUT; i <= WRIT_STDERR; i++) {
		lines[i] += is_mid_line[i];
		if (lines[i] > playback->choice.tail_lines)
			playback->skip_lines[i] =
			    lines[i] - playback->choice.tail_lines;
	}
	return status;
}

writ_status
w_playback_open(struct w_playback *playback, const char *path, writ_error *err)
{
	writ_status status = WRIT_OK;

	if (playback->choice.has_tail)
		status = run_playback_count_lines(playback, path, err);
	if (status == WRIT_OK)
		status = writ_recording_open(path, &playback->recording, err);
	return status;
}

/* Cuts a piece to the chosen range and lines. */
static void
clip(struct w_playback *playback, writ_piece *piece)
{
	const struct w_playback_choice *choice = &playback->choice;
	uint64_t *skip = &playback->skip_lines[piece->stream];
	const uint64_t start = playback->seen[piece->stream];
	const uint64_t end = start + piece->len;

	playback->seen[piece->stream] = end;
	if (choice->is_hidden[piece->stream] || end <= choice->from ||
	    start >= choice->to) {
		piece->len = 0;
		return;
	}
	if (end > choice->to)
		piece->len -= (size_t)(end - choice->to);
	if (start < choice->from) {
		piece->bytes += choice->from - start;
		piece->len -= (size_t)(choice->from - start);
	}
	while (*skip > 0 && piece->len > 0) {
		const char *next = memchr(piece->bytes, '\n', piece->len);
		size_t line = next == NULL ? piece->len
					   : (size_t)(next + 1 - piece->bytes);

		piece->bytes += line;
		piece->len -= line;
		*skip -= next != NULL;
	}
}

static int
emit_json(const writ_piece *piece)
{
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, PIECE_JSON_MAX);
	w_buf_add_fmt(&line, "{\"stream\":\"%s\",\"at_us\":%llu,\"data\":",
	    stream_words[piece->stream], (unsigned long long)piece->at_us);
	w_json_add_bytes(&line, piece->bytes, piece->len);
	w_buf_add_str(&line, "}\n");
	if (line.failed) {
		errno = ENOMEM;
		return -1;
	}
	return w_print_bytes(STDOUT_FILENO, line.data, line.len);
}

static int
fd_of(writ_stream stream)
{
	return stream == WRIT_STDOUT ? STDOUT_FILENO : STDERR_FILENO;
}

static int
emit_sanitized(struct w_playback *playback, const writ_piece *piece)
{
	W_AUTO_BUF struct w_buf sanitized;

	w_buf_init(&sanitized, PIECE_JSON_MAX);
	w_sanitizer_add(&playback->sanitizers[piece->stream], &sanitized,
	    piece->bytes, piece->len);
	if (sanitized.failed) {
		errno = ENOMEM;
		return -1;
	}
	return w_print_bytes(
	    fd_of(piece->stream), sanitized.data, sanitized.len);
}

static int
emit(struct w_playback *playback, const writ_piece *piece)
{
	if (piece->len == 0)
		return 0;
	if (playback->choice.is_json)
		return emit_json(piece);
	if (!playback->choice.is_raw && isatty(fd_of(piece->stream)) == 1)
		return emit_sanitized(playback, piece);
	return w_print_bytes(fd_of(piece->stream), piece->bytes, piece->len);
}

void
w_playback_end(struct w_playback *playback)
{
	for (int i = WRIT_STDOUT; i <= WRIT_STDERR; i++) {
		W_AUTO_BUF struct w_buf rest;

		w_buf_init(&rest, PIECE_JSON_MAX);
		w_sanitizer_end(&playback->sanitizers[i], &rest);
		if (rest.len > 0)
			(void)w_print_bytes(
			    fd_of((writ_stream)i), rest.data, rest.len);
	}
}

writ_status
w_playback_pass(struct w_playback *playback, writ_error *err)
{
	writ_piece piece;

	for (;;) {
		writ_status status =
		    writ_recording_next(playback->recording, &piece, err);

		if (status != WRIT_OK || piece.len == 0)
			return status;
		clip(playback, &piece);
		if (emit(playback, &piece) < 0) {
			playback->is_broken = true;
			return w_fail(err, WRIT_E_SYSTEM, "output", errno,
			    "cannot write the output");
		}
	}
}
