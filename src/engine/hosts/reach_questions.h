/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_REACH_QUESTIONS_H
#define W_ENGINE_REACH_QUESTIONS_H

#include "engine/hosts/reach_question.h"
#include "os/loop.h"
#include "run/hosts/relay_line.h"

/*
 * Hosts that a person is asked about while connections to them wait.
 *
 *     waiting --its turn--> open --yes--> gone (once: the next one may pass,
 *                             |               if none waits any more)
 *                             +--no, or too late--> refused
 *
 * One question is open at a time, so a run that tries many hosts does not bury
 * a person in questions. A host is asked about once: as long as runs live, one
 * that was refused stays so. Clients give up and try again sooner than people
 * answer, so a question outlives its connections; it ends with the runs.
 */
struct w_reach_questions_of {
	writ_engine *engine;
	const struct w_reach *scope;
	/* The run that is asked for; NULL: it is gone. */
	writ_job *(*job)(void *ctx);
	/* Answers a connection. */
	void (*answer)(void *ctx, uint64_t ticket, bool is_yes);
	void *ctx;
};

struct w_reach_questions; /* NULL: nothing was asked yet */

/* Whether a person can be asked about this name. false also if one has said no
 * before. */
bool w_reach_questions_could(struct w_reach_questions **questions,
    const struct w_reach_questions_of *of, const char *name);

/*
 * A connection to name and port waits for an answer, which comes by of->answer
 * (LATER); or the answer is there already. rule: see w_reach_question_put().
 */
enum w_relay_said w_reach_questions_wait(struct w_reach_questions **questions,
    const struct w_reach_questions_of *of, const struct w_relay_ask *ask,
    const char *name, const char *rule);

/* This connection waits no more. */
void w_reach_questions_cancel(
    struct w_reach_questions *questions, uint64_t ticket);

/* The runs have ended: questions are withdrawn, and what was refused may be
 * asked about again. */
void w_reach_questions_end(struct w_reach_questions *questions);
void w_reach_questions_free(struct w_reach_questions *questions);

#endif /* W_ENGINE_REACH_QUESTIONS_H */
