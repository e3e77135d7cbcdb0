/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_PLAN_BUILDER_H
#define W_SANDBOX_PLAN_BUILDER_H

#include "sandbox/child/sandbox_plan.h"
#include "sandbox/profile/resolved_profile.h"
#include "sandbox/seccomp/seccomp_filter.h"

/* How a confinement is to be built here. */
struct w_sandbox_plan_options {
	uint32_t layers;     /* which walls: see w_walls_layers() */
	int landlock_abi;    /* 0: no rules are made */
	bool explains;       /* denials go to a listener */
	bool is_late;        /* walls rise when the order is there */
	bool may_keep;       /* the background may live on */
	const char *scratch; /* writable, where there is no view; may be NULL */
};

/* Puts the realm together. *out_realm is yours: free(). */
writ_status w_sandbox_plan_build(const struct w_resolved_profile *resolved,
    const struct w_sandbox_plan_options *options,
    struct w_sandbox_plan **out_sandbox_plan, writ_error *err);

/* The filter of a realm; with terms that do not explain, the one that decides
 * what a listener may let go on. */
void w_sandbox_plan_filter(const struct w_resolved_profile *resolved,
    const struct w_sandbox_plan_options *options,
    struct w_seccomp_filter *out_filter);

#endif /* W_SANDBOX_PLAN_BUILDER_H */
