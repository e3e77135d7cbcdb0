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
 * person sees it. Nothing of the request is left out, nothing of it reaches the
 * terminal as a command, and no two requests look the same.
 */

/* Appends what is to run, on one line. */
void w_question_add_command(struct w_buf *buf, yyjson_val *question);

/* The largest page: more than the words of a command can be. */
#define W_QUESTION_PAGE_MAX ((size_t)64 << 20)

/* Appends everything, as a page. When a part of it could not be shown, the
 * buffer has failed: what is not seen whole is not to be answered. */
void w_question_add_page(
    struct w_buf *buf, yyjson_val *question, uint64_t now_ms, bool has_colour);

/* "4m12s" of the time that is left; "" for a question that is not pending. */
void w_question_add_left(
    struct w_buf *buf, yyjson_val *question, uint64_t now_ms);

/* A text of the question by its JSON pointer ("/asker/agent"); NULL: it has
 * none. */
const char *w_question_text(yyjson_val *question, const char *pointer);

/* Likewise a number; 0: it has none. */
uint64_t w_question_number(yyjson_val *question, const char *pointer);

/* What has become of it. */
writ_approval_state w_question_state(yyjson_val *question);

#endif /* W_CLI_QUESTION_H */
