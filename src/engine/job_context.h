/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_JOB_CONTEXT_H
#define W_ENGINE_JOB_CONTEXT_H

#include <limits.h>

#include <writ/run.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/sha256.h"
#include "engine/engine_state.h"

/* Shell input up to this size can be judged as one text, in bytes. */
#define W_JOB_SHELL_INPUT_MAX ((size_t)256 * 1024)

/* What must be known of a run with an open input, to judge what is written
 * to it. */
struct w_job_context {
	writ_engine *engine; /* outlives its jobs */
	struct w_arena arena;
	writ_request request; /* as received; its texts live in the arena */
	char hash[W_SHA256_HEX + 1];
	char profile[PATH_MAX];   /* sandbox profile, as the policy named it */
	struct w_buf shell_input; /* everything a shell was given */
};

/* *out_context is NULL if the run has no open input. */
writ_status w_job_context_new(writ_engine *engine, const writ_request *request,
    struct w_job_context **out_context, writ_error *err);

/* The run has started: the job owns the context. */
void w_job_context_attach(struct w_job_context *context, writ_job *job);
void w_job_context_free(void *ptr);

#endif /* W_ENGINE_JOB_CONTEXT_H */
