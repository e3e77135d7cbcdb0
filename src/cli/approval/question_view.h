/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_QUESTION_VIEW_H
#define W_CLI_QUESTION_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include <yyjson.h>

#include "base/words.h"
#include "cli/approval/question_keys.h"
#include "cli/approval/question_list.h"
#include "cli/approval/question_screen.h"

/*
 * What a person sees of a question: the question in few lines with its keys, or
 * its details, page by page, or the help. It also knows whether everything was
 * seen: without that the answer cannot be yes.
 */
struct w_question_view {
	yyjson_val *question;
	const char *id;
	struct w_question_screen *screen;
	const struct w_question_list *list; /* all that wait */
	bool has_list;                      /* shows it, and offers its keys */
	struct w_question_keys keys;
	struct w_words notice; /* shown until the next key */
	struct w_words text;   /* shown instead; empty: the question is */
	bool is_details;       /* the text has the details */
	size_t at;             /* its first line that is shown */
	bool is_seen;          /* everything was on the screen once */
	bool is_rule_seen;     /* and the rule that would be remembered */
};

/* Draws it. false: no memory. */
bool w_question_view_draw(struct w_question_view *view, bool has_bell);

/* The window has another size. */
bool w_question_view_resize(struct w_question_view *view);

/* Shows the details, or the help, from their begin. */
bool w_question_view_details(struct w_question_view *view);
bool w_question_view_help(struct w_question_view *view);

/* Whether details or help are shown. Turning the last page, and leaving, show
 * the question again. */
bool w_question_view_has_text(const struct w_question_view *view);
void w_question_view_turn(struct w_question_view *view, bool is_forward);
void w_question_view_leave(struct w_question_view *view);

/* Shows a message above the command until the next key. */
bool w_question_view_notice(struct w_question_view *view, const char *text);

void w_question_view_done(struct w_question_view *view);

#endif /* W_CLI_QUESTION_VIEW_H */
