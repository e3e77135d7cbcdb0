/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Live output, line by line.
 */

#include "cli/manifest/indented_output.h"

#include <string.h>

#define INDENT "    "

/* The longest result of one piece: every byte a line of its own. */
#define PIECE_MAX ((size_t)16 << 20)

static void
indented_output_add_lines(struct w_indented_output *live, struct w_buf *out,
    writ_stream stream, const char *bytes, size_t len)
{
	if (len > 0 && live->is_mid_line && live->last != stream) {
		w_buf_add_char(out, '\n');
		live->is_mid_line = false;
	}
	while (len > 0) {
		const char *end = memchr(bytes, '\n', len);
		const size_t part =
		    end == NULL ? len : (size_t)(end - bytes) + 1;

		if (!live->is_mid_line)
			w_buf_add_str(out, INDENT);
		w_buf_add(out, bytes, part);
		live->is_mid_line = end == NULL;
		live->last = stream;
		bytes += part;
		len -= part;
	}
}

void
w_indented_output_add(struct w_indented_output *live, struct w_buf *out,
    writ_stream stream, const char *bytes, size_t len)
{
	W_AUTO_BUF struct w_buf sanitized;

	w_buf_init(&sanitized, PIECE_MAX);
	if (!live->is_sanitized) {
		indented_output_add_lines(live, out, stream, bytes, len);
		return;
	}
	w_sanitizer_add(&live->sanitizers[stream], &sanitized, bytes, len);
	indented_output_add_lines(
	    live, out, stream, sanitized.data, sanitized.len);
}

void
w_indented_output_end(struct w_indented_output *live, struct w_buf *out)
{
	bool has_colour = false;

	for (int i = WRIT_STDOUT; live->is_sanitized && i <= WRIT_STDERR; i++) {
		W_AUTO_BUF struct w_buf rest;

		w_buf_init(&rest, PIECE_MAX);
		has_colour = has_colour || live->sanitizers[i].has_colour;
		live->sanitizers[i].has_colour = false;
		w_sanitizer_end(&live->sanitizers[i], &rest);
		indented_output_add_lines(
		    live, out, (writ_stream)i, rest.data, rest.len);
		live->sanitizers[i] =
		    (struct w_sanitizer){.state = W_SANITIZER_TEXT};
	}
	/* Resets the colours for what is shown next. */
	if (has_colour)
		w_buf_add_str(out, "\033[0m");
	if (live->is_mid_line)
		w_buf_add_str(out, "\n");
	live->is_mid_line = false;
}
