/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_WALL_DENIALS_H
#define W_RUN_WALL_DENIALS_H

#include <limits.h>

#include "run/denials/denial_wall.h"
#include "run/launch/run_sandbox.h"

/*
 * The walls that were part of a run's failure, as its result has them
 * (writ_wall_denial).
 *
 * Nothing is done while the command runs. After a failure the end of its output
 * is searched for what programs say when they are refused something
 * (complaint.h). What the sandbox of this run does refuse, by its profile, is a
 * guess; the words may be forged. What the kernel reported (denials.h) is
 * certain.
 */
enum {
	W_WALL_DENIALS_MAX = 5,
	W_WALL_DENIAL_TEXT_MAX = 200, /* bytes of a path or host */
};

struct w_wall_denial_texts {
	char what[32];
	char name[W_WALL_DENIAL_TEXT_MAX + 1];
	char ask[W_WALL_DENIAL_TEXT_MAX + 1];
};

struct w_wall_denials {
	writ_wall_denial items[W_WALL_DENIALS_MAX];
	struct w_wall_denial_texts texts[W_WALL_DENIALS_MAX];
	size_t count;
};

/* Adds what the output of a failed run, by writ_stream, complains about.
 * Without memory nothing is added. */
void w_wall_denials_guess(struct w_wall_denials *denials,
    const struct w_run_sandbox *sandbox, const char *state_dir,
    const writ_output *const outputs[2]);

/* Adds what the kernel reported. */
void w_wall_denials_take(struct w_wall_denials *denials,
    const struct w_denial_context *context, const writ_denial *reported,
    size_t count);

/* Adds a host that was refused, as "name", "name:port" or "address:port". */
void w_wall_denials_add_host(struct w_wall_denials *denials, const char *host);

#endif /* W_RUN_WALL_DENIALS_H */
