/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_SANDBOX_USE_H
#define W_RUN_SANDBOX_USE_H

#include "run/launch/disk_tmp.h"
#include "run/run.h"

/* What a run does with its sandbox besides starting in it. */

/* Takes over the sandbox of a prepared run and reserves memory in the result
 * for everything that may have to be reported about it. */
writ_status w_run_take_sandbox(
    struct writ_job *job, struct w_prepared *prepared, writ_error *err);

/* The directory on disk in which its /tmp lies; NULL: it does not. */
struct w_disk_tmp *w_run_disk_tmp(const struct writ_job *job);

/* Adds the walls that were part of its failure to the result. */
void w_run_find_wall_denials(struct writ_job *job);

/* Adds the protected paths that now exist to the result. */
void w_run_find_created(struct writ_job *job);

/* Adds the changed files that run code later to the result. */
void w_run_find_triggers(struct writ_job *job);
/* Carries over what the run may set in .git/config, and reports the rest. After
 * the triggers: it changes a file that is one. */
void w_run_settle_settings(struct writ_job *job);

/* Reads an event of the helper. 1: read; 0: none now; -1: none will come. A
 * descriptor that came with it is stored in the job. */
int w_run_receive_event(struct writ_job *job, struct w_helper_event *out_event);

/* Looks in what a failed run wrote to standard error for what a layer cannot
 * do. */
void w_run_layer_read(struct writ_job *job, const writ_output *err);

/* Accepts what the run wrote to its layer, or lets it wait; puts into the
 * result what changed. */
void w_run_layer_settle(struct writ_job *job);

#endif /* W_RUN_SANDBOX_USE_H */
