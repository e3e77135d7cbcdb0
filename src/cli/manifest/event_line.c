/* SPDX-License-Identifier: Apache-2.0 */

/*
 * One event as a line. Names and messages may hold anything, so all of it
 * passes w_printable_add().
 */

#include "cli/manifest/event_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/printable.h"

#define VERDICT_WIDTH  9 /* "refreshed" */
#define DURATION_WIDTH 7
#define ID_TEXT_MAX    ((size_t)64 << 10)
#define INDENT         "    "

#define NS_PER_MS      1000000
#define MS_PER_S       1000

static const char *const tints[] = {
    [WRIT_VERDICT_FAILED] = "31",
    [WRIT_VERDICT_UNMET] = "31",
    [WRIT_VERDICT_SKIPPED] = "2",
    [WRIT_VERDICT_REFRESHED] = "33",
    [WRIT_VERDICT_CHANGED] = "33",
    [WRIT_VERDICT_STABLE] = "32",
};

static const char *const words[] = {
    [WRIT_VERDICT_FAILED] = "failed",
    [WRIT_VERDICT_UNMET] = "skipped",
    [WRIT_VERDICT_SKIPPED] = "skipped",
    [WRIT_VERDICT_REFRESHED] = "refreshed",
    [WRIT_VERDICT_CHANGED] = "changed",
    [WRIT_VERDICT_STABLE] = "stable",
};

static void
event_line_pad(struct w_buf *buf, size_t width, size_t used)
{
	for (; used < width; used++)
		w_buf_add_char(buf, ' ');
}

static size_t
add_id(struct w_buf *buf, const char *type, const char *name, bool is_alias)
{
	size_t width = w_printable_add(buf, type, 0) + 1;

	w_buf_add_char(buf, '#');
	width += w_printable_add(buf, name, 0);
	if (!is_alias)
		return width;
	w_buf_add_str(buf, " (alias)");
	return width + 8;
}

void
w_cli_event_fit(struct w_event_style *style, const char *type, const char *name,
    bool is_alias)
{
	W_AUTO_BUF struct w_buf id;

	w_buf_init(&id, ID_TEXT_MAX);
	if (style->id_width == W_EVENT_LINE_ID_MAX)
		return;
	const size_t width = add_id(&id, type, name, is_alias);
	if (width > style->id_width)
		style->id_width =
		    width < W_EVENT_LINE_ID_MAX ? width : W_EVENT_LINE_ID_MAX;
}

void
w_cli_event_add_duration(struct w_buf *buf, uint64_t ns)
{
	const uint64_t ms = ns / NS_PER_MS;
	char text[W_DURATION_TEXT_MAX];

	if (ms < MS_PER_S) {
		w_buf_add_fmt(buf, "%" PRIu64 "ms", ms);
		return;
	}
	/* Milliseconds are of no use next to minutes. */
	w_duration_format(
	    ms < 10 * MS_PER_S ? ms / 100 * 100 : ms / MS_PER_S * MS_PER_S,
	    text);
	w_buf_add_str(buf, text);
}

static void
add_coloured(struct w_buf *buf, const struct w_event_style *style,
    const char *tint, const char *text)
{
	if (style->has_colour)
		w_buf_add_fmt(buf, "\033[%sm", tint);
	w_buf_add_str(buf, text);
	if (style->has_colour)
		w_buf_add_str(buf, "\033[0m");
}

/* The event of a command that failed has the text that other readers of events
 * know: "failed to reach desired state: exit code 2: exit code 2 not in allowed
 * returns [0 1]". Appends "exit status 2 (wanted 0, 1)" instead. false: it is
 * another text. */
static bool
add_exit_status(struct w_buf *buf, const char *text)
{
	int code = -1;
	int start = -1;

	if (sscanf(text,
		"failed to reach desired state: exit code %d: exit code %*d "
		"not in allowed returns [%n",
		&code, &start) != 1 ||
	    start < 0)
		return false;
	const char *expected = text + start;
	const size_t len = strspn(expected, "0123456789 ");
	if (strcmp(expected + len, "]") != 0)
		return false;
	w_buf_add_fmt(buf, "exit status %d (wanted ", code);
	for (size_t i = 0; i < len; i++) {
		w_buf_add_str(buf, expected[i] == ' ' ? "," : "");
		w_buf_add_char(buf, expected[i]);
	}
	w_buf_add_char(buf, ')');
	return true;
}

