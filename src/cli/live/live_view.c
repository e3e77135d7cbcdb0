/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The window of `writ watch` as lines.
 */

#include "cli/live/live_view.h"

#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "cli/approval/question_dialog.h"
#include "cli/output/line_wrap.h"

#define LINE_MAX_BYTES ((size_t)64 << 10)
#define TEXT_MAX_BYTES ((size_t)64 << 20)

/* The columns of the list. */
#define STATE_COLUMNS 10
#define AGE_COLUMNS   7
#define AGENT_COLUMNS 10
#define WALLS_COLUMNS 10
#define WALLS_FROM    72 /* a narrower window has no such column */

/* Lines of the chosen one above its output. */
#define COMMAND_LINES  2
#define DENIAL_LINES   3
#define DENIAL_WRAPPED 2
#define WHOLE_FACTOR   4 /* so many times more in the whole window */

/* Title, headings and keys. */
#define FRAME_LINES   3
#define WHOLE_FRAME   2
#define LIST_LINES    4
#define PANE_LINES    4
#define AGE_MAX_BYTES 32
#define MS_PER_S      UINT64_C(1000)
#define S_PER_MIN     UINT64_C(60)
#define S_PER_H       UINT64_C(3600)
#define S_PER_DAY     UINT64_C(86400)

/* ---- the list ---- */

size_t
w_live_view_count(const struct w_live_view *view)
{
	return view->questions->count + view->feed->runs.count +
	       view->feed->runs.ended_count;
}

static const struct w_live_run *
run_at(const struct w_live_view *view, size_t at)
{
	const struct w_live_runs *runs = &view->feed->runs;

	if (at < view->questions->count)
		return NULL;
	at -= view->questions->count;
	return at < runs->count ? runs->running[at]
				: runs->ended[at - runs->count];
}

const char *
w_live_view_id(const struct w_live_view *view, size_t at)
{
	return at < view->questions->count ? view->questions->items[at].id
					   : run_at(view, at)->id;
}

size_t
w_live_view_find(const struct w_live_view *view)
{
	const size_t count = w_live_view_count(view);
	size_t at = 0;

	while (
	    at < count && strcmp(w_live_view_id(view, at), view->chosen) != 0)
		at++;
	return at;
}

/* ---- lines ---- */

static bool
live_view_add(struct w_words *lines, const struct w_buf *line)
{
	return !line->failed && w_words_add(lines, line->data, line->len);
}

/* Adds a printable text as one line that is cut to the window. */
static bool
add_line(const struct w_live_view *view, struct w_words *lines,
    const char *text, const char *colour)
{
	const bool is_coloured = view->has_colour && colour != NULL;
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, LINE_MAX_BYTES);
	if (is_coloured)
		w_buf_add_fmt(&line, "\033[%sm", colour);
	(void)w_wrap_add_cut(&line, text, view->columns);
	w_buf_add_str(&line, is_coloured ? "\033[0m" : "");
	return live_view_add(lines, &line);
}

static void
add_cell(struct w_buf *line, const char *text, size_t columns)
{
	size_t at = w_printable_add(
	    line, text == NULL || *text == '\0' ? "-" : text, columns);

	for (; at <= columns; at++)
		w_buf_add_char(line, ' ');
}

static void
format_age(uint64_t ms, char out[AGE_MAX_BYTES])
{
	const uint64_t s = ms / MS_PER_S;
	const unsigned long long big = s >= S_PER_DAY   ? s / S_PER_DAY
				       : s >= S_PER_H   ? s / S_PER_H
				       : s >= S_PER_MIN ? s / S_PER_MIN
							: s;

	if (s >= S_PER_DAY)
		(void)snprintf(out, AGE_MAX_BYTES, "%llud%lluh", big,
		    (unsigned long long)(s % S_PER_DAY / S_PER_H));
	else if (s >= S_PER_H)
		(void)snprintf(out, AGE_MAX_BYTES, "%lluh%02llum", big,
		    (unsigned long long)(s % S_PER_H / S_PER_MIN));
	else if (s >= S_PER_MIN)
		(void)snprintf(out, AGE_MAX_BYTES, "%llum%02llus", big,
		    (unsigned long long)(s % S_PER_MIN));
	else if (s > 0 || ms == 0)
		(void)snprintf(out, AGE_MAX_BYTES, "%llus", big);
	else
		(void)snprintf(
		    out, AGE_MAX_BYTES, "%llums", (unsigned long long)ms);
}

