/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The end of a recording as lines for a screen.
 *
 * The sanitizer leaves characters, newlines, tabs and colours of what a run
 * wrote. A line begins with the colours that were on at the end of the one
 * before it, so that each line can be drawn alone.
 */

#include "cli/live/live_output.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/printable.h"

/* Of a long recording the end is shown. */
#define SHOWN_BYTES ((uint64_t)1 << 20)

/* Read at once, so that keys are answered meanwhile. */
#define READ_BYTES     ((uint64_t)4 << 20)
#define PIECE_MAX      ((size_t)1 << 20)
#define TAB_COLUMNS    8
#define UTF8_MAX       4
#define CHAR_MAX_BYTES 32

void
w_live_output_done(struct w_live_output *output)
{
	writ_recording_free(output->recording);
	for (size_t i = 0; i < output->count; i++)
		free(output->lines[(output->first + i) % W_LIVE_LINES_MAX]);
	free(output->lines);
	if (output->line.max > 0)
		w_buf_done(&output->line);
	*output = (struct w_live_output){.recording = NULL};
}

/* ---- lines ---- */

/* The length of the colour sequence that begins here; 0: none does. */
static size_t
colour_len(const char *text)
{
	if (text[0] != '\033' || text[1] != '[')
		return 0;
	const size_t digits = strspn(text + 2, "0123456789;:");
	return text[2 + digits] == 'm' ? digits + 3 : 0;
}

static bool
is_reset(const char *sequence, size_t len)
{
	return len == 3 || (len == 4 && sequence[2] == '0');
}

/* Notes the colours that the line leaves on. */
static void
note_colours(struct w_live_output *output, const char *line)
{
	output->colour_len = 0;
	for (size_t len; *line != '\0'; line += len == 0 ? 1 : len) {
		len = colour_len(line);
		if (len == 0)
			continue;
		if (is_reset(line, len) ||
		    output->colour_len + len > W_LIVE_COLOUR_MAX)
			output->colour_len = 0;
		if (is_reset(line, len) || len > W_LIVE_COLOUR_MAX)
			continue;
		memcpy(output->colour + output->colour_len, line, len);
		output->colour_len += len;
	}
}

static bool
live_output_end_line(struct w_live_output *output)
{
	char *line = strdup(output->line.data);
	const size_t at = (output->first + output->count) % W_LIVE_LINES_MAX;

	if (line == NULL)
		return false;
	if (output->count == W_LIVE_LINES_MAX) {
		free(output->lines[at]);
		output->first = (output->first + 1) % W_LIVE_LINES_MAX;
	} else {
		output->count++;
	}
	output->lines[at] = line;
	note_colours(output, line);
	output->line.len = 0;
	output->line.data[0] = '\0';
	w_buf_add(&output->line, output->colour, output->colour_len);
	return !output->line.failed;
}

/* Adds the text of one line. What is too long is dropped whole characters and
 * sequences at a time, so that no half of one is kept. */
static void
live_output_add_text(struct w_live_output *output, const char *text, size_t len)
{
	for (size_t i = 0, unit; i < len; i += unit) {
		unit = colour_len(text + i);
		if (unit == 0) {
			unit = 1;
			while (i + unit < len &&
			       ((unsigned char)text[i + unit] & 0xc0U) == 0x80)
				unit++;
		}
		if (output->line.len + unit <= W_LIVE_LINE_BYTES)
			w_buf_add(&output->line, text + i, unit);
	}
}

static bool
begin_lines(struct w_live_output *output)
{
	if (output->lines != NULL)
		return true;
	output->lines = calloc(W_LIVE_LINES_MAX, sizeof(char *));
	w_buf_init(&output->line, W_LIVE_LINE_BYTES + W_LIVE_COLOUR_MAX + 1);
	/* Its text can be read from now on. */
	w_buf_add_str(&output->line, "");
	return output->lines != NULL;
}

