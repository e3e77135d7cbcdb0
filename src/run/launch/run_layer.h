/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_RUN_LAYER_H
#define W_RUN_RUN_LAYER_H

#include "run/launch/run_sandbox.h"

/* The layer of a run: the start of it. run_changes.c has the end. */

/* Whether a run in the sandbox gets a layer. Over *out_root; NULL: it gets
 * none, and *out_lack says why, if it was to have one. Fails if the run must
 * not go without. Depends on what the sandbox resolved to and not on how old it
 * is. */
writ_status w_run_layer_look(const struct w_run_sandbox *sandbox,
    const struct w_run_sandbox_context *context, const char **out_root,
    const char **out_lack, writ_error *err);

/* Makes the layer over root. */
writ_status w_run_layer_make(struct w_run_sandbox *sandbox,
    const struct w_run_sandbox_context *context, const char *root,
    writ_error *err);

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
