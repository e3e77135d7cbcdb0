/* SPDX-License-Identifier: Apache-2.0 */

/* Turns a resolved profile into the steps that build its view. */

#include "sandbox/mounts/mount_plan.h"

#include <stdlib.h>

#include "sandbox/mounts/mount_builder.h"

#define STAGE "sandbox"

writ_status
w_mount_plan_build(const struct w_resolved_profile *resolved,
    const struct w_shared_walls *shared, const struct w_mount_layer *layer,
    struct w_string_table *strings, struct w_mount_plan *out_plan,
    writ_error *err)
{
	struct w_mount_builder self = {.resolved = resolved,
	    .shared = shared,
	    .layer = layer,
	    .strings = strings};

	writ_status status =
	    w_mount_view_build(resolved, shared == NULL, &self.view, err);
	if (status != WRIT_OK)
		return status;
	w_mount_template_add(&self);
	w_mount_run_add(&self);
	w_mount_view_done(&self.view);
	w_words_done(&self.made);
	if (self.has_failed || strings->text.failed) {
		status = w_fail_nomem(err, STAGE);
	} else if (self.is_full) {
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the profile '%s' brings along more than %d places",
		    resolved->profile, (int)W_MOUNT_PROC_SLOT);
		w_suggest(
		    err, "name a directory that contains several of them");
	}
	if (status == WRIT_OK)
		*out_plan = self.plan;
	else
		w_mount_plan_done(&self.plan);
	return status;
}

void
w_mount_plan_done(struct w_mount_plan *plan)
{
	free(plan->ops);
	*plan = (struct w_mount_plan){0};
}
