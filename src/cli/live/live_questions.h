/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_LIVE_QUESTIONS_H
#define W_CLI_LIVE_QUESTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/approval.h>

#include "cli/live/live_feed.h"

/* The questions that wait, as the feed tells them: the oldest first. */
struct w_live_question {
	char id[WRIT_APPROVAL_ID_LEN + 1];
	uint64_t expires_ms; /* since 1970 */
	char *agent;         /* NULL: none */
	char *command;       /* printable, on one line */
};

struct w_live_questions {
	struct w_live_question *items;
	size_t count;
};

void w_live_questions_done(struct w_live_questions *questions);

/* Takes an event about a question. false: no memory. */
bool w_live_questions_take(
    struct w_live_questions *questions, const struct w_live_event *event);

/* NULL: it does not wait. */
const struct w_live_question *w_live_questions_find(
    const struct w_live_questions *questions, const char *id);

#endif /* W_CLI_LIVE_QUESTIONS_H */
