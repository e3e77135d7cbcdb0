/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Lays out a question in few lines.
 *
 * Each row gets one line. The command gets what is left, and what the command
 * does not need goes to rows that are longer than a line.
 */

#include "cli/approval/question_brief.h"

#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "base/duration.h"
#include "cli/approval/question.h"
#include "cli/output/line_wrap.h"

#define LINE_MAX_BYTES ((size_t)64 << 10)
#define TEXT_MAX       W_QUESTION_PAGE_MAX
#define MINUTE_MS      UINT64_C(60000)
#define STEP_MS        UINT64_C(10000)
#define COMMAND_MIN    3 /* lines of a command that is cut */

struct brief_row {
	struct w_words lines; /* wrapped */
	size_t given;         /* how many of them are shown */
};

struct brief_layout {
	const struct w_question_brief *brief;
	struct brief_row rows[W_QUESTION_ROWS];
	struct w_words command;
	size_t command_given;
	bool is_whole;
};

static const struct brief_label {
	const char *first;
	bool matters; /* for a yes, all of it has to be seen */
} labels[W_QUESTION_ROWS] = {
    [W_QUESTION_WHO] = {"  who    ", false},
    [W_QUESTION_WHERE] = {"  where  ", true},
    [W_QUESTION_WHY] = {"  why    ", false},
    [W_QUESTION_GETS] = {"  gets   ", true},
    [W_QUESTION_WITH] = {"  with   ", true},
    [W_QUESTION_RULE] = {"  rule   ", false},
};

/* What a terminal of few lines does without first. */
static const int dispensable[] = {W_QUESTION_WHO, W_QUESTION_RULE,
    W_QUESTION_WHY, W_QUESTION_WITH, W_QUESTION_GETS, W_QUESTION_WHERE};

#define REST "         "

/* ---- the texts ---- */

static bool
wrap_rows(struct brief_layout *layout)
{
	for (int i = 0; i < W_QUESTION_ROWS; i++) {
		struct brief_row *row = &layout->rows[i];
		W_AUTO_BUF struct w_buf text;

		w_buf_init(&text, TEXT_MAX);
		if (!w_question_add_row(layout->brief, i, &text))
			layout->is_whole = false;
		if (text.failed)
			return false;
		if (text.len > 0 &&
		    !w_wrap_lines(&row->lines, text.data, labels[i].first, REST,
			layout->brief->columns))
			return false;
		row->given = row->lines.count > 0 ? 1 : 0;
	}
	return true;
}

static bool
wrap_command(struct brief_layout *layout)
{
	W_AUTO_WORDS struct w_words lines = {.items = NULL};
	bool is_shell = false;

	if (!w_question_command_lines(
		layout->brief->question, &lines, &is_shell))
		return false;
	for (size_t i = 0; i < lines.count; i++) {
		if (!w_wrap_lines(&layout->command, lines.items[i],
			!is_shell ? "  "
			: i == 0  ? "  $ "
				  : "  > ",
			"    ", layout->brief->columns))
			return false;
	}
	return true;
}

/* ---- the room ---- */

static size_t
count_given(const struct brief_layout *layout)
{
	size_t count = 1; /* the heading */

	for (int i = 0; i < W_QUESTION_ROWS; i++)
		count += layout->rows[i].given;
	return count;
}

static void
share_room(struct brief_layout *layout)
{
	const size_t most = layout->brief->lines_max;
	const size_t wanted = layout->command.count < COMMAND_MIN
				  ? layout->command.count
				  : COMMAND_MIN;

	for (int i = 0; i < W_QUESTION_ROWS; i++) {
		if (count_given(layout) + wanted > most)
			layout->rows[dispensable[i]].given = 0;
	}
	/* The rule matters to who wants to remember it; the command to all. */
	if (count_given(layout) + layout->command.count > most)
		layout->rows[W_QUESTION_RULE].given = 0;
	size_t left =
	    most > count_given(layout) ? most - count_given(layout) : wanted;
	layout->command_given =
	    layout->command.count < left ? layout->command.count : left;
	left -= layout->command_given;
	for (int i = 0; i < W_QUESTION_ROWS; i++) {
		struct brief_row *row = &layout->rows[i];

		while (left > 0 && row->given > 0 &&
		       row->given < row->lines.count) {
			row->given++;
			left--;
		}
		if (row->given < row->lines.count && labels[i].matters)
			layout->is_whole = false;
	}
	if (layout->command_given < layout->command.count)
		layout->is_whole = false;
}

