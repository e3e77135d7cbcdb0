/* SPDX-License-Identifier: Apache-2.0 */

/* Passes output on to the watch. If memory runs out, output is lost but never a
 * secret shown. */

#include "manifest/apply/resource_output.h"

#include <inttypes.h>
#include <string.h>

#include "base/encode.h"

/* One chunk and what was held back before it. */
#define PIECE_MAX ((size_t)64 << 20)

void
w_resource_output_init(
    struct w_resource_output *resource_output, struct w_resource_step *step)
{
	*resource_output = (struct w_resource_output){.step = step};
	w_buf_init(&resource_output->lines[WRIT_STDOUT], PIECE_MAX);
	w_buf_init(&resource_output->lines[WRIT_STDERR], PIECE_MAX);
}

void
w_resource_output_done(struct w_resource_output *resource_output)
{
	for (int i = 0; i < 2; i++) {
		w_redaction_done(&resource_output->redaction[i]);
		w_buf_done(&resource_output->lines[i]);
	}
}

static void
resource_output_show(struct w_resource_step *step, writ_stream stream,
    const char *bytes, size_t len)
{
	const struct w_apply_watch *watch = step->watch;

	if (len > 0 && watch->on_output != NULL)
		watch->on_output(watch->ctx, stream, bytes, len);
}

/* Shows whole lines, keeps the rest. */
static void
show_lines(struct w_resource_output *resource_output, writ_stream stream)
{
	struct w_buf *lines = &resource_output->lines[stream];
	const char *end =
	    lines->len == 0 ? NULL : memrchr(lines->data, '\n', lines->len);
	size_t whole = end == NULL ? 0 : (size_t)(end - lines->data) + 1;

	if (lines->len - whole >= W_RESOURCE_OUTPUT_LINE_MAX)
		whole = lines->len;
	if (whole == 0)
		return;
	resource_output_show(resource_output->step, stream, lines->data, whole);
	lines->len -= whole;
	memmove(lines->data, lines->data + whole, lines->len + 1);
}

int
w_resource_output_add(
    void *ctx, writ_job *job, writ_stream stream, const char *bytes, size_t len)
{
	struct w_resource_output *resource_output = ctx;
	struct w_buf *lines = &resource_output->lines[stream];

	(void)job;
	if (resource_output->step->resource->is_sensitive)
		return 0;
	if (!w_redaction_feed(&resource_output->redaction[stream],
		&resource_output->step->secrets, bytes, len, lines))
		w_buf_done(lines);
	show_lines(resource_output, stream);
	return 0;
}

void
w_resource_output_end(struct w_resource_output *resource_output)
{
	for (int i = 0; i < 2; i++) {
		struct w_buf *lines = &resource_output->lines[i];

		w_redaction_finish(&resource_output->redaction[i],
		    &resource_output->step->secrets, lines);
		resource_output_show(resource_output->step, (writ_stream)i,
		    lines->data, lines->len);
		w_buf_done(lines);
	}
}

/* ---- kept output ---- */

/* A secret cut in two is not found by its half; so a tail that may be one is
 * dropped. */
static size_t
cut_of(
    const struct w_resource_step *step, const writ_output *output, size_t len)
{
	const size_t longest = step->secrets.longest;

	if (!output->truncated || longest == 0)
		return 0;
	return longest - 1 < len ? longest - 1 : len;
}

static void
show_stream(
    struct w_resource_step *step, writ_stream stream, const writ_output *output)
{
	const size_t cut_head = cut_of(step, output, output->head_len);
	const size_t cut_tail = cut_of(step, output, output->tail_len);
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, PIECE_MAX);
	w_secrets_redact(
	    &step->secrets, &text, output->head, output->head_len - cut_head);
	if (output->truncated) {
		w_buf_add_fmt(&text, "\n[%" PRIu64 " bytes left out]\n",
		    output->bytes - output->head_len - output->tail_len +
			cut_head + cut_tail);
		w_secrets_redact(&step->secrets, &text, output->tail + cut_tail,
		    output->tail_len - cut_tail);
	}
	if (!text.failed)
		resource_output_show(step, stream, text.data, text.len);
}

void
w_resource_output_show_kept(
    struct w_resource_step *step, const writ_result *result)
{
	if (step->resource->is_sensitive)
		return;
	show_stream(step, WRIT_STDOUT, &result->out[WRIT_STDOUT]);
	show_stream(step, WRIT_STDERR, &result->out[WRIT_STDERR]);
}

void
w_resource_output_show_last(struct w_resource_step *step, writ_stream stream,
    const char *text, size_t len)
{
	size_t at = len;

	if (at > 0 && text[at - 1] == '\n')
		at--;
	for (size_t lines = 0; at > 0; at--) {
		if (text[at - 1] == '\n' && ++lines == W_RESOURCE_OUTPUT_LAST)
			break;
	}
	resource_output_show(step, stream, text + at, len - at);
}

void
w_resource_output_add_tail(struct w_buf *buf, struct w_resource_step *step,
    const writ_output *output, size_t max)
{
	const bool has_tail = output->truncated;
	const char *from = has_tail ? output->tail : output->head;
	const size_t len = has_tail ? output->tail_len : output->head_len;
	const size_t cut = cut_of(step, output, len);
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, PIECE_MAX);
	w_secrets_redact(&step->secrets, &text, from + cut, len - cut);
	if (text.failed)
		return;
	size_t skip = text.len > max ? text.len - max : 0;
	if (skip > 0)
		skip += w_utf8_trim_start(text.data + skip, text.len - skip);
	w_buf_add(buf, text.data + skip, text.len - skip);
}
