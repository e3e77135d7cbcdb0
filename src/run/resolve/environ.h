/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_ENVIRON_H
#define W_RUN_ENVIRON_H

#include <stdbool.h>

#include <writ/run.h>

#include "base/words.h"
#include "run/resolve/identity.h"

struct w_environ_sources {
	char *const *inherited;            /* the engine's own, NULL-ended */
	const struct w_identity *identity; /* the user of the command */
	const char *private_dir; /* for the isolated mode, else NULL */
	const char *home;        /* HOME inside the sandbox; NULL: unchanged */
	const char *tmp;         /* TMPDIR, the same */
};

/* Builds the command's environment as the request asks. */
writ_status w_environ_build(const writ_request *request,
    const struct w_environ_sources *sources, struct w_words *out_env,
    writ_error *err);

/* Whether sources->home and tmp only change two values in an environment that
 * was built without them. */
bool w_environ_can_move(const writ_request *request);

/* Sets those. false: no memory. */
bool w_environ_move(
    struct w_words *env, const struct w_environ_sources *sources);

/* The value of a name in a list of NAME=VALUE; NULL: absent. */
const char *w_environ_get(char *const *env, const char *name);

/*
 * Whether a variable can make programs run arbitrary code (LD_*, BASH_ENV,
 * PYTHONPATH, ...). Such a variable passes only when it is set or named in
 * full, on purpose.
 */
bool w_environ_runs_code(const char *name);

#endif /* W_RUN_ENVIRON_H */
