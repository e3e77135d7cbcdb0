/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The progress bar. The terminal is not queried before the bar is drawn, so
 * that a short apply costs nothing.
 */

#include "cli/manifest/progress_bar.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/duration.h"
#include "base/printable.h"
#include "cli/output/print.h"

#define FIRST_MS          1000
#define RENEW_MS          200
#define NEVER             UINT64_MAX

#define CELLS             20 /* of the bar */
#define PROGRESS_LINE_MAX 4096
#define NAME_MIN          8 /* columns below which the name is omitted */

static const char wipe[] = "\r\033[K";

void
w_progress_init(struct w_progress *progress, size_t total, bool is_wanted)
{
	*progress = (struct w_progress){.total = total, .next_ms = NEVER};
	w_writer_init(&progress->writer, STDERR_FILENO);
	if (is_wanted)
		progress->next_ms = 0;
}

void
w_progress_done(struct w_progress *progress)
{
	(void)w_progress_wipe(progress);
	w_writer_done(&progress->writer);
	progress->next_ms = NEVER;
}

void
w_progress_at(struct w_progress *progress, const char *type, const char *name)
{
	progress->type = type;
	progress->name = name;
}

void
w_progress_add(struct w_buf *buf, const struct w_progress *progress,
    uint64_t elapsed_ms, size_t columns)
{
	char elapsed[W_DURATION_TEXT_MAX];
	const size_t full =
	    progress->total == 0 ? 0 : progress->done * CELLS / progress->total;
	const size_t start = buf->len;

	w_duration_format(elapsed_ms / 1000 * 1000, elapsed);
	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < CELLS; i++)
		w_buf_add_char(buf, i < full ? '#' : '.');
	w_buf_add_fmt(buf, "] %zu/%zu", progress->done, progress->total);

	/* Blanks on both sides of the name. The last column stays free, since a
	 * line that wraps cannot be wiped. */
	const size_t used = buf->len - start + strlen(elapsed) + 5;
	if (progress->name != NULL && columns >= used + NAME_MIN) {
		const size_t left = columns - used - strlen(progress->type) - 1;

		w_buf_add_fmt(buf, "  %s#", progress->type);
		(void)w_printable_add(buf, progress->name, left);
	}
	w_buf_add_fmt(buf, "  %s", elapsed);
}

/* A background job must not write into another program's line. */
static void
draw(struct w_progress *progress, uint64_t now_ms)
{
	const size_t columns = w_printable_terminal_columns(STDERR_FILENO);
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, PROGRESS_LINE_MAX);
	if (columns < CELLS * 2 || w_writer_has_pending(&progress->writer) ||
	    tcgetpgrp(STDERR_FILENO) != getpgrp())
		return;
	w_buf_add_str(&line, wipe);
	w_buf_add_str(&line, progress->has_colour ? "\033[2m" : "");
	w_progress_add(&line, progress, now_ms - progress->start_ms, columns);
	w_buf_add_str(&line, progress->has_colour ? "\033[0m" : "");
	if (!line.failed &&
	    w_writer_write(&progress->writer, line.data, line.len) > 0)
		progress->is_shown = true;
}

static void
progress_bar_inspect(struct w_progress *progress)
{
	const char *term = getenv("TERM");

	progress->is_looked_at = true;
	w_writer_inspect(&progress->writer);
	if (!progress->writer.is_tty || term == NULL ||
	    strcmp(term, "dumb") == 0)
		progress->next_ms = NEVER;
	progress->has_colour = w_print_has_colour(STDERR_FILENO);
}

void
w_progress_tick(struct w_progress *progress, uint64_t now_ms)
{
	if (progress->next_ms == NEVER || now_ms < progress->next_ms)
		return;
	if (progress->start_ms == 0) {
		progress->start_ms = now_ms;
		progress->next_ms = now_ms + FIRST_MS;
		return;
	}
	if (!progress->is_looked_at)
		progress_bar_inspect(progress);
	if (progress->next_ms == NEVER)
		return;
	draw(progress, now_ms);
	progress->next_ms = now_ms + RENEW_MS;
}

void
w_progress_redraw(struct w_progress *progress, uint64_t now_ms)
{
	if (progress->next_ms == NEVER || progress->is_shown)
		return;
	draw(progress, now_ms);
	progress->next_ms = now_ms + RENEW_MS;
}

bool
w_progress_wipe(struct w_progress *progress)
{
	const bool was_shown = progress->is_shown;

	if (was_shown)
		(void)w_writer_write(&progress->writer, wipe, sizeof(wipe) - 1);
	progress->is_shown = false;
	return was_shown;
}