/* How long a run takes or took. */
static void
format_run_age(const struct w_live_run *run, char out[AGE_MAX_BYTES])
{
	const uint64_t now_ms = w_question_now_ms();
	const uint64_t begin_ms = run->begin_us / MS_PER_S;

	if (run->state == WRIT_RUN_REFUSED || run->state == WRIT_RUN_LOST)
		(void)snprintf(out, AGE_MAX_BYTES, "-");
	else if (run->state == WRIT_RUN_ENDED)
		format_age(run->duration_ms, out);
	else /* in whole seconds, or the screen never rests */
		format_age(now_ms > begin_ms
			       ? (now_ms - begin_ms) / MS_PER_S * MS_PER_S
			       : 0,
		    out);
}

static const char *
colour_of(const struct w_live_run *run)
{
	if (!w_live_run_is_over(run))
		return "32";
	return run->state != WRIT_RUN_ENDED || run->exit_code != 0 ? "31"
								   : NULL;
}

/* The command is cut by the line. */
static bool
add_row(const struct w_live_view *view, struct w_words *lines, size_t at)
{
	const struct w_live_run *run = run_at(view, at);
	const struct w_live_question *question =
	    run == NULL ? &view->questions->items[at] : NULL;
	const bool is_chosen =
	    strcmp(w_live_view_id(view, at), view->chosen) == 0;
	const uint64_t now_ms = w_question_now_ms();
	char age[AGE_MAX_BYTES];
	W_AUTO_BUF struct w_buf state;
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&state, LINE_MAX_BYTES);
	w_buf_init(&line, TEXT_MAX_BYTES);
	if (run != NULL) {
		w_live_run_add_state(&state, run);
		format_run_age(run, age);
	} else {
		w_buf_add_str(&state, "asks");
		format_age(question->expires_ms > now_ms
			       ? question->expires_ms - now_ms
			       : 0,
		    age);
	}
	w_buf_add_str(&line, is_chosen ? "> " : "  ");
	add_cell(&line, state.data, STATE_COLUMNS);
	add_cell(&line, age, AGE_COLUMNS);
	add_cell(
	    &line, run != NULL ? run->agent : question->agent, AGENT_COLUMNS);
	if (view->columns >= WALLS_FROM)
		add_cell(
		    &line, run != NULL ? run->sandbox : NULL, WALLS_COLUMNS);
	if (run == NULL)
		w_buf_add_str(&line, question->command);
	else
		(void)w_printable_add(&line,
		    run->command == NULL ? "-" : run->command, view->columns);
	return !line.failed && add_line(view, lines, line.data,
				   is_chosen     ? "1"
				   : run == NULL ? "33"
						 : colour_of(run));
}

static bool
add_title(const struct w_live_view *view, struct w_words *lines)
{
	const size_t asking = view->questions->count;
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, LINE_MAX_BYTES);
	w_buf_add_fmt(&line, "writ watch: %zu running", view->feed->runs.count);
	if (asking > 0)
		w_buf_add_fmt(&line, ", %zu question%s", asking,
		    asking == 1 ? " waits" : "s wait");
	if (view->feed->agent != NULL) {
		w_buf_add_str(&line, ", agent ");
		(void)w_printable_add(&line, view->feed->agent, AGENT_COLUMNS);
	}
	return add_line(view, lines, line.data, asking > 0 ? "1;33" : "1");
}

static bool
add_headings(const struct w_live_view *view, struct w_words *lines)
{
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, LINE_MAX_BYTES);
	w_buf_add_str(&line, "  ");
	add_cell(&line, "STATE", STATE_COLUMNS);
	add_cell(&line, "TIME", AGE_COLUMNS);
	add_cell(&line, "AGENT", AGENT_COLUMNS);
	if (view->columns >= WALLS_FROM)
		add_cell(&line, "WALLS", WALLS_COLUMNS);
	w_buf_add_str(&line, "COMMAND");
	return add_line(view, lines, line.data, "2");
}

