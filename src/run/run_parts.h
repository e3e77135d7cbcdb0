/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_RUN_PARTS_H
#define W_RUN_RUN_PARTS_H

#include "run/run.h"

/* Functions shared by the files that implement a run. */

#define JOB_OF(ptr, member) W_CONTAINER_OF(ptr, struct writ_job, member)

/* run.c */
void w_run_arm_after(struct writ_job *job, struct w_timer *timer, uint64_t ms);
unsigned w_run_count_others(const struct writ_job *job);
void w_run_force(struct writ_job *job);
void w_run_on_tree_gone(struct writ_job *job);

/* run_start.c: whether there are so many runs that long-lived descriptors
 * should move up and make room for the next start. */
bool w_run_is_crowded(const struct writ_job *job);

/* run_pty.c: opens the terminal in place of the pipes, before the launch, and
 * reads from it, after. */
writ_status w_run_open_pty(struct writ_job *job,
    const struct w_prepared *prepared, bool is_confined, writ_error *err);
writ_status w_run_attach_pty(struct writ_job *job, writ_error *err);

/* run_record.c: for runs with has_begun. The result takes the recording;
 * without a result it stays on disk. */
void w_run_record_init(struct writ_job *job);
/* Called while the command starts: opens the file for its recording. */
void w_run_record_prepare(const struct writ_job *job);
void w_run_record_add(
    struct writ_job *job, writ_stream which, const struct w_chunk *chunk);
void w_run_record_take(struct writ_job *job);
void w_run_record_free(struct writ_job *job);

/* run_child.c: callbacks for our child, the helper's socket and the group. */
void w_run_on_child(struct w_source *source, uint32_t events);
void w_run_on_socket(struct w_source *source, uint32_t events);
void w_run_on_events(struct w_source *source, uint32_t events);
void w_run_on_recheck(struct w_timer *timer);

/* Hands our child over to the runner, which reaps it when it ends. is_leaving:
 * it ends at once. */
bool w_run_detach_child(struct writ_job *job, bool is_leaving);

#endif /* W_RUN_RUN_PARTS_H */