static void
event_line_add_list(
    struct w_buf *buf, const char *const *items, const char *between)
{
	for (size_t i = 0; items[i] != NULL; i++) {
		w_buf_add_str(buf, i > 0 ? between : "");
		if (!add_exit_status(buf, items[i]))
			(void)w_printable_add(buf, items[i], 0);
	}
}

static bool
has_items(const char *const *items)
{
	return items != NULL && items[0] != NULL;
}

/* The reason: the errors, or else what decided the outcome. */
static void
event_line_add_reason(struct w_buf *buf, const writ_event *event)
{
	const bool has_message =
	    event->noop_message != NULL && event->noop_message[0] != '\0';

	if (event->interrupted && !has_items(event->errors)) {
		w_buf_add_str(buf, "  interrupted");
	} else if (has_items(event->errors)) {
		w_buf_add_str(buf, "  ");
		event_line_add_list(buf, event->errors, "; ");
	} else if (has_items(event->unmet)) {
		w_buf_add_str(buf, "  unmet requirement ");
		event_line_add_list(buf, event->unmet, ", ");
	} else if (has_message) {
		w_buf_add_str(buf, "  ");
		(void)w_printable_add(buf, event->noop_message, 0);
	} else if (event->decided_by != NULL) {
		w_buf_add_str(buf, "  ");
		(void)w_printable_add(buf, event->decided_by, 0);
	}
}

static void
add_notes(struct w_buf *buf, const writ_event *event)
{
	static const char *const health[] = {
	    [WRIT_HEALTH_OK] = "OK",
	    [WRIT_HEALTH_WARNING] = "WARNING",
	    [WRIT_HEALTH_CRITICAL] = "CRITICAL",
	    [WRIT_HEALTH_UNKNOWN] = "UNKNOWN",
	};

	for (size_t i = 0;
	     has_items(event->warnings) && event->warnings[i] != NULL; i++) {
		w_buf_add_str(buf, INDENT "warning: ");
		(void)w_printable_add(buf, event->warnings[i], 0);
		w_buf_add_char(buf, '\n');
	}
	for (size_t i = 0; i < event->health_count; i++) {
		const writ_health_check *check = &event->health[i];

		if (check->status == WRIT_HEALTH_OK)
			continue;
		w_buf_add_str(buf, INDENT "check ");
		(void)w_printable_add(buf, check->name, 0);
		w_buf_add_fmt(buf, ": %s: ", health[check->status]);
		(void)w_printable_add(
		    buf, check->output == NULL ? "" : check->output, 0);
		w_buf_add_char(buf, '\n');
	}
}

static void
add_diff(struct w_buf *buf, const struct w_event_style *style, const char *diff)
{
	while (*diff != '\0') {
		const size_t len = strcspn(diff, "\n");
		const char *tint = diff[0] == '+'   ? "32"
				   : diff[0] == '-' ? "31"
				   : diff[0] == '@' ? "36"
						    : NULL;
		W_AUTO_BUF struct w_buf line;
		W_AUTO_BUF struct w_buf plain;

		w_buf_init(&line, ID_TEXT_MAX);
		w_buf_init(&plain, 8 * ID_TEXT_MAX);
		w_buf_add(&line, diff, len);
		(void)w_printable_add(&plain, line.data, 0);
		w_buf_add_str(buf, INDENT);
		if (tint != NULL)
			add_coloured(buf, style, tint, plain.data);
		else
			w_buf_add_str(buf, plain.data);
		w_buf_add_char(buf, '\n');
		diff += len;
		diff += *diff == '\n';
	}
}

void
w_cli_event_add(struct w_buf *buf, const struct w_event_style *style,
    const writ_event *event)
{
	const writ_verdict verdict = writ_event_verdict(event);
	const bool has_alias = event->alias != NULL && event->alias[0] != '\0';
	const size_t width = add_id(buf, event->type,
	    has_alias ? event->alias : event->name, has_alias);
	W_AUTO_BUF struct w_buf duration;

	w_buf_init(&duration, W_DURATION_TEXT_MAX);
	w_cli_event_add_duration(&duration, event->duration_ns);
	event_line_pad(buf, style->id_width, width);
	w_buf_add_str(buf, "  ");
	add_coloured(buf, style, tints[verdict], words[verdict]);
	event_line_pad(buf, VERDICT_WIDTH, strlen(words[verdict]));
	event_line_pad(buf, DURATION_WIDTH, duration.len);
	w_buf_add_str(buf, duration.data);
	event_line_add_reason(buf, event);
	w_buf_add_char(buf, '\n');
	add_notes(buf, event);
	if (style->shows_diff && event->diff != NULL)
		add_diff(buf, style, event->diff);
}
