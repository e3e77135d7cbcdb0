/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_SANDBOX_USE_H
#define W_RUN_SANDBOX_USE_H

#include "run/run.h"

/* What a run has to do with its sandbox besides starting in it. */

/* Takes over the ward of a prepared run and makes room in the result for all
 * that may have to be said about it. */
writ_status w_run_take_sandbox(
    struct writ_job *job, struct w_prepared *prepared, writ_error *err);

/* Names the protected paths that have come into being. */
void w_run_find_created(struct writ_job *job);

/* Names the files that were made or changed and that run something later. */
void w_run_find_triggers(struct writ_job *job);

/* Gives the ward back. The tree is gone. */
void w_run_leave_sandbox(struct writ_job *job);

/* A message of the helper; 1: it was one, 0: none is there, -1: none will
 * come. A descriptor that came with it is put where it belongs. */
int w_run_receive_event(struct writ_job *job, struct w_helper_event *out_event);

#endif /* W_RUN_SANDBOX_USE_H */
