/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_RUN_LAYER_H
#define W_RUN_RUN_LAYER_H

#include "run/launch/run_sandbox.h"

/* The layer of a run: the start of it. run_changes.c has the end. */

/* Makes the layer that the context asks for, or notes why there is none. Fails
 * if the run must not go without. */
writ_status w_run_layer_make(struct w_run_sandbox *sandbox,
    const struct w_run_sandbox_context *context, writ_error *err);

/* Describes it for the sandbox plan; false: there is none. *out is borrowed
 * from the sandbox. */
bool w_run_layer_mount(
    const struct w_run_sandbox *sandbox, struct w_mount_layer *out);

/* Changes the ids of a file that the command is given, if it lies in the layer,
 * to those that it has there: of any device, since the number of an overlay's
 * is not known yet. */
void w_run_layer_convert(const struct w_run_sandbox *sandbox, const char *path,
    uint64_t *dev, uint64_t *ino);

#endif /* W_RUN_RUN_LAYER_H */
