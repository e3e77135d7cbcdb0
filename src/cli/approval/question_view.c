/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The question, its details and the help on the screen.
 */

#include "cli/approval/question_view.h"

#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "base/printable.h"
#include "cli/approval/question.h"
#include "cli/approval/question_brief.h"
#include "cli/approval/question_dialog.h"
#include "cli/output/line_wrap.h"

#define NOTICE_MAX  ((size_t)64 << 10)
#define NOTICE_ROWS 4
#define LINES_LEFT  5 /* for the question, however many lines the keys take */

/* Where the values of the page begin. */
#define PAGE_REST   "                "
#define NARROW_REST "    "
#define NARROW      60

/* ---- the question ---- */

static size_t
lines_for_question(const struct w_question_view *view)
{
	const size_t rows = view->screen->rows;

	if (rows > W_QUESTION_LINES_MAX)
		return W_QUESTION_LINES_MAX;
	return rows > W_QUESTION_LINES_MIN ? rows - 1 : W_QUESTION_LINES_MIN;
}

static bool
add_list(const struct w_question_view *view, struct w_words *lines)
{
	const size_t taken = W_QUESTION_LINES_MAX + 1 + view->notice.count;
	const size_t rows = view->screen->rows;

	if (!view->has_list || view->list->ids.count < 2 || rows <= taken)
		return true;
	return w_question_list_lines(view->list,
	    w_question_list_find(view->list, view->id), view->screen->columns,
	    rows - taken, lines);
}

static bool
add_brief(struct w_question_view *view, size_t keys, struct w_words *lines)
{
	const size_t at = w_question_list_find(view->list, view->id);
	const size_t lines_all = lines_for_question(view);
	const struct w_question_brief brief = {
	    .question = view->question,
	    .now_ms = w_question_now_ms(),
	    .position = at < view->list->ids.count ? at + 1 : 0,
	    .waiting = view->list->ids.count,
	    .columns = view->screen->columns,
	    .lines_max =
		lines_all > keys + LINES_LEFT ? lines_all - keys : LINES_LEFT,
	    .has_colour = view->screen->has_colour,
	    .is_own = !view->has_list,
	};
	struct w_question_shown shown = {.is_whole = false};

	if (!w_question_brief_lines(&brief, lines, &shown))
		return false;
	view->is_seen = view->is_seen || shown.is_whole;
	view->is_rule_seen = view->is_rule_seen || shown.has_rule;
	return true;
}

static bool
add_all(struct w_words *lines, const struct w_words *more)
{
	for (size_t i = 0; i < more->count; i++) {
		if (!w_words_add(lines, more->items[i], strlen(more->items[i])))
			return false;
	}
	return true;
}

static bool
view_add_question(struct w_question_view *view, struct w_words *lines)
{
	static const char hint[] = "Enter remembers this rule, Esc goes back";
	W_AUTO_WORDS struct w_words keys = {.items = NULL};

	view->keys.columns = view->screen->columns;
	if (view->keys.is_editing ? !w_words_add(&keys, hint, strlen(hint)) ||
					!w_words_add(&keys, "", 0)
				  : !w_question_keys_offer(&view->keys, &keys))
		return false;
	return add_list(view, lines) && add_all(lines, &view->notice) &&
	       add_brief(view, keys.count, lines) && add_all(lines, &keys);
}

/* ---- details and help ---- */

static size_t
lines_of_page(const struct w_question_view *view)
{
	const size_t rows = view->screen->rows;

	return rows > W_QUESTION_LINES_MIN ? rows - 2
					   : W_QUESTION_LINES_MIN - 2;
}

static bool
view_add_text(struct w_question_view *view, struct w_words *lines)
{
	const size_t page = lines_of_page(view);
	const size_t pages = (view->text.count + page - 1) / page;
	const size_t end = view->at + page < view->text.count
			       ? view->at + page
			       : view->text.count;
	char prompt[96];

	for (size_t i = view->at; i < end; i++) {
		if (!w_words_add(lines, view->text.items[i],
			strlen(view->text.items[i])))
			return false;
	}
	const bool is_last = end == view->text.count;
	const int len = snprintf(prompt, sizeof(prompt),
	    "%s, page %zu of %zu%s > ", is_last ? "[d] back" : "[d] more",
	    view->at / page + 1, pages, is_last ? "" : "  [Esc] back");
	if (is_last && view->is_details)
		view->is_seen = view->is_rule_seen = true;
	return w_words_add(lines, prompt, (size_t)len);
}

