/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What the view shows of the questions that wait.
 */

#include "cli/live/live_questions.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "cli/approval/question.h"

static void
question_free(struct w_live_question *question)
{
	free(question->agent);
	free(question->command);
}

void
w_live_questions_done(struct w_live_questions *questions)
{
	for (size_t i = 0; i < questions->count; i++)
		question_free(&questions->items[i]);
	free(questions->items);
	*questions = (struct w_live_questions){.items = NULL};
}

static size_t
find_at(const struct w_live_questions *questions, const char *id)
{
	size_t i = 0;

	while (i < questions->count && strcmp(questions->items[i].id, id) != 0)
		i++;
	return i;
}

const struct w_live_question *
w_live_questions_find(const struct w_live_questions *questions, const char *id)
{
	const size_t at = find_at(questions, id);

	return at < questions->count ? &questions->items[at] : NULL;
}

static bool
add_question(
    struct w_live_questions *questions, const struct w_live_event *event)
{
	struct w_live_question *grown = reallocarray(
	    questions->items, questions->count + 1, sizeof(*grown));
	const char *agent = w_question_text(event->question, "/asker/agent");
	struct w_buf command;

	if (grown == NULL)
		return false;
	questions->items = grown;
	grown += questions->count;
	*grown = (struct w_live_question){
	    .expires_ms = w_question_number(event->question, "/expires_at"),
	    .agent = agent == NULL ? NULL : strdup(agent),
	};
	strncat(grown->id, event->id, WRIT_APPROVAL_ID_LEN);
	w_buf_init(&command, W_QUESTION_PAGE_MAX);
	w_question_add_command(&command, event->question);
	grown->command = w_buf_take(&command, NULL);
	if (grown->command == NULL || (agent != NULL && grown->agent == NULL)) {
		question_free(grown);
		return false;
	}
	questions->count++;
	return true;
}

bool
w_live_questions_take(
    struct w_live_questions *questions, const struct w_live_event *event)
{
	const size_t at = find_at(questions, event->id);

	if (event->kind == W_LIVE_ASKED && at == questions->count)
		return add_question(questions, event);
	if (event->kind != W_LIVE_ANSWERED || at == questions->count)
		return true;
	question_free(&questions->items[at]);
	memmove(questions->items + at, questions->items + at + 1,
	    (--questions->count - at) * sizeof(*questions->items));
	return true;
}
