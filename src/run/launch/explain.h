/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_EXPLAIN_H
#define W_RUN_EXPLAIN_H

#include "run/launch/launch.h"

/* The result of a start: 0, or an errno, and the step if a child failed. */
struct w_attempt {
	int error;
	bool is_step;
	enum w_step step;
	unsigned detail; /* index of the mount or rule */
};

/* Whether a resource was short for the moment, which proves nothing about this
 * machine's abilities. */
bool w_explain_is_exhaustion(int error);

/* Fills err with why a command could not be started. */
writ_status w_explain_start(const struct w_launch *launch,
    const struct w_attempt *attempt, writ_error *err);

/* Fills err with why the requested containment is not available. */
writ_status w_explain_hold(writ_hold hold, int error, writ_error *err);

/* The enum w_layer whose step failed; -1: none. */
int w_explain_layer(
    const struct w_launch *launch, const struct w_attempt *attempt);

/* Whether that layer is unavailable here. false: a path was in the way. Whoever
 * can change paths must not be able to have a layer dropped. */
bool w_explain_is_lacking(const struct w_attempt *attempt);

/* Fills err with why that layer is not available. */
writ_status w_explain_missing_layer(const struct w_launch *launch,
    const struct w_attempt *attempt, int layer, writ_error *err);

#endif /* W_RUN_EXPLAIN_H */
