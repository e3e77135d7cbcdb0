/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_RUN_RESULT_H
#define W_RUN_RUN_RESULT_H

#include <stdbool.h>

#include <writ/result.h>

#include "base/encode.h"
#include "base/sha256.h"
#include "base/words.h"
#include "run/result/left_state.h"
#include "sandbox/plan/layer.h"
#include "trigger/trigger.h"

enum {
	W_RUN_SESSION_MAX = 64,        /* characters of a session's name */
	W_RUN_DENIALS_MAX = 64,        /* distinct denials that are kept */
	W_RUN_DENIAL_TEXT_MAX = 32768, /* bytes of their texts */
};

struct w_wall_denials;

/* Memory allocated once for copies of strings. */
struct w_run_result_pool {
	char *bytes;
	size_t used;
	size_t cap;
};

/* A result and what it owns. The public part comes first. */
struct w_run_result {
	writ_result result;
	bool keeps_spill;
	bool owns[2];     /* head and tail of the stream were allocated */
	bool has_secrets; /* that its records must not show */
	bool is_trusted;  /* the caller is trusted and sees the result */
	char run_id[W_ID_LEN + 1];
	char *trace_id;
	char *module_id;
	char *policy; /* the strings of its decision */
	char *json_output;
	char json_error[sizeof(((writ_error *)NULL)->message)];
	char *profile;
	char *recording; /* path; the file stays when this is freed */
	char session[W_RUN_SESSION_MAX + 1];
	struct w_left_state left_state;
	char sha256[2][W_SHA256_HEX + 1];
	const char *layers[W_LAYER_COUNT + 1];
	const char *missing[W_LAYER_COUNT + 1];
	const char **created;
	size_t created_count;
	size_t created_cap;
	struct w_run_result_pool created_text;
	writ_denial *denials; /* NULL: not requested; else one more than
				 W_RUN_DENIALS_MAX, for the sum of the rest */
	struct w_run_result_pool denial_text;
	struct w_wall_denials *wall_denials; /* NULL: none */
	struct w_triggers *triggers;         /* NULL: none */
	char *execs;   /* JSON; NULL: programs were not judged */
	char *changes; /* JSON; NULL: it had no layer, and wanted none */
	struct w_words changed;
	writ_trigger *held; /* NULL: nothing was held back */
	struct w_words held_texts;
	char unrecorded[sizeof(((writ_error *)NULL)->message)];
};

/* A fresh run id. */
void w_run_id_make(char out_id[W_ID_LEN + 1]);

/* Allocates a result with a new run id, so that the end of a run cannot fail
 * for lack of memory. Its sandbox is "none" until w_run_result_set_sandbox().
 * NULL: no memory. */
struct w_run_result *w_run_result_new(const char *trace_id);
void w_run_result_free(struct w_run_result *storage);

/* Sets the module that was called (copied). false: no memory. */
bool w_run_result_set_module(struct w_run_result *storage, const char *id);

/* Sets the policy decision: decision is a constant, the others are copied and
 * may be NULL. false: no memory. */
bool w_run_result_set_policy(struct w_run_result *storage, const char *decision,
    const char *rule, const char *grant, const char *approval);

/*
 * Sets the sandbox of the run: its profile (copied), its network (a constant),
 * masks of the active and of the missing layers. false: no memory. May be
 * called again, for example when a layer turns out missing later; with the same
 * profile that cannot fail.
 */
bool w_run_result_set_sandbox(struct w_run_result *storage, const char *profile,
    const char *network, uint32_t layers, uint32_t missing);

/* Sets the session whose walls the run shares (copied). */
void w_run_result_set_session(struct w_run_result *storage, const char *name);

/* Sets why a record is missing; only the first reason is kept. */
void w_run_result_set_unrecorded(struct w_run_result *storage, const char *why);

/* Sets the triggers and takes ownership. */
void w_run_result_set_triggers(
    struct w_run_result *storage, struct w_triggers *triggers);

/* Reserves memory to report these paths as created. false: no memory. */
bool w_run_result_reserve_created(
    struct w_run_result *storage, const struct w_words *paths);

/* Reports a path as created (copied). Ignored without reserved memory. */
void w_run_result_add_created(struct w_run_result *storage, const char *path);

/* Reserves memory for denials. false: no memory. */
bool w_run_result_reserve_denials(struct w_run_result *storage);

/*
 * Adds denial->count denials of one kind; the strings are copied. Equal ones
 * are counted together, and those that do not fit in one last row. Ignored
 * without w_run_result_reserve_denials().
 */
void w_run_result_add_denial(
    struct w_run_result *storage, const writ_denial *denial);

#endif /* W_RUN_RUN_RESULT_H */
