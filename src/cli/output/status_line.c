/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The status line. The terminal is not examined, not even with isatty(),
 * before a run has lasted FIRST_MS: short runs pay nothing.
 */

#include "cli/output/status_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/duration.h"
#include "cli/output/print.h"

#define FIRST_MS  2000 /* shorter runs have no status line */
#define RENEW_MS  1000
#define SILENT_MS 1000 /* no line this soon after output */

#define NEVER     UINT64_MAX

static const char wipe[] = "\r\033[K";

static uint64_t
status_line_now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Whether the locale is UTF-8, by the variables that setlocale() reads. */
static bool
has_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);

		if (value == NULL || value[0] == '\0')
			continue;
		return strcasestr(value, "utf-8") != NULL ||
		       strcasestr(value, "utf8") != NULL;
	}
	return false;
}

static void
status_line_examine(struct w_status_line *line)
{
	const char *term = getenv("TERM");

	line->is_examined = true;
	w_writer_inspect(line->writer);
	if (!line->writer->is_tty || term == NULL ||
	    strcmp(term, "dumb") == 0) {
		line->next_ms = NEVER;
		return;
	}
	line->has_colour = w_print_has_colour(STDERR_FILENO);
}

static void
status_line_show(struct w_status_line *line, uint64_t now)
{
	const char *dot = has_utf8() ? "\xc2\xb7" : "-";
	char elapsed[W_DURATION_TEXT_MAX];
	char limit[W_DURATION_TEXT_MAX];
	char text[160];
	char whole[200];
	struct winsize size;

	w_duration_format((now - line->start_ms) / 1000 * 1000, elapsed);
	w_duration_format(line->timeout_ms, limit);
	int len = snprintf(text, sizeof(text), "%s %s%s%s%s%s %s %s",
	    line->verb, elapsed, line->timeout_ms > 0 ? " " : "",
	    line->timeout_ms > 0 ? dot : "",
	    line->timeout_ms > 0 ? " timeout " : "",
	    line->timeout_ms > 0 ? limit : "", dot, line->advice);

	/* A line that wraps cannot be wiped. Bytes are at least columns, so
	 * counting them is safe. */
	if (len < 0 || ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 ||
	    len >= size.ws_col)
		return;
	len = snprintf(whole, sizeof(whole), "%s%s%s%s", wipe,
	    line->has_colour ? "\033[2m" : "", text,
	    line->has_colour ? "\033[0m" : "");
	if (len > 0 && (size_t)len < sizeof(whole))
		line->is_shown =
		    w_writer_write(line->writer, whole, (size_t)len) > 0;
}

static void
wipe_line(struct w_status_line *line)
{
	if (line->is_shown)
		(void)w_writer_write(line->writer, wipe, sizeof(wipe) - 1);
	line->is_shown = false;
}

void
w_status_line_init(struct w_status_line *line, struct w_writer *writer,
    uint64_t timeout_ms, bool is_wanted)
{
	*line = (struct w_status_line){
	    .writer = writer,
	    .verb = "running",
	    .advice = "Ctrl-C stops it",
	    .timeout_ms = timeout_ms,
	    .start_ms = status_line_now_ms(),
	};
	line->next_ms = is_wanted ? line->start_ms + FIRST_MS : NEVER;
}

int
w_status_line_wait_ms(const struct w_status_line *line)
{
	if (line->next_ms == NEVER)
		return -1;

	uint64_t now = status_line_now_ms();
	return now >= line->next_ms ? 0 : (int)(line->next_ms - now);
}

void
w_status_line_tick(struct w_status_line *line)
{
	if (line->next_ms == NEVER)
		return;

	uint64_t now = status_line_now_ms();
	if (now < line->next_ms)
		return;
	if (!line->is_examined)
		status_line_examine(line);
	if (line->next_ms == NEVER)
		return;
	/* A background job must not write into the foreground job's output. */
	if (!line->is_mid_line && now - line->output_ms >= SILENT_MS &&
	    !w_writer_has_pending(line->writer) &&
	    tcgetpgrp(STDERR_FILENO) == getpgrp())
		status_line_show(line, now);
	line->next_ms = now + RENEW_MS;
}

void
w_status_line_yield(
    struct w_status_line *line, bool is_tty, const char *bytes, size_t len)
{
	if (line->next_ms == NEVER)
		return;
	wipe_line(line);
	line->output_ms = status_line_now_ms();
	if (is_tty && len > 0)
		line->is_mid_line = bytes[len - 1] != '\n';
}

void
w_status_line_done(struct w_status_line *line)
{
	wipe_line(line);
	line->next_ms = NEVER;
}
