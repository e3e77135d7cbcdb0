/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_APPLY_OWED_H
#define W_MANIFEST_APPLY_OWED_H

#include "manifest/apply/resource_step.h"

/*
 * An apply and the refreshes that are owed: which resources subscribe to which,
 * what is owed before a change, and what a refresh pays.
 *
 * A refresh that is owed is paid by a resource of the same type and name, in
 * the manifest of the same path, or in another one if it subscribes to what
 * changed there, too.
 */
struct w_apply_owed {
	struct w_owed *owed; /* NULL: nothing is kept */
	const char *path;
	const size_t *starts; /* by index of a resource: its first subscriber;
			       * NULL: nobody subscribes */
	const char **names;   /* subscribers, resource by resource */
	const bool *chosen;   /* NULL: all */
	bool is_announced;
	bool has_promised; /* in this step */
	struct w_arena arena;
};

/* Finds who subscribes to whom. chosen is borrowed. */
writ_status w_apply_owed_init(struct w_apply_owed *keeper,
    const struct w_manifest *manifest, const struct w_apply_options *options,
    const bool *chosen, writ_error *err);
void w_apply_owed_done(struct w_apply_owed *keeper);

/* Before this step changes anything. Fails: then nothing may be changed. */
writ_status w_apply_owed_promise(struct w_resource_step *step, writ_error *err);

/* The first refresh that is owed to an exec and that it would pay for; not for
 * a resource whose event in this session is a failure. NULL: none. */
const struct w_owed_refresh *w_apply_owed_trigger(
    const struct w_resource_step *step, const struct w_resource *resource);

/* After the step: what it refreshed is paid. */
void w_apply_owed_settle(struct w_resource_step *step);

/* The apply has ended by itself, or was interrupted. */
writ_status w_apply_owed_conclude(
    struct w_resource_step *step, writ_error *err);

#endif /* W_MANIFEST_APPLY_OWED_H */
