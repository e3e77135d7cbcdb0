/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_LANDLOCK_RULES_H
#define W_SANDBOX_LANDLOCK_RULES_H

#include "sandbox/landlock/landlock_abi.h"
#include "sandbox/landlock/landlock_plan.h"

enum {
	/* more would slow down every start */
	W_LANDLOCK_RULES_MAX = 4096
};

#define W_LANDLOCK_READ (W_LANDLOCK_READ_FILE | W_LANDLOCK_READ_DIR)

/* Device nodes are not included: using one takes more than write access. */
#define W_LANDLOCK_WRITE                                                       \
	(W_LANDLOCK_WRITE_FILE | W_LANDLOCK_TRUNCATE | W_LANDLOCK_REMOVE_DIR | \
	    W_LANDLOCK_REMOVE_FILE | W_LANDLOCK_MAKE_DIR |                     \
	    W_LANDLOCK_MAKE_REG | W_LANDLOCK_MAKE_SOCK |                       \
	    W_LANDLOCK_MAKE_FIFO | W_LANDLOCK_MAKE_SYM | W_LANDLOCK_REFER)

/* The kernel rejects any other right on a non-directory. */
#define W_LANDLOCK_OF_FILE                                                   \
	(W_LANDLOCK_EXECUTE | W_LANDLOCK_WRITE_FILE | W_LANDLOCK_READ_FILE | \
	    W_LANDLOCK_TRUNCATE | W_LANDLOCK_IOCTL_DEV)

/* A plan under construction. All borrowed. */
struct w_landlock_builder {
	const struct w_resolved_profile *resolved;
	struct w_string_table *strings;
	struct w_landlock_plan *plan;
	bool has_view; /* mounts hide and guard; rules only close */
};

enum w_landlock_kind {
	W_LANDLOCK_DIR,
	W_LANDLOCK_FILE,
};

/* Adds a rule without the rights that the ABI or the file type does not
 * support; adds nothing if no right is left. */
writ_status w_landlock_rule_add(struct w_landlock_builder *builder,
    const char *path, enum w_landlock_kind kind, uint64_t access,
    bool is_optional, writ_error *err);

/*
 * Adds the rules for one grant where no mounts make the view, or for closed
 * directories, which mounts cannot do.
 *
 * Rules only add rights, from the root of the tree down, so a hidden or guarded
 * path cannot be subtracted from a grant: the grant goes to everything beside
 * the way to that path, entry by entry. The directories on the way get the
 * rights that hold for everything beneath them:
 *
 * - Above a hidden directory they cannot be listed: the right would reach into
 *   it and reveal names. Above a hidden file they can.
 * - Above a guarded path they can be read, and nothing can be created in them.
 * - Above a closed directory they can be listed.
 *
 * What is added to such a directory later is not granted either. /dev is cut
 * out of every grant above it: the owner of a disk could read around all rules
 * there.
 */
writ_status w_landlock_grant_add(struct w_landlock_builder *builder,
    const struct w_real_path *grant, uint64_t access, bool is_optional,
    writ_error *err);

#endif /* W_SANDBOX_LANDLOCK_RULES_H */
