/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_APPLY_STEPS_H
#define W_MANIFEST_APPLY_STEPS_H

#include "manifest/turn.h"

/* The steps of a turn around what is particular to its type. */

/* Whether it is taken up at all: its requirements are met, and control says
 * so. false: the event says why not. */
bool w_apply_conditions(struct w_turn *turn);

/* What of a manifest is applied. */
struct w_choice {
	bool *chosen; /* by index; NULL: everything */
};

/* Refuses what no resource is called. */
writ_status w_choice_make(struct w_choice *choice,
    const struct w_manifest *manifest, const char *const *only,
    writ_error *err);
void w_choice_done(struct w_choice *choice);

/* Completes the event, records it, shows it. */
writ_status w_apply_record(
    struct w_turn *turn, uint64_t begun_ns, writ_error *err);
uint64_t w_apply_now_ns(void);

#endif /* W_MANIFEST_APPLY_STEPS_H */
