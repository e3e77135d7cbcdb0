/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_QUESTION_LIST_H
#define W_CLI_QUESTION_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include <writ/approval.h>

#include "base/words.h"

/*
 * The questions that wait, the oldest first.
 */
struct w_question_list {
	struct w_words ids;
	struct w_words rows; /* each on a line of any length, printable */
	bool has_news;       /* a new one was found; the reader resets it */
};

writ_status w_question_list_load(
    struct w_question_list *list, writ_approvals *approvals, writ_error *err);
void w_question_list_done(struct w_question_list *list);

/* The place of a question, from 0; the count of all if it does not wait. */
size_t w_question_list_find(const struct w_question_list *list, const char *id);

/* Appends as lines of a terminal the part of the list around the chosen one,
 * which is marked. false: no memory. */
bool w_question_list_lines(const struct w_question_list *list, size_t chosen,
    size_t columns, size_t lines_max, struct w_words *lines);

#endif /* W_CLI_QUESTION_LIST_H */
