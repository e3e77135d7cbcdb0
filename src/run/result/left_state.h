/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_LEFT_STATE_H
#define W_RUN_LEFT_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/words.h"

/*
 * The working directory and the exported variables that a bash left behind. It
 * wrote them itself, by the file of W_SHARED_HOOK_PATH, to a place where other
 * runs write, too: hostile bytes.
 *
 *     DIRECTORY
 *     declare -x NAME="VALUE"
 *     ...
 */
struct w_left_state {
	char *cwd;          /* absolute; NULL: unknown */
	struct w_words env; /* NAME=VALUE */
};

enum {
	W_LEFT_STATE_MAX = 64 * 1024, /* bytes of the file */
	W_LEFT_STATE_VARIABLES = 256  /* that are kept */
};

/* Whether a variable makes programs run code, by the lists of a higher layer;
 * NULL: any may. */
typedef bool (*w_left_state_risky_fn)(const char *name);

/*
 * Reads what a bash wrote. Variables that are not plain text, that bash or writ
 * sets itself, or that make programs run code are left out, and so are those
 * that are as they were in env (NULL-ended). false: it is not in this form;
 * then nothing of it is taken. *out_state is empty before.
 */
bool w_left_state_read(const char *bytes, size_t len, char *const *env,
    w_left_state_risky_fn is_risky, struct w_left_state *out_state);
/* Whether a variable, NAME=VALUE, that was read once may be set in an
 * environment that has no such name. */
bool w_left_state_is_kept(
    const char *variable, char *const *env, w_left_state_risky_fn is_risky);
void w_left_state_done(struct w_left_state *state);

#endif /* W_RUN_LEFT_STATE_H */
