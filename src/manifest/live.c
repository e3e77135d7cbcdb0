/* SPDX-License-Identifier: Apache-2.0 */

/* Output on its way to whoever watches. Memory that runs out loses output
 * and never shows a secret. */

#include "manifest/live.h"

#include <inttypes.h>
#include <string.h>

#include "base/encode.h"

/* Of one piece and all that was held back for a secret. */
#define PIECE_MAX ((size_t)64 << 20)

void
w_live_init(struct w_live *live, struct w_turn *turn)
{
	*live = (struct w_live){.turn = turn};
	w_buf_init(&live->lines[WRIT_STDOUT], PIECE_MAX);
	w_buf_init(&live->lines[WRIT_STDERR], PIECE_MAX);
}

void
w_live_done(struct w_live *live)
{
	for (int i = 0; i < 2; i++) {
		w_hiding_done(&live->hiding[i]);
		w_buf_done(&live->lines[i]);
	}
}

static void
show(struct w_turn *turn, writ_stream stream, const char *bytes, size_t len)
{
	const struct w_apply_watch *watch = turn->watch;

	if (len > 0 && watch->on_output != NULL)
		watch->on_output(
		    watch->ctx, turn->resource, stream, bytes, len);
}

/* Shows the whole lines, and keeps what follows them. */
static void
show_lines(struct w_live *live, writ_stream stream)
{
	struct w_buf *lines = &live->lines[stream];
	const char *end =
	    lines->len == 0 ? NULL : memrchr(lines->data, '\n', lines->len);
	size_t whole = end == NULL ? 0 : (size_t)(end - lines->data) + 1;

	if (lines->len - whole >= W_LIVE_LINE_MAX)
		whole = lines->len;
	if (whole == 0)
		return;
	show(live->turn, stream, lines->data, whole);
	lines->len -= whole;
	memmove(lines->data, lines->data + whole, lines->len + 1);
}

int
w_live_take(
    void *ctx, writ_job *job, writ_stream stream, const char *bytes, size_t len)
{
	struct w_live *live = ctx;
	struct w_buf *lines = &live->lines[stream];

	(void)job;
	if (live->turn->resource->is_sensitive)
		return 0;
	if (!w_hiding_take(
		&live->hiding[stream], &live->turn->secrets, bytes, len, lines))
		w_buf_done(lines);
	show_lines(live, stream);
	return 0;
}

void
w_live_end(struct w_live *live)
{
	for (int i = 0; i < 2; i++) {
		struct w_buf *lines = &live->lines[i];

		w_hiding_end(&live->hiding[i], &live->turn->secrets, lines);
		show(live->turn, (writ_stream)i, lines->data, lines->len);
		w_buf_done(lines);
	}
}

/* ---- what was kept ---- */

/* A secret that was cut in two is not found by its half; so what may be one
 * goes. */
static size_t
cut_of(const struct w_turn *turn, const writ_output *output, size_t len)
{
	const size_t longest = turn->secrets.longest;

	if (!output->truncated || longest == 0)
		return 0;
	return longest - 1 < len ? longest - 1 : len;
}

static void
show_stream(struct w_turn *turn, writ_stream stream, const writ_output *output)
{
	const size_t cut_head = cut_of(turn, output, output->head_len);
	const size_t cut_tail = cut_of(turn, output, output->tail_len);
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, PIECE_MAX);
	w_secrets_hide(
	    &turn->secrets, &text, output->head, output->head_len - cut_head);
	if (output->truncated) {
		w_buf_add_fmt(&text, "\n[%" PRIu64 " bytes left out]\n",
		    output->bytes - output->head_len - output->tail_len +
			cut_head + cut_tail);
		w_secrets_hide(&turn->secrets, &text, output->tail + cut_tail,
		    output->tail_len - cut_tail);
	}
	if (!text.failed)
		show(turn, stream, text.data, text.len);
}

void
w_live_show_kept(struct w_turn *turn, const writ_result *result)
{
	if (turn->resource->is_sensitive)
		return;
	show_stream(turn, WRIT_STDOUT, &result->out[WRIT_STDOUT]);
	show_stream(turn, WRIT_STDERR, &result->out[WRIT_STDERR]);
}

void
w_live_add_tail(struct w_buf *buf, struct w_turn *turn,
    const writ_output *output, size_t max)
{
	const bool has_tail = output->truncated;
	const char *from = has_tail ? output->tail : output->head;
	const size_t len = has_tail ? output->tail_len : output->head_len;
	const size_t cut = cut_of(turn, output, len);
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, PIECE_MAX);
	w_secrets_hide(&turn->secrets, &text, from + cut, len - cut);
	if (text.failed)
		return;
	size_t skip = text.len > max ? text.len - max : 0;
	if (skip > 0)
		skip += w_utf8_trim_start(text.data + skip, text.len - skip);
	w_buf_add(buf, text.data + skip, text.len - skip);
}
