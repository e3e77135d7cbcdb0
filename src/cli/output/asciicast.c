/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Writes asciicast version 2, line by line.
 */

#include "cli/output/asciicast.h"

#include <inttypes.h>
#include <string.h>

#include "data/json.h"

#define US_PER_S   UINT64_C(1000000)
#define PIECE_MAX  ((size_t)1 << 20)
#define MEMBER_MAX ((size_t)16 << 20)

/* ,"name":"text" with the text converted to UTF-8. */
static void
asciicast_add_member(struct w_buf *out, const char *name, const char *text)
{
	struct w_lossy_utf8 decoder = {.held_len = 0};
	W_AUTO_BUF struct w_buf whole;

	w_buf_init(&whole, MEMBER_MAX);
	w_lossy_utf8_add(&decoder, &whole, text, strlen(text));
	w_lossy_utf8_end(&decoder, &whole);
	w_buf_add_fmt(out, ",\"%s\":", name);
	w_json_add_string(out, whole.data, whole.len);
	out->failed = out->failed || whole.failed;
}

void
w_asciicast_begin(struct w_buf *out, const struct w_asciicast_about *about)
{
	w_buf_add_fmt(out,
	    "{\"version\":2,\"width\":%u,\"height\":%u,\"timestamp\":%" PRIu64,
	    about->columns, about->rows, about->begin_us / US_PER_S);
	if (about->command != NULL)
		asciicast_add_member(out, "command", about->command);
	if (about->title != NULL)
		asciicast_add_member(out, "title", about->title);
	w_buf_add_str(out, ",\"env\":{\"TERM\":\"xterm-256color\"}}\n");
}

static void
add_event(struct w_asciicast *cast, struct w_buf *out, const struct w_buf *text)
{
	W_AUTO_BUF struct w_buf lines;

	w_buf_init(&lines, 2 * PIECE_MAX);
	if (text->len == 0)
		return;
	for (size_t i = 0; i < text->len; i++) {
		const char c = text->data[i];

		if (c == '\n' && !cast->is_return)
			w_buf_add_char(&lines, '\r');
		w_buf_add_char(&lines, c);
		cast->is_return = c == '\r';
	}
	w_buf_add_fmt(out, "[%" PRIu64 ".%06" PRIu64 ",\"o\",",
	    cast->last_us / US_PER_S, cast->last_us % US_PER_S);
	w_json_add_string(out, lines.data, lines.len);
	w_buf_add_str(out, "]\n");
	out->failed = out->failed || lines.failed || text->failed;
}

void
w_asciicast_add(struct w_asciicast *cast, struct w_buf *out, bool is_stderr,
    uint64_t at_us, const char *bytes, size_t len)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, PIECE_MAX);
	w_lossy_utf8_add(&cast->decoders[is_stderr ? 1 : 0], &text, bytes, len);
	if (at_us > cast->last_us)
		cast->last_us = at_us;
	add_event(cast, out, &text);
}

void
w_asciicast_end(struct w_asciicast *cast, struct w_buf *out)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, PIECE_MAX);
	w_lossy_utf8_end(&cast->decoders[0], &text);
	w_lossy_utf8_end(&cast->decoders[1], &text);
	add_event(cast, out, &text);
}
