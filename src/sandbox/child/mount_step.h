/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_MOUNT_STEP_H
#define W_SANDBOX_MOUNT_STEP_H

#include "sandbox/child/enter.h"

/* A step of a mount plan with its strings resolved. */
struct w_enter_step {
	const struct w_mount_op *op;
	const char *source;
	const char *target;
	int *kept;
};

/* fresh_mounts.c: the steps that create something new or finish it. */
long w_enter_tmpfs(const struct w_enter_step *step);
long w_enter_proc(const struct w_enter_step *step);
long w_enter_devpts(const struct w_enter_step *step);
long w_enter_dir(const struct w_enter_step *step);
long w_enter_file(const struct w_enter_step *step);
long w_enter_symlink(const struct w_enter_step *step);
long w_enter_seal(const struct w_enter_step *step);
long w_enter_pivot(const struct w_enter_step *step);

#endif /* W_SANDBOX_MOUNT_STEP_H */
