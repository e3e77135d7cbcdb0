/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_APPLY_PHASES_H
#define W_MANIFEST_APPLY_PHASES_H

#include "manifest/apply/resource_step.h"

/* The steps of a turn around what is particular to its type. */

/* Whether it is taken up at all: its requirements are met, and control says
 * so. false: the event says why not. */
bool w_apply_conditions(struct w_resource_step *step);

/* What of a manifest is applied. */
struct w_apply_selection {
	bool *chosen; /* by index; NULL: everything */
};

/* Refuses what no resource is called. */
writ_status w_apply_select(struct w_apply_selection *selection,
    const struct w_manifest *manifest, const char *const *only,
    writ_error *err);
void w_apply_selection_done(struct w_apply_selection *selection);

/* Completes the event, records it, shows it. */
writ_status w_apply_record(
    struct w_resource_step *step, uint64_t begun_ns, writ_error *err);
uint64_t w_apply_now_ns(void);

#endif /* W_MANIFEST_APPLY_PHASES_H */