static bool
set_details(struct w_question_view *view)
{
	const size_t columns = view->screen->columns;
	W_AUTO_BUF struct w_buf page;

	w_buf_init(&page, W_QUESTION_PAGE_MAX);
	w_question_add_page(&page, view->question, w_question_now_ms(), false);
	if (page.failed)
		return false;
	for (char *line = page.data; line != NULL && *line != '\0';) {
		char *end = strchr(line, '\n');

		if (end != NULL)
			*end = '\0';
		if (!w_wrap_lines(&view->text, line, "",
			columns < NARROW ? NARROW_REST : PAGE_REST, columns))
			return false;
		line = end == NULL ? NULL : end + 1;
	}
	return true;
}

static bool
set_help(struct w_question_view *view)
{
	W_AUTO_WORDS struct w_words lines = {.items = NULL};

	if (!w_question_keys_help(&view->keys, &lines))
		return false;
	for (size_t i = 0; i < lines.count; i++) {
		if (!w_wrap_lines(&view->text, lines.items[i], "", "     ",
			view->screen->columns))
			return false;
	}
	return true;
}

static bool
set_text(struct w_question_view *view)
{
	w_words_done(&view->text);
	view->text = (struct w_words){.items = NULL};
	view->at = 0;
	return view->is_details ? set_details(view) : set_help(view);
}

bool
w_question_view_details(struct w_question_view *view)
{
	view->is_details = true;
	return set_text(view);
}

bool
w_question_view_help(struct w_question_view *view)
{
	view->is_details = false;
	return set_text(view);
}

bool
w_question_view_has_text(const struct w_question_view *view)
{
	return view->text.count > 0;
}

void
w_question_view_leave(struct w_question_view *view)
{
	w_words_done(&view->text);
	view->text = (struct w_words){.items = NULL};
}

void
w_question_view_turn(struct w_question_view *view, bool is_forward)
{
	const size_t page = lines_of_page(view);

	if (!is_forward)
		view->at = view->at > page ? view->at - page : 0;
	else if (view->at + page < view->text.count)
		view->at += page;
	else
		w_question_view_leave(view);
}

/* ---- all ---- */

bool
w_question_view_draw(struct w_question_view *view, bool has_bell)
{
	W_AUTO_WORDS struct w_words lines = {.items = NULL};
	W_AUTO_BUF struct w_buf rule;

	w_buf_init(&rule, NOTICE_MAX);
	if (w_question_view_has_text(view) ? !view_add_text(view, &lines)
					   : !view_add_question(view, &lines))
		return false;
	if (!w_question_screen_draw(view->screen, &lines, has_bell))
		return false;
	if (!view->keys.is_editing)
		return true;
	w_question_keys_draw_rule(&view->keys, &rule);
	w_question_screen_add(view->screen, &rule);
	return true;
}

bool
w_question_view_resize(struct w_question_view *view)
{
	w_question_screen_measure(view->screen);
	/* The pages have other lines now. */
	if (w_question_view_has_text(view) && !set_text(view))
		return false;
	return w_question_view_draw(view, false);
}

bool
w_question_view_notice(struct w_question_view *view, const char *text)
{
	W_AUTO_WORDS struct w_words lines = {.items = NULL};
	W_AUTO_BUF struct w_buf shown;

	w_buf_init(&shown, NOTICE_MAX);
	w_words_done(&view->notice);
	view->notice = (struct w_words){.items = NULL};
	if (text == NULL)
		return true;
	(void)w_printable_add(&shown, text, 0);
	if (shown.failed || !w_wrap_lines(&lines, shown.data, "writ: ", "  ",
				view->screen->columns))
		return false;
	for (size_t i = 0; i < lines.count && i < NOTICE_ROWS; i++) {
		if (!w_words_add(
			&view->notice, lines.items[i], strlen(lines.items[i])))
			return false;
	}
	return true;
}

void
w_question_view_done(struct w_question_view *view)
{
	w_words_done(&view->notice);
	w_words_done(&view->text);
}
