/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_RESOURCE_STEP_H
#define W_MANIFEST_RESOURCE_STEP_H

#include <writ/engine.h>

#include "manifest/apply/apply.h"
#include "manifest/apply/secrets.h"

/*
 * One resource's turn: what it needs, and the event that it becomes.
 *
 * Everything that is made during a turn lives in its arena and goes with it.
 * Texts go through the functions below, which hide the secrets of the turn.
 * Memory that runs out is remembered (is_short), so callers add freely and
 * whoever ends the turn asks once.
 */
struct w_texts {
	const char **items; /* NULL-ended; NULL: none */
	size_t count;
	size_t cap;
};

struct w_manifest_runner; /* the one command that runs, or none */

struct w_resource_step {
	/* Given, and the same for all turns of an apply. */
	writ_engine *engine;
	const struct w_manifest *manifest;
	struct w_manifest_session *session;
	const struct w_expr_scope *scope;
	const struct w_apply_options *options;
	const struct w_apply_watch *watch; /* never NULL */
	struct w_manifest_runner *runner;
	const char *agent;
	const char *trace_id;
	/* Somebody wants the apply to end. */
	bool is_interrupted;
	/* Of this turn. */
	const struct w_resource *resource;
	struct w_arena arena;
	struct w_secrets secrets;
	struct w_event event; /* its lists are set when the turn ends */
	struct w_texts errors;
	struct w_texts warnings;
	struct w_texts unmet;
	struct w_texts run_ids;
	/* JSON of the event: kept from turn to turn for its memory. */
	struct w_buf properties;
	struct w_buf status;
	bool has_acted; /* something may have changed: it has to be recorded */
	bool is_cut;    /* somebody wanted an end in the middle of it */
	bool is_short;  /* of memory */
};

/* Sets up what a turn owns, and gives it back. */
void w_resource_step_init(struct w_resource_step *step);
void w_resource_step_done(struct w_resource_step *step);

/* Empties a turn for the next resource. */
void w_resource_step_begin(
    struct w_resource_step *step, const struct w_resource *resource);

/* Adds an error, and the resource has failed. */
void w_resource_step_fail(struct w_resource_step *step, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Likewise what the library said. */
void w_resource_step_fail_error(
    struct w_resource_step *step, const writ_error *error);

/* Likewise what is wrong with a text of the manifest, which stands there. */
void w_resource_step_fail_at(struct w_resource_step *step,
    const struct w_manifest_location *at, const char *text,
    const writ_error *error);

void w_resource_step_warn(struct w_resource_step *step, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void w_resource_step_add_run(struct w_resource_step *step, const char *run_id);

/* A text in the arena without the secrets of the turn; "" when memory is
 * short. */
const char *w_resource_step_text(struct w_resource_step *step, const char *fmt,
    ...) __attribute__((format(printf, 2, 3)));

/* What a buffer has, in the arena; "" when the buffer failed. Secrets are not
 * looked for. */
const char *w_resource_step_copy(
    struct w_resource_step *step, const struct w_buf *buf);

/* Appends a copy of the text; false: no memory. */
bool w_texts_add(
    struct w_texts *texts, struct w_arena *arena, const char *text, size_t len);

#endif /* W_MANIFEST_RESOURCE_STEP_H */
