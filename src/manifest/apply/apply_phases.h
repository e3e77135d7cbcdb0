/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_APPLY_PHASES_H
#define W_MANIFEST_APPLY_PHASES_H

#include "manifest/apply/resource_step.h"

/* The phases of a step that all types of resources share. */

/* Whether it is applied: its requirements are met, and control allows it.
 * false: the event says why not. */
bool w_apply_conditions(struct w_resource_step *step);

/* The resources to apply. */
struct w_apply_selection {
	bool *chosen; /* by index; NULL: all */
};

/* Fails if a name or tag matches no resource. */
writ_status w_apply_select(struct w_apply_selection *selection,
    const struct w_manifest *manifest, const struct w_apply_options *options,
    writ_error *err);
void w_apply_selection_done(struct w_apply_selection *selection);

/* Completes, records and shows the event. */
writ_status w_apply_record(
    struct w_resource_step *step, uint64_t begun_ns, writ_error *err);
uint64_t w_apply_now_ns(void);

/* ---- apply.c ---- */

/* What is done for a resource; the step has begun. */
void w_apply_resource(struct w_resource_step *step);

/* Whether it has failed, and its manifest ends with that. */
bool w_apply_ends(const struct w_resource_step *step);

/* After that: what is owed, and the event. *out_stop: it ends the apply. */
writ_status w_apply_conclude(struct w_resource_step *step, uint64_t begun_ns,
    bool *out_stop, writ_error *err);

#endif /* W_MANIFEST_APPLY_PHASES_H */
