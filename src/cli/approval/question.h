/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_QUESTION_H
#define W_CLI_QUESTION_H

#include <stdbool.h>
#include <stdint.h>

#include <writ/approval.h>
#include <yyjson.h>

#include "base/buf.h"

/*
 * A question of the approval queue (include/writ/approval.h has its JSON), as a
 * person sees it. Every part of the request is shown, no part can control the
 * terminal, and different requests never look the same.
 */

/* Appends the command on one line. */
void w_question_add_command(struct w_buf *buf, yyjson_val *question);

/* The largest page: larger than any command line. */
#define W_QUESTION_PAGE_MAX ((size_t)64 << 20)

/* Appends the whole question as a page. buf->failed: a part is missing, and a
 * question that is not shown in full must not be answered. */
void w_question_add_page(
    struct w_buf *buf, yyjson_val *question, uint64_t now_ms, bool has_colour);

/* The time left, as "4m12s"; "" unless the question is pending. */
void w_question_add_left(
    struct w_buf *buf, yyjson_val *question, uint64_t now_ms);

/* A string of the question by JSON pointer ("/asker/agent"); NULL: none. */
const char *w_question_text(yyjson_val *question, const char *pointer);

/* Likewise a number; 0: none. */
uint64_t w_question_number(yyjson_val *question, const char *pointer);

writ_approval_state w_question_state(yyjson_val *question);

#endif /* W_CLI_QUESTION_H */