/* The part of the list around the chosen one. */
static bool
add_list(const struct w_live_view *view, struct w_words *lines, size_t most)
{
	const size_t count = w_live_view_count(view);
	const size_t chosen = w_live_view_find(view);
	size_t from =
	    chosen < count && chosen > most / 2 ? chosen - most / 2 : 0;

	if (count <= most)
		from = 0;
	else if (from + most > count)
		from = count - most;
	for (size_t at = from; at < count && at < from + most; at++) {
		if (!add_row(view, lines, at))
			return false;
	}
	return count > 0 ||
	       add_line(view, lines, "  nothing has run here yet", NULL);
}

/* ---- the chosen one ---- */

/* Adds a text as wrapped lines, at most so many. */
static bool
live_view_add_text(const struct w_live_view *view, struct w_words *lines,
    const char *text, const char *colour, size_t most)
{
	W_AUTO_WORDS struct w_words wrapped = {.items = NULL};

	if (!w_wrap_lines(&wrapped, text, "", "    ", view->columns))
		return false;
	for (size_t i = 0; i < wrapped.count && i < most; i++) {
		if (!add_line(view, lines, wrapped.items[i], colour))
			return false;
	}
	if (wrapped.count <= most)
		return true;
	return add_line(view, lines, "    ...", NULL);
}

static bool
add_about(const struct w_live_view *view, struct w_words *lines,
    const struct w_live_run *run)
{
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, LINE_MAX_BYTES);
	w_buf_add_str(&line, "walls: ");
	(void)w_printable_add(
	    &line, run->sandbox == NULL ? "-" : run->sandbox, 0);
	if (run->network != NULL) {
		w_buf_add_str(&line, ", network ");
		(void)w_printable_add(&line, run->network, 0);
	}
	if (run->door != NULL) {
		w_buf_add_str(&line, "; by ");
		(void)w_printable_add(&line, run->door, 0);
		w_buf_add_fmt(&line, ", process %d", run->pid);
	}
	w_buf_add_str(&line, "; in ");
	(void)w_printable_add(&line, run->cwd == NULL ? "-" : run->cwd, 0);
	return !line.failed && add_line(view, lines, line.data, "2");
}

static bool
add_denials(const struct w_live_view *view, struct w_words *lines,
    const struct w_live_run *run, size_t most)
{
	W_AUTO_BUF struct w_buf text;
	size_t count = 0;

	w_buf_init(&text, TEXT_MAX_BYTES);
	w_live_run_add_denials(&text, run);
	if (text.failed)
		return false;
	for (char *at = text.data; *at != '\0'; count++) {
		char *end = strchr(at, '\n');

		*end = '\0';
		if (count < most &&
		    !live_view_add_text(view, lines, at, "31", DENIAL_WRAPPED))
			return false;
		at = end + 1;
	}
	if (count <= most)
		return true;
	text.len = 0;
	w_buf_add_fmt(&text, "refused: %zu more", count - most);
	return add_line(view, lines, text.data, "31");
}

static bool
add_command(const struct w_live_view *view, struct w_words *lines,
    const struct w_live_run *run, size_t most)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX_BYTES);
	w_buf_add_str(&text, "$ ");
	/* A long command is cut before it is wrapped. */
	(void)w_printable_add(&text, run->command == NULL ? "-" : run->command,
	    view->columns * (most + 1));
	return !text.failed &&
	       live_view_add_text(view, lines, text.data, NULL, most);
}

static bool
add_output(const struct w_live_view *view, struct w_words *lines, size_t room)
{
	const size_t count = w_live_output_count(view->output);
	const size_t end = view->back < count ? count - view->back : 0;

	for (size_t at = end > room ? end - room : 0; at < end; at++) {
		W_AUTO_BUF struct w_buf line;

		w_buf_init(&line, LINE_MAX_BYTES);
		(void)w_live_output_cut(&line,
		    w_live_output_line(view->output, at), view->columns,
		    view->has_colour);
		if (!live_view_add(lines, &line))
			return false;
	}
	return true;
}