bool
w_live_output_add(struct w_live_output *output, writ_stream stream,
    const char *bytes, size_t len)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, PIECE_MAX);
	if (!begin_lines(output))
		return false;
	w_sanitizer_add(&output->sanitizers[stream], &text, bytes, len);
	if (text.failed)
		return false;
	for (const char *at = text.data; *at != '\0';) {
		const size_t line_len = strcspn(at, "\n");

		live_output_add_text(output, at, line_len);
		at += line_len;
		if (*at == '\0')
			break;
		at++;
		if (!live_output_end_line(output))
			return false;
	}
	return !output->line.failed;
}

size_t
w_live_output_count(const struct w_live_output *output)
{
	const bool has_more =
	    output->lines != NULL && output->line.len > output->colour_len;

	return output->count + has_more;
}

const char *
w_live_output_line(const struct w_live_output *output, size_t at)
{
	return at < output->count
		   ? output->lines[(output->first + at) % W_LIVE_LINES_MAX]
		   : output->line.data;
}

/* ---- the recording ---- */

static bool
live_output_open(struct w_live_output *output, const char *path)
{
	writ_error why;
	struct stat st;

	if (output->recording != NULL)
		return true;
	if (path == NULL ||
	    writ_recording_open(path, &output->recording, &why) != WRIT_OK)
		return false;
	if (stat(path, &st) == 0 && (uint64_t)st.st_size > SHOWN_BYTES)
		output->skip = (uint64_t)st.st_size - SHOWN_BYTES;
	return true;
}

bool
w_live_output_read(
    struct w_live_output *output, const char *path, bool *out_is_changed)
{
	uint64_t taken = 0;
	writ_piece piece;
	writ_error why;

	if (!live_output_open(output, path))
		return false;
	while (taken < READ_BYTES) {
		if (writ_recording_next(output->recording, &piece, &why) !=
			WRIT_OK ||
		    piece.len == 0)
			return false;
		taken += piece.len;
		if (output->skip >= piece.len) {
			output->skip -= piece.len;
			continue;
		}
		output->skip = 0;
		*out_is_changed = true;
		if (!w_live_output_add(
			output, piece.stream, piece.bytes, piece.len))
			return false;
	}
	return true;
}

/* ---- columns ---- */

static size_t
add_tab(struct w_buf *buf, size_t at, size_t columns)
{
	size_t end = at + TAB_COLUMNS - at % TAB_COLUMNS;

	for (end = end < columns ? end : columns; at < end; at++)
		w_buf_add_char(buf, ' ');
	return at;
}

/* A character as it is shown; it fits, or is left out. */
static size_t
add_char(struct w_buf *buf, const char *text, size_t len, size_t room)
{
	W_AUTO_BUF struct w_buf shown;
	char one[UTF8_MAX + 1];

	w_buf_init(&shown, CHAR_MAX_BYTES);
	memcpy(one, text, len);
	one[len] = '\0';
	const size_t columns = w_printable_add(&shown, one, 0);
	if (columns <= room)
		w_buf_add(buf, shown.data, shown.len);
	return columns;
}

size_t
w_live_output_cut(
    struct w_buf *buf, const char *line, size_t columns, bool has_colour)
{
	size_t at = 0;
	bool is_coloured = false;

	while (*line != '\0' && at < columns) {
		size_t len = colour_len(line);

		if (len > 0 && has_colour)
			w_buf_add(buf, line, len);
		is_coloured = is_coloured || (len > 0 && has_colour);
		if (len > 0) {
			line += len;
			continue;
		}
		len = 1;
		while (len < UTF8_MAX &&
		       ((unsigned char)line[len] & 0xc0U) == 0x80)
			len++;
		if (*line == '\t') {
			at = add_tab(buf, at, columns);
		} else if (*line >= 0x20 && *line < 0x7f) {
			w_buf_add_char(buf, *line);
			at++;
		} else {
			const size_t wide =
			    add_char(buf, line, len, columns - at);

			if (wide > columns - at)
				break;
			at += wide;
		}
		line += len;
	}
	if (is_coloured)
		w_buf_add_str(buf, "\033[0m");
	return at;
}