/* ---- the lines ---- */

static bool
brief_put(struct w_words *lines, const struct w_buf *line)
{
	return !line->failed && w_words_add(lines, line->data, line->len);
}

/* Coarse, so that the lines are not drawn anew each second. */
static void
add_coarse_left(struct w_buf *line, const struct w_question_brief *brief)
{
	const uint64_t end = w_question_number(brief->question, "/expires_at");
	const uint64_t left = end > brief->now_ms ? end - brief->now_ms : 0;
	const uint64_t step = left > MINUTE_MS ? MINUTE_MS : STEP_MS;
	char text[W_DURATION_TEXT_MAX];

	w_duration_format((left + step - 1) / step * step, text);
	w_buf_add_fmt(line, ", %s left", text);
}

static bool
put_heading(const struct w_question_brief *brief, struct w_words *lines)
{
	const char *id = w_question_text(brief->question, "/id");
	W_AUTO_BUF struct w_buf line;
	W_AUTO_BUF struct w_buf cut;

	w_buf_init(&line, LINE_MAX_BYTES);
	w_buf_init(&cut, LINE_MAX_BYTES);
	w_buf_add_fmt(&line, "writ: approval %.64s", id == NULL ? "-" : id);
	if (brief->waiting > 1 && brief->position > 0)
		w_buf_add_fmt(&line, ", %zu of %zu waiting", brief->position,
		    brief->waiting);
	else
		w_buf_add_str(&line, " is needed");
	add_coarse_left(&line, brief);
	(void)w_wrap_add_cut(&cut, line.data, brief->columns);
	return brief_put(lines, &cut);
}

static bool
put_row(const struct brief_layout *layout, const struct brief_row *row,
    struct w_words *lines)
{
	for (size_t i = 0; i < row->given; i++) {
		const bool is_cut =
		    i + 1 == row->given && row->given < row->lines.count;
		W_AUTO_BUF struct w_buf line;

		w_buf_init(&line, LINE_MAX_BYTES);
		if (!w_wrap_add_cut(&line, row->lines.items[i],
			layout->brief->columns - (is_cut ? 1 : 0)) &&
		    is_cut)
			w_buf_add_str(&line, "\xe2\x80\xa6");
		if (!brief_put(lines, &line))
			return false;
	}
	return true;
}

static bool
put_command_line(
    const struct brief_layout *layout, size_t at, struct w_words *lines)
{
	const bool has_colour = layout->brief->has_colour;
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, LINE_MAX_BYTES);
	w_buf_add_str(&line, has_colour ? "\033[1m" : "");
	w_buf_add_str(&line, layout->command.items[at]);
	w_buf_add_str(&line, has_colour ? "\033[0m" : "");
	return brief_put(lines, &line);
}

static bool
put_command(const struct brief_layout *layout, struct w_words *lines)
{
	const size_t given = layout->command_given;
	const size_t count = layout->command.count;
	const size_t head = given == count ? count : given / 2;
	const size_t tail = given == count ? 0 : given - head - 1;
	char more[64];

	for (size_t i = 0; i < head; i++) {
		if (!put_command_line(layout, i, lines))
			return false;
	}
	if (given == count)
		return true;
	const int len = snprintf(more, sizeof(more),
	    "  ... %zu more lines, press d", count - head - tail);
	if (!w_words_add(lines, more, (size_t)len))
		return false;
	for (size_t i = count - tail; i < count; i++) {
		if (!put_command_line(layout, i, lines))
			return false;
	}
	return true;
}

bool
w_question_brief_lines(const struct w_question_brief *brief,
    struct w_words *lines, struct w_question_shown *out_shown)
{
	struct brief_layout layout = {.brief = brief, .is_whole = true};
	bool is_done = wrap_rows(&layout) && wrap_command(&layout);

	if (is_done)
		share_room(&layout);
	is_done = is_done && put_heading(brief, lines);
	for (int i = 0; i < W_QUESTION_ROWS; i++)
		is_done = is_done && put_row(&layout, &layout.rows[i], lines);
	is_done = is_done && put_command(&layout, lines);
	const struct brief_row *rule = &layout.rows[W_QUESTION_RULE];
	const bool has_rule = rule->given == rule->lines.count;
	for (int i = 0; i < W_QUESTION_ROWS; i++)
		w_words_done(&layout.rows[i].lines);
	w_words_done(&layout.command);
	out_shown->is_whole = layout.is_whole;
	out_shown->has_rule = has_rule;
	return is_done;
}
