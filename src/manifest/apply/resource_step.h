/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_RESOURCE_STEP_H
#define W_MANIFEST_RESOURCE_STEP_H

#include <writ/engine.h>
#include <writ/file.h>

#include "manifest/apply/apply.h"
#include "manifest/apply/quiet_events.h"
#include "manifest/apply/secrets.h"

/*
 * The step of one resource: what it needs, and the event it results in.
 *
 * Everything made during a step is allocated in its arena. Texts go through the
 * functions below, which redact the step's secrets. Running out of memory sets
 * is_short, so callers add freely and the end of the step checks once.
 */
struct w_texts {
	const char **items; /* NULL-ended; NULL: none */
	size_t count;
	size_t cap;
};

struct w_manifest_runner; /* runs one command at a time */
struct w_apply_owed;      /* refreshes that are owed */
struct w_typed_cache;     /* what was asked of package managers */
struct w_registered;      /* results, by name */

struct w_resource_step {
	/* Given; the same for all steps of an apply. */
	writ_engine *engine;
	const struct w_manifest *manifest;
	struct w_manifest_session *session;
	const struct w_expr_scope *scope;      /* of the resource at hand */
	struct w_manifest_scope inner;         /* what scope is made of */
	const struct w_apply_options *options; /* of the resource at hand */
	const struct w_apply_options *given_options;
	struct w_apply_options own_options; /* in an applied manifest */
	unsigned char *gates; /* enum w_include_gate, by index; NULL: none */
	const struct w_apply_watch *watch; /* never NULL */
	struct w_manifest_runner *runner;
	struct w_apply_owed *keeper;     /* never NULL */
	struct w_typed_cache *cache;     /* never NULL */
	struct w_registered *registered; /* never NULL */
	const char *agent;
	const char *trace_id;
	/* The caller wants the apply to end. */
	bool is_interrupted;
	struct w_quiet_events quiet;
	/* Of this step. */
	const struct w_resource *resource;
	struct w_arena arena;
	struct w_secrets secrets;
	writ_event event; /* its lists are set at the end of the step */
	struct w_texts errors;
	struct w_texts warnings;
	struct w_texts unmet;
	struct w_texts run_ids;
	/* What the event shows of its properties. */
	struct w_filled filled;
	struct w_filled_part *parts;
	size_t part_cap;
	/* JSON of the event; the buffers are reused. */
	struct w_buf properties;
	struct w_buf status;
	/* Of a command whose result is registered; NULL: it did not run. */
	const char *output[2]; /* by writ_stream */
	int exit_code;         /* -1: unknown */
	bool has_acted; /* something may have changed: must be recorded */
	bool is_cut;    /* was interrupted before it was complete */
	/* Of a service: it runs with all that it subscribes to, or not at all.
	 */
	bool is_refreshed;
	bool may_have_changed; /* although the event does not say so */
	/* A file: what it is done with, and whether it waits for that; NULL: it
	 * is done at once. */
	writ_file_batch *batch;
	const char *checked; /* what validate looks at; NULL: nothing */
	bool is_pending;
	bool is_begun; /* the caller was told that it begins */
	bool is_short; /* out of memory */
};

/* Allocates and frees what a step owns. */
void w_resource_step_init(struct w_resource_step *step);
void w_resource_step_done(struct w_resource_step *step);

/* Resets a step for the next resource. */
void w_resource_step_begin(
    struct w_resource_step *step, const struct w_resource *resource);

/* Adds an error; the resource has failed. */
void w_resource_step_fail(struct w_resource_step *step, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Likewise, for an error of the library. */
void w_resource_step_fail_error(
    struct w_resource_step *step, const writ_error *error);

/* Likewise, for a text of the manifest at that location. */
void w_resource_step_fail_at(struct w_resource_step *step,
    const struct w_manifest_location *at, const char *text,
    const writ_error *error);

void w_resource_step_warn(struct w_resource_step *step, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void w_resource_step_add_run(struct w_resource_step *step, const char *run_id);

/* Formats a text into the arena, secrets redacted; "" if out of memory. */
const char *w_resource_step_text(struct w_resource_step *step, const char *fmt,
    ...) __attribute__((format(printf, 2, 3)));

/* Keeps what a template with expressions was filled in with, for the event:
 * words, or a text without secrets. */
void w_resource_step_show(struct w_resource_step *step,
    const struct w_template *template, const char *const *argv,
    const char *text);

/* Sets the properties of the event: as they were filled in, which is what is
 * given and what was kept. Called again, it adds what was kept since. */
void w_resource_step_report(
    struct w_resource_step *step, const struct w_filled *filled);

/* Copies a buffer into the arena; "" if the buffer failed. Not redacted. */
const char *w_resource_step_copy(
    struct w_resource_step *step, const struct w_buf *buf);

/* Appends a copy of the text; false: no memory. */
bool w_texts_add(
    struct w_texts *texts, struct w_arena *arena, const char *text, size_t len);

#endif /* W_MANIFEST_RESOURCE_STEP_H */
