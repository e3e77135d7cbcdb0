/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_MOUNT_PLAN_H
#define W_SANDBOX_MOUNT_PLAN_H

#include "base/buf.h"
#include "sandbox/child/enter.h"
#include "sandbox/child/shared_walls.h"
#include "sandbox/profile/resolved_profile.h"

/* Where the sandbox's own tmpfs is mounted first. */
#define W_MOUNT_BASE "/proc"

/* Strings by offset; offset 0 is the empty string. */
struct w_string_table {
	struct w_buf text;
};

void w_string_table_init(struct w_string_table *table);
void w_string_table_done(struct w_string_table *table);
/* Returns the offset; a failed allocation shows in text.failed. Equal strings
 * may share an offset. */
uint32_t w_string_table_add(struct w_string_table *table, const char *text);

/* A layer over a directory of the view: what the command writes there goes to
 * upper in a directory of the same mount, with work beside it. */
struct w_mount_layer {
	const char *root; /* the directory, canonical */
	const char *path; /* of upper and work; the view has it nowhere */
	uint64_t dev;     /* of path */
	uint64_t ino;
};

struct w_mount_plan {
	struct w_mount_op *ops;
	size_t count;
	size_t cap;
};

/* The default size of a run's private /tmp, /var/tmp and /dev/shm together: a
 * quarter of the machine's memory, at most 8 GiB. The kernel's own default is
 * half of memory. */
uint64_t w_mount_tmp_default(void);

/*
 * The file system view for WORKSPACE and STRICT walls, as steps for
 * w_enter_mounts(). Nothing is created in the caller's tree: mount points
 * either exist or lie in a tmpfs of the sandbox.
 *
 * WORKSPACE keeps the machine's root read-only, with the writable grants
 * writable, hidden paths masked, guarded ones read-only (each directory between
 * a writable root and such a path becomes a mount point too, so that it cannot
 * be renamed away), private /tmp, /var/tmp, /dev/shm, /run, /dev and /proc.
 * STRICT builds its own root on a tmpfs from the grants.
 *
 * shared: the session whose directories take the place of the private /tmp,
 * /var/tmp and /dev/shm; NULL: none. layer: NULL: none.
 */
writ_status w_mount_plan_build(const struct w_resolved_profile *resolved,
    const struct w_shared_walls *shared, const struct w_mount_layer *layer,
    struct w_string_table *strings, struct w_mount_plan *out_plan,
    writ_error *err);
void w_mount_plan_done(struct w_mount_plan *plan);

#endif /* W_SANDBOX_MOUNT_PLAN_H */
