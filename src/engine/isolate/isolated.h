/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_ISOLATED_H
#define W_ENGINE_ISOLATED_H

#include <yyjson.h>

#include <writ/module.h>

#include "base/sha256.h"
#include "base/words.h"

/*
 * Between the two sides of an isolated call. Standard input carries only the
 * input; everything else goes through these variables. The runner removes them
 * from its environment before it runs anything.
 */
#define W_ISOLATED_CALL      "WRIT_MODULE_CALL"      /* keys of a request */
#define W_ISOLATED_ARGUMENTS "WRIT_MODULE_ARGUMENTS" /* a writ_arguments */
#define W_ISOLATED_TRACE     "WRIT_MODULE_TRACE_ID"
#define W_ISOLATED_FILE      "WRIT_MODULE_FILE"    /* stat data and path */
#define W_ISOLATED_PROFILE   "WRIT_MODULE_PROFILE" /* as decided */
#define W_ISOLATED_BASE      "WRIT_MODULE_BASE"    /* of the outer engine */
#define W_ISOLATED_POLICIES                                            \
	"WRIT_MODULE_POLICIES"                   /* checksums of those \
						    that decided */
#define W_ISOLATED_DECIDED "WRIT_MODULE_DECIDED" /* when, and the proof */

/* Where modules are, if no option says. */
#define W_ISOLATED_MODULES    "WRIT_MODULES"
#define W_ISOLATED_EXTENSIONS "APCORE_EXTENSIONS_ROOT"

/* Appends the variables NAME=VALUE for a runner with these options, with
 * absolute paths. */
writ_status w_isolated_env(const writ_isolated_options *opts,
    const writ_config *config, struct w_words *env, writ_error *err);

/* Appends the variable with the module's file, and sets whether it is not
 * the project's; neither if it is not found. */
writ_status w_isolated_put_file(const char *id,
    const writ_isolated_options *opts, const writ_config *config,
    struct w_words *env, bool *out_is_trusted, writ_error *err);

/* The modules of a runner: the one in the file that the variable names, or
 * all. The caller frees *out_modules. */
writ_status w_isolated_modules(
    const char *id, writ_modules **out_modules, writ_error *err);

/* The same from the value of the variable. */
writ_status w_isolated_modules_of(const char *id, const char *text,
    writ_modules **out_modules, writ_error *err);

/*
 * Proves to a runner that its call was decided, with the key of the state
 * directory: for a minute, ask has become allow for this module, this input and
 * these options, in this directory, by these policies. text:
 * W_ISOLATED_PROOF_MAX bytes.
 */
#define W_ISOLATED_PROOF_MAX 96
struct w_isolated_proof {
	const struct w_isolated_input *input;
	const char *file; /* value of its variable; NULL: none */
	const char *cwd;
	const char *base;     /* of the engine; NULL: none */
	const char *policies; /* value of their variable; NULL: none */
};
void w_isolated_prove(const struct w_hmac_key *key,
    const struct w_isolated_proof *proof, char out_text[W_ISOLATED_PROOF_MAX]);
bool w_isolated_is_proven(const struct w_hmac_key *key,
    const struct w_isolated_proof *proof, const char *text);

/* Removes one of our variables from the environment. The caller frees
 * *out_value; NULL: not set. */
writ_status w_isolated_take_env(
    const char *name, char **out_value, writ_error *err);

/* What a runner has to call. Borrowed. */
struct w_isolated_input {
	const char *id;
	const char *text; /* the input, len bytes and a NUL */
	size_t len;
	const char *trace_id;  /* NULL: none */
	const char *call;      /* keys of a request; NULL: none */
	const char *arguments; /* name of a writ_arguments; NULL: literal */
	const char *profile;   /* for a call that names none; NULL: none */
	bool is_here; /* in the runner: the module runs in its directory */
};

/* Makes the call. The caller frees *out_call. */
writ_status w_isolated_call(writ_modules *modules,
    const struct w_isolated_input *input, writ_call **out_call,
    writ_error *err);

/* Names of writ_arguments; false: unknown. */
const char *w_isolated_arguments_word(writ_arguments arguments);
bool w_isolated_arguments_find(const char *word, writ_arguments *out_arguments);

/* A piece of a runner's output. */
struct w_isolated_text {
	const char *at;
	size_t len;
};

/* The end of its standard error, which has the reason. */
struct w_isolated_text w_isolated_stderr(const writ_result *result);

/* Trims blanks and newlines at the end; the last line of the trimmed text. */
struct w_isolated_text w_isolated_trim(struct w_isolated_text text);
struct w_isolated_text w_isolated_last_line(struct w_isolated_text text);

/* The error that a runner reported: the member "error" of its last line, or
 * NULL. The caller frees the document in either case. */
yyjson_val *w_isolated_cause(const writ_result *result, yyjson_doc **out_doc);

#endif /* W_ENGINE_ISOLATED_H */
