/* SPDX-License-Identifier: Apache-2.0 */

/* Asks about hosts, one after the other. */

#include "engine/hosts/reach_questions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "base/grow.h"
#include "engine/approval/approval_state.h"
#include "engine/approval/approval_submit.h"

enum {
	HOSTS_MAX = 64, /* that are asked about, or were refused */
	TICKETS_MAX = 10000
};

enum host_state {
	HOST_WAITING,
	HOST_OPEN,
	HOST_PASSES, /* approved once, and none waited any more */
	HOST_REFUSED
};

struct asked_host {
	enum host_state state;
	char name[W_RELAY_NAME_MAX + 1];
	uint16_t port;
	char rule[W_REACH_QUESTION_TEXT];
	uint64_t *tickets;
	size_t count, cap;
};

struct w_reach_questions {
	struct w_reach_questions_of of;
	writ_approvals *queue; /* NULL: it cannot be opened */
	struct w_source source;
	char id[WRIT_APPROVAL_ID_LEN + 1]; /* of the one that is open */
	struct asked_host *items;
	size_t count, cap;
	size_t tickets; /* of all */
};

static void reach_questions_next(struct w_reach_questions *questions);

static struct w_reach_questions *
reach_questions_get(
    struct w_reach_questions **questions, const struct w_reach_questions_of *of)
{
	if (*questions != NULL)
		return *questions;
	struct w_reach_questions *fresh = calloc(1, sizeof(*fresh));
	if (fresh == NULL)
		return NULL;
	fresh->of = *of;
	fresh->source.fd = -1;
	if (writ_approvals_open(of->engine->config, &fresh->queue, NULL) !=
	    WRIT_OK)
		fresh->queue = NULL;
	*questions = fresh;
	return fresh;
}

static struct asked_host *
host_find(struct w_reach_questions *questions, const char *name, int port)
{
	for (size_t i = 0; i < questions->count; i++) {
		struct asked_host *host = &questions->items[i];

		if (strcmp(host->name, name) == 0 &&
		    (port < 0 || host->port == port))
			return host;
	}
	return NULL;
}

static struct asked_host *
host_in_state(struct w_reach_questions *questions, enum host_state state)
{
	for (size_t i = 0; i < questions->count; i++)
		if (questions->items[i].state == state)
			return &questions->items[i];
	return NULL;
}

static void
host_drop(struct w_reach_questions *questions, struct asked_host *host)
{
	questions->tickets -= host->count;
	free(host->tickets);
	*host = questions->items[--questions->count];
}

/* ---- the queue ---- */

static void
reach_questions_unwatch(struct w_reach_questions *questions)
{
	if (questions->source.fd < 0)
		return;
	w_loop_remove(&questions->of.engine->runner.loop, &questions->source);
	questions->source.fd = -1;
}

/* Answers all that wait. Answering may bring new ones, but not before the
 * loop's next turn. */
static void
host_answer(
    struct w_reach_questions *questions, struct asked_host *host, bool is_yes)
{
	const struct w_reach_questions_of *of = &questions->of;

	for (size_t i = 0; i < host->count; i++)
		of->answer(of->ctx, host->tickets[i], is_yes);
	questions->tickets -= host->count;
	host->count = 0;
}

static bool
is_remembered(
    const struct w_reach_questions *questions, const struct asked_host *host)
{
	const struct w_reach_questions_of *of = &questions->of;
	char rule[W_REACH_QUESTION_TEXT];

	return w_reach_judge(of->scope, &of->engine->decider, host->name,
		   host->port, rule, sizeof(rule)) == W_HOST_ALLOW;
}

static void
host_settle(struct w_reach_questions *questions, struct asked_host *host,
    writ_status status)
{
	const bool is_yes = status == WRIT_OK;
	const bool has_waited = host->count > 0;

	questions->id[0] = '\0';
	reach_questions_unwatch(questions);
	host_answer(questions, host, is_yes);
	if (!is_yes)
		host->state = HOST_REFUSED;
	else if (!has_waited && !is_remembered(questions, host))
		host->state = HOST_PASSES;
	else
		host_drop(questions, host);
	reach_questions_next(questions);
}

static void
reach_questions_look(struct w_source *source, uint32_t events)
{
	struct w_reach_questions *questions =
	    W_CONTAINER_OF(source, struct w_reach_questions, source);
	struct asked_host *host = host_in_state(questions, HOST_OPEN);
	const struct w_reach_questions_of *of = &questions->of;

	(void)events;
	/* Before it is read: what happens afterwards wakes us. */
	w_approvals_drain(questions->queue);
	w_approvals_rearm(questions->queue, true);
	const writ_status status =
	    host == NULL ? WRIT_E_APPROVAL
			 : w_reach_question_look(of->engine, of->scope,
			       host->name, questions->id);
	if (status != WRIT_E_APPROVAL)
		host_settle(questions, host, status);
}

/* ---- asking ---- */

static bool
is_attended(const struct w_reach_questions *questions)
{
	return questions->queue != NULL &&
	       writ_approvals_is_attended(questions->queue);
}

/* question->id NULL: whether somebody can be asked. */
static bool
reach_questions_tell(const struct w_reach_questions *questions,
    writ_connection_question *question)
{
	const writ_engine *engine = questions->of.engine;

	return engine->on_connection == NULL
		   ? is_attended(questions)
		   : engine->on_connection(engine->connection_ctx,
			 questions->of.job(questions->of.ctx), question);
}

