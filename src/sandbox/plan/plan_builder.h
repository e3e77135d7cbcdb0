/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_PLAN_BUILDER_H
#define W_SANDBOX_PLAN_BUILDER_H

#include "sandbox/child/sandbox_plan.h"
#include "sandbox/mounts/mount_plan.h"
#include "sandbox/profile/resolved_profile.h"
#include "sandbox/seccomp/seccomp_filter.h"

/* How to build a resolved profile on this machine. */
struct w_sandbox_plan_options {
	uint32_t layers;    /* see w_walls_layers() */
	int landlock_abi;   /* 0: no rules */
	bool explains;      /* denials go to a listener */
	bool judges;        /* starts of programs go to a listener */
	uint64_t exec_pass; /* see struct w_seccomp_kind */
	bool is_late;  /* walls are applied when the exec message arrives */
	bool may_keep; /* background processes may live on */
	const char *scratch; /* writable if there is no view; may be NULL */
	const struct w_shared_walls *shared; /* of a session; NULL: none */
	const struct w_mount_layer *layer;   /* over the project; NULL: none */
};

/* Builds the sandbox plan. The caller frees *out_sandbox_plan with free(). */
writ_status w_sandbox_plan_build(const struct w_resolved_profile *resolved,
    const struct w_sandbox_plan_options *options,
    struct w_sandbox_plan **out_sandbox_plan, writ_error *err);

/* The seccomp filter of a plan. Without `explains` and `judges` in the options:
 * the filter that decides which calls a listener may continue. */
void w_sandbox_plan_filter(const struct w_resolved_profile *resolved,
    const struct w_sandbox_plan_options *options,
    struct w_seccomp_filter *out_filter);

#endif /* W_SANDBOX_PLAN_BUILDER_H */
