/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_JOB_CONTEXT_H
#define W_ENGINE_JOB_CONTEXT_H

#include <limits.h>

#include <writ/run.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/sha256.h"
#include "engine/engine_state.h"

/* So much of what a shell was given can still be judged as one text. */
#define W_JOB_TOLD_MAX ((size_t)256 * 1024)

/* What has to be known of a run whose input is open, to judge what it is
 * given. */
struct w_job_context {
	writ_engine *engine; /* outlives its jobs */
	struct w_arena arena;
	writ_request request; /* as asked; its texts are the arena's */
	char hash[W_SHA256_HEX + 1];
	char profile[PATH_MAX]; /* of its walls, as the policy named it */
	struct w_buf told;      /* to a shell, all of it */
};

/* *out_note is NULL where nothing can be given to it. */
writ_status w_job_context_new(writ_engine *engine, const writ_request *request,
    struct w_job_context **out_note, writ_error *err);

/* The run has started: the note is the job's from now on. */
void w_job_context_attach(struct w_job_context *note, writ_job *job);
void w_job_context_free(void *note);

#endif /* W_ENGINE_JOB_CONTEXT_H */
