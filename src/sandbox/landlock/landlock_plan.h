/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_LANDLOCK_PLAN_H
#define W_SANDBOX_LANDLOCK_PLAN_H

#include "sandbox/child/enter.h"
#include "sandbox/mounts/mount_plan.h"
#include "sandbox/profile/resolved_profile.h"

/* The newest ABI of the kernel; 0: no Landlock, with *out_errno (may be NULL)
 * set to the reason (ENOSYS: not built in or filtered, EOPNOTSUPP:
 * disabled). */
int w_landlock_abi(int *out_errno);

struct w_landlock_plan {
	struct w_landlock_scope scope; /* what this ABI can handle */
	struct w_landlock_rule *rules;
	size_t count;
	size_t cap;
	bool has_network; /* TCP is denied (network off, ABI 4) */
	bool has_scopes;  /* so are signals and abstract sockets (ABI 6) */
};

/*
 * The rules for a resolved profile.
 *
 * For WORKSPACE and STRICT they complete the view that the mounts made: read
 * and execute on "/", everything on what is writable, the private /tmp,
 * /var/tmp, /dev/shm, and write with ioctl on the few device nodes. With
 * scratch, that replaces the private directories: runs share the view.
 *
 * For READONLY there is no view, so the rules must do everything: hidden paths
 * cannot be subtracted, so their siblings are granted one by one; scratch (a
 * directory of this run, without symbolic links, may be NULL) is writable,
 * besides what the grants say and /dev/null, zero, full, random, urandom, tty.
 * A directory with a hidden directory somewhere beneath it cannot be listed;
 * landlock_rules.h says why. An ABI below 3 fails then: it would let a command
 * truncate files. Names, sizes and times of hidden files stay visible to
 * anyone who knows their path: Landlock has no right for that.
 */
writ_status w_landlock_plan_build(const struct w_resolved_profile *resolved,
    int abi, const char *scratch, struct w_string_table *strings,
    struct w_landlock_plan *out_plan, writ_error *err);
void w_landlock_plan_done(struct w_landlock_plan *plan);

#endif /* W_SANDBOX_LANDLOCK_PLAN_H */