static writ_status
host_open(struct w_reach_questions *questions, struct asked_host *host)
{
	const struct w_reach_questions_of *of = &questions->of;
	char text[W_REACH_QUESTION_TEXT];
	writ_connection_question question = {.size = sizeof(question),
	    .host = text,
	    .timeout_ms =
		w_config_number(of->engine->config, W_SET_APPROVAL_TIMEOUT)};
	writ_error unseen;

	(void)snprintf(text, sizeof(text), "%s:%u", host->name, host->port);
	if (!reach_questions_tell(questions, &question))
		return WRIT_E_REFUSED;
	writ_status status =
	    w_reach_question_put(of->engine, of->scope, host->name, host->port,
		host->rule, question.timeout_ms, questions->id, &unseen);
	if (status != WRIT_OK)
		return status;
	questions->source =
	    (struct w_source){.fd = writ_approvals_fd(questions->queue, NULL),
		.fn = reach_questions_look};
	if (questions->source.fd < 0 || w_loop_add(&of->engine->runner.loop,
					    &questions->source, EPOLLIN) != 0) {
		questions->source.fd = -1;
		w_approval_withdraw(
		    w_engine_state_dir(of->engine), questions->id);
		return WRIT_E_SYSTEM;
	}
	host->state = HOST_OPEN;
	question.id = questions->id;
	/* Who can no longer ask does so by withdrawing it. */
	(void)reach_questions_tell(questions, &question);
	return WRIT_OK;
}

/* On another port. */
static bool
is_refused(struct w_reach_questions *questions, const char *name)
{
	for (size_t i = 0; i < questions->count; i++)
		if (questions->items[i].state == HOST_REFUSED &&
		    strcmp(questions->items[i].name, name) == 0)
			return true;
	return false;
}

/* Opens the next question, if none is open. What cannot be asked is refused. */
static void
reach_questions_next(struct w_reach_questions *questions)
{
	while (host_in_state(questions, HOST_OPEN) == NULL) {
		struct asked_host *host =
		    host_in_state(questions, HOST_WAITING);

		if (host == NULL)
			return;
		/* An answer to another question may have been about it too. */
		if (is_remembered(questions, host)) {
			host_answer(questions, host, true);
			host_drop(questions, host);
		} else if (is_refused(questions, host->name) ||
			   host_open(questions, host) != WRIT_OK) {
			host_answer(questions, host, false);
			host->state = HOST_REFUSED;
		}
	}
}

bool
w_reach_questions_could(struct w_reach_questions **questions,
    const struct w_reach_questions_of *of, const char *name)
{
	struct w_reach_questions *own = reach_questions_get(questions, of);
	writ_connection_question question = {
	    .size = sizeof(question), .host = name};

	if (own == NULL || own->queue == NULL || of->scope->request == NULL)
		return false;
	const struct asked_host *host = host_find(own, name, -1);
	if (host != NULL)
		return host->state != HOST_REFUSED;
	return own->count < HOSTS_MAX && reach_questions_tell(own, &question);
}

/* NULL: there are too many. */
static struct asked_host *
host_add(struct w_reach_questions *questions, const char *name, uint16_t port,
    const char *rule)
{
	if (questions->count == HOSTS_MAX ||
	    !w_grow(&questions->items, questions->count, &questions->cap))
		return NULL;
	struct asked_host *host = &questions->items[questions->count++];
	*host = (struct asked_host){.port = port};
	(void)snprintf(host->name, sizeof(host->name), "%s", name);
	(void)snprintf(host->rule, sizeof(host->rule), "%s", rule);
	return host;
}

enum w_relay_said
w_reach_questions_wait(struct w_reach_questions **questions,
    const struct w_reach_questions_of *of, const struct w_relay_ask *ask,
    const char *name, const char *rule)
{
	const uint16_t port = (uint16_t)ask->port;

	if (!w_reach_questions_could(questions, of, name))
		return W_RELAY_SAID_NO;
	struct w_reach_questions *own = *questions;
	struct asked_host *host = host_find(own, name, port);
	if (host != NULL && host->state == HOST_PASSES) {
		host_drop(own, host);
		return W_RELAY_SAID_YES;
	}
	if (host != NULL && host->state == HOST_REFUSED)
		return W_RELAY_SAID_NO;
	if (host == NULL)
		host = host_add(own, name, port, rule);
	if (host == NULL || own->tickets == TICKETS_MAX ||
	    !w_grow(&host->tickets, host->count, &host->cap))
		return W_RELAY_SAID_NO;
	host->tickets[host->count++] = ask->ticket;
	own->tickets++;
	reach_questions_next(own);
	return W_RELAY_SAID_LATER;
}

void
w_reach_questions_cancel(struct w_reach_questions *questions, uint64_t ticket)
{
	for (size_t i = 0; questions != NULL && i < questions->count; i++) {
		struct asked_host *host = &questions->items[i];

		for (size_t j = 0; j < host->count; j++) {
			if (host->tickets[j] != ticket)
				continue;
			host->tickets[j] = host->tickets[--host->count];
			questions->tickets--;
			return;
		}
	}
}

void
w_reach_questions_end(struct w_reach_questions *questions)
{
	if (questions == NULL)
		return;
	reach_questions_unwatch(questions);
	if (questions->id[0] != '\0')
		w_approval_withdraw(
		    w_engine_state_dir(questions->of.engine), questions->id);
	questions->id[0] = '\0';
	while (questions->count > 0)
		host_drop(questions, &questions->items[0]);
}

void
w_reach_questions_free(struct w_reach_questions *questions)
{
	if (questions == NULL)
		return;
	w_reach_questions_end(questions);
	writ_approvals_free(questions->queue);
	free(questions->items);
	free(questions);
}