static bool
add_run(const struct w_live_view *view, struct w_words *lines,
    const struct w_live_run *run, size_t room)
{
	const size_t factor = view->is_whole ? WHOLE_FACTOR : 1;
	W_AUTO_WORDS struct w_words about = {.items = NULL};
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, LINE_MAX_BYTES);
	w_buf_add_fmt(&line, "-- %s ", run->id);
	w_live_run_add_state(&line, run);
	w_buf_add_str(&line, " --");
	if (line.failed || !add_line(view, &about, line.data, "1") ||
	    !add_command(view, &about, run, COMMAND_LINES * factor) ||
	    !add_about(view, &about, run) ||
	    !add_denials(view, &about, run, DENIAL_LINES * factor))
		return false;
	for (size_t i = 0; i < about.count && i < room; i++) {
		if (!w_words_add(lines, about.items[i], strlen(about.items[i])))
			return false;
	}
	return about.count >= room ||
	       add_output(view, lines, room - about.count);
}

static bool
add_question(const struct w_live_view *view, struct w_words *lines,
    const struct w_live_question *question, size_t room)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX_BYTES);
	w_buf_add_fmt(&text, "-- approval %s --", question->id);
	if (!add_line(view, lines, text.data, "1") ||
	    !add_line(view, lines,
		"Enter shows the whole question and the keys that answer it",
		NULL))
		return false;
	text.len = 0;
	w_buf_add_str(&text, "$ ");
	w_buf_add_str(&text, question->command);
	return !text.failed && (room <= 3 || live_view_add_text(view, lines,
						 text.data, NULL, room - 3));
}

static bool
add_pane(const struct w_live_view *view, struct w_words *lines, size_t room)
{
	const size_t at = w_live_view_find(view);

	if (at == w_live_view_count(view) || room == 0)
		return true;
	const struct w_live_run *run = run_at(view, at);
	return run != NULL ? add_run(view, lines, run, room)
			   : add_question(view, lines,
				 &view->questions->items[at], room);
}

/* ---- the window ---- */

static size_t
body_lines(const struct w_live_view *view)
{
	const size_t frame =
	    (size_t)(view->is_whole ? WHOLE_FRAME : FRAME_LINES) +
	    (view->notice != NULL);

	return view->rows > frame ? view->rows - frame : 1;
}

size_t
w_live_view_page(const struct w_live_view *view)
{
	return body_lines(view);
}

static bool
add_keys(const struct w_live_view *view, struct w_words *lines)
{
	const char *keys =
	    view->is_whole
		? "j/k scroll  Esc back  x end it  w question  q quit"
		: "j/k choose  Enter open  w question  x end it  q quit";

	if (view->notice != NULL) {
		W_AUTO_BUF struct w_buf notice;

		w_buf_init(&notice, LINE_MAX_BYTES);
		(void)w_printable_add(&notice, view->notice, view->columns);
		if (!add_line(view, lines, notice.data, "33"))
			return false;
	}
	return view->prompt != NULL
		   ? add_line(view, lines, view->prompt, "1;33")
		   : add_line(view, lines, keys, "2");
}

bool
w_live_view_lines(const struct w_live_view *view, struct w_words *lines)
{
	const size_t body = body_lines(view);
	const size_t count = w_live_view_count(view);
	size_t list = count > LIST_LINES ? count : LIST_LINES;

	if (!add_title(view, lines))
		return false;
	if (view->is_whole) {
		if (!add_pane(view, lines, body))
			return false;
	} else {
		/* Half for the list, unless one needs less. */
		if (body < LIST_LINES + PANE_LINES)
			list = body > PANE_LINES ? body - PANE_LINES : 1;
		else if (list > body / 2)
			list = body / 2;
		if (!add_headings(view, lines) || !add_list(view, lines, list))
			return false;
		while (lines->count < FRAME_LINES - 1 + list) {
			if (!w_words_add(lines, "", 0))
				return false;
		}
		if (!add_pane(view, lines, body - list))
			return false;
	}
	while (lines->count + 1 + (view->notice != NULL) < view->rows) {
		if (!w_words_add(lines, "", 0))
			return false;
	}
	return add_keys(view, lines);
}
