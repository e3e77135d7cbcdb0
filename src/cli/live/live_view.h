/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_LIVE_VIEW_H
#define W_CLI_LIVE_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/words.h"
#include "cli/live/live_feed.h"
#include "cli/live/live_output.h"
#include "cli/live/live_questions.h"

/*
 * What `writ watch` shows: a list of questions, running runs and ended runs,
 * and below it the chosen one with the end of its output. Everything fits into
 * the window, and nothing that a run wrote can leave its line.
 */
struct w_live_view {
	const struct w_live_feed *feed;
	const struct w_live_questions *questions;
	const struct w_live_output *output; /* of the chosen run */
	char chosen[W_LIVE_ID_SIZE]; /* a run or a question; empty: none */
	bool is_whole;               /* the chosen one has the whole window */
	size_t back;                 /* output lines below the window */
	const char *prompt;          /* instead of the keys; NULL: the keys */
	const char *notice;          /* NULL: none */
	size_t columns;
	size_t rows;
	bool has_colour;
};

/* The list: how many there are, the id of one, and the place of the chosen
 * one, which is the count if it is none of them. */
size_t w_live_view_count(const struct w_live_view *view);
const char *w_live_view_id(const struct w_live_view *view, size_t at);
size_t w_live_view_find(const struct w_live_view *view);

/* The lines of the output that fit into the whole window. */
size_t w_live_view_page(const struct w_live_view *view);

/* Appends the lines of the window. false: no memory. */
bool w_live_view_lines(const struct w_live_view *view, struct w_words *lines);

#endif /* W_CLI_LIVE_VIEW_H */
