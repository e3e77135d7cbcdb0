/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_TYPED_STEP_H
#define W_MANIFEST_TYPED_STEP_H

#include <writ/file.h>

#include "manifest/apply/property_fill.h"
#include "manifest/types/typed.h"

/*
 * The step of a resource whose type a table describes: it asks programs for the
 * state, and runs programs that change it. All of them are runs of the engine:
 * judged by the policy, recorded, and waited for.
 *
 * Functions that return a bool return false if the step failed or was
 * interrupted; then nothing more is to be done but w_typed_end().
 */
struct w_typed_step {
	struct w_resource_step *step;
	const struct w_resource *resource;
	const char *const *env; /* of its commands */
	struct w_buf facts;     /* members of the state: ,"version":"1.2" */
	struct w_buf plan;      /* "installed version 1.2, ..." */
	bool is_noop;
	bool is_changed; /* or would be */
};

/* Fills in the environment: the plain one, what the type adds (NULL-ended;
 * NULL: nothing), and the property at that index (-1: none). */
bool w_typed_begin(struct w_typed_step *x, struct w_resource_step *step,
    const char *const *more, int environment);

/* Completes the event except for its times. final_ensure: the state, if the
 * step has not failed. */
void w_typed_end(struct w_typed_step *x, const char *final_ensure);

/* ---- properties ---- */

const char *w_typed_text(const struct w_typed_step *x, int index);
bool w_typed_truth(const struct w_typed_step *x, int index, bool standard);
/* Milliseconds. */
uint64_t w_typed_time(
    const struct w_typed_step *x, int index, uint64_t standard);
/* A deferred property. out_text->text NULL: it is absent. */
bool w_typed_fill(
    struct w_typed_step *x, int index, struct w_filled_text *out_text);
/* The words of a list, NULL-ended; never NULL, except without memory. */
const char *const *w_typed_words(struct w_typed_step *x, int index);

/* ---- commands ---- */

#define W_TYPED_WORDS_MAX 64

struct w_typed_command {
	const char *words[W_TYPED_WORDS_MAX + 1]; /* NULL-ended */
	size_t count;
	const char *input; /* NULL: nothing */
	size_t input_len;
	const char *user; /* who runs it; NULL: the caller */
	const char *group;
	uint64_t timeout_ms; /* 0: none */
	uint64_t output;     /* kept of its output; 0: 64 KiB */
	bool is_query;       /* it only looks */
	bool is_missing_ok;  /* a program that is not there is no failure */
};

/* Appends words up to a NULL. */
void w_typed_add(struct w_typed_command *command, ...)
    __attribute__((sentinel));

/* What a command said; secrets are redacted. */
struct w_typed_answer {
	bool is_missing; /* there is no such program */
	int code;
	const char *text[2]; /* by writ_stream */
	size_t len[2];
	bool is_cut; /* there was more output than is kept */
};

/* Runs a command to its end, whatever its exit code. One that changes
 * something first makes the promises of a change. */
bool w_typed_run(struct w_typed_step *x, const struct w_typed_command *command,
    struct w_typed_answer *out_answer);

/* Fails the step with the program's name, its exit code and the last lines that
 * it wrote. */
void w_typed_fail_answer(struct w_typed_step *x,
    const struct w_typed_command *command, const struct w_typed_answer *answer);

/* Runs a command that must exit with 0. */
bool w_typed_must_run(
    struct w_typed_step *x, const struct w_typed_command *command);

/* The line of the text that has the word, without newline, in the arena; NULL:
 * none. */
const char *w_typed_line_with(struct w_typed_step *x,
    const struct w_typed_answer *answer, const char *word);
/* Its last lines, at most that many, joined by "; ". "" if there are none. */
const char *w_typed_last_lines(
    struct w_typed_step *x, const struct w_typed_answer *answer, int count);

/* ---- changes ---- */

/* Notes what is done, in the words of noop behind "Would have ", and why.
 * Returns whether it is to be done now: not in noop. */
bool w_typed_plan(struct w_typed_step *x, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void w_typed_reason(struct w_typed_step *x, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a member to the state that the event shows. */
void w_typed_note(struct w_typed_step *x, const char *name, const char *text);
void w_typed_note_truth(struct w_typed_step *x, const char *name, bool is_true);

/* Brings a file into a state by writ_file(). Settings of the apply are filled
 * in. The caller frees *out_result; NULL: not wanted. */
bool w_typed_file(struct w_typed_step *x, writ_file_request *request,
    writ_file_result **out_result);

/* ---- the types ---- */

void w_typed_package_apply(struct w_resource_step *step);
void w_typed_service_apply(struct w_resource_step *step);
void w_typed_user_apply(struct w_resource_step *step);
void w_typed_group_apply(struct w_resource_step *step);
void w_typed_archive_apply(struct w_resource_step *step);
void w_typed_edit_apply(struct w_resource_step *step);

#endif /* W_MANIFEST_TYPED_STEP_H */
