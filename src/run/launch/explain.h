/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_EXPLAIN_H
#define W_RUN_EXPLAIN_H

#include "run/launch/launch.h"

/* What a start came to: 0, or an errno, and the step if a child took it. */
struct w_attempt {
	int error;
	bool is_step;
	enum w_step step;
	unsigned detail; /* which of many things the step was about */
};

/* Whether something was short for the moment, which says nothing about what
 * this machine can do. */
bool w_explain_is_exhaustion(int error);

/* Says in words why a command could not be started. */
writ_status w_explain_start(const struct w_launch *launch,
    const struct w_attempt *attempt, writ_error *err);

/* Says why the hold that was asked for cannot be had, and what would help. */
writ_status w_explain_hold(writ_hold hold, int error, writ_error *err);

/* Which enum w_layer of the sandbox a start failed for; -1: for none. */
int w_explain_layer(
    const struct w_launch *launch, const struct w_attempt *attempt);

/* Whether that layer is not to be had here; false: a path was in its way, and
 * who can change paths must not be able to have a layer given up. */
bool w_explain_is_lacking(const struct w_attempt *attempt);

/* Says why that layer could not be had. */
writ_status w_explain_missing_layer(const struct w_launch *launch,
    const struct w_attempt *attempt, int layer, writ_error *err);

#endif /* W_RUN_EXPLAIN_H */
