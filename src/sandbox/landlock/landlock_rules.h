/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_LANDLOCK_RULES_H
#define W_SANDBOX_LANDLOCK_RULES_H

#include "sandbox/landlock/landlock_abi.h"
#include "sandbox/landlock/landlock_plan.h"

enum {
	/* More would make each start slow. */
	W_LANDLOCK_RULES_MAX = 4096
};

#define W_LANDLOCK_READ (W_LANDLOCK_READ_FILE | W_LANDLOCK_READ_DIR)

/* Neither device nodes: what they are good for needs more than a file. */
#define W_LANDLOCK_WRITE                                                       \
	(W_LANDLOCK_WRITE_FILE | W_LANDLOCK_TRUNCATE | W_LANDLOCK_REMOVE_DIR | \
	    W_LANDLOCK_REMOVE_FILE | W_LANDLOCK_MAKE_DIR |                     \
	    W_LANDLOCK_MAKE_REG | W_LANDLOCK_MAKE_SOCK |                       \
	    W_LANDLOCK_MAKE_FIFO | W_LANDLOCK_MAKE_SYM | W_LANDLOCK_REFER)

/* The kernel refuses any other right on what is no directory. */
#define W_LANDLOCK_OF_FILE                                                   \
	(W_LANDLOCK_EXECUTE | W_LANDLOCK_WRITE_FILE | W_LANDLOCK_READ_FILE | \
	    W_LANDLOCK_TRUNCATE | W_LANDLOCK_IOCTL_DEV)

/* A plan in the making. All borrowed. */
struct w_landlock_builder {
	const struct w_resolved_profile *resolved;
	struct w_string_table *strings;
	struct w_landlock_plan *plan;
	bool has_view; /* mounts hide and guard; rules need only close */
};

enum w_landlock_kind {
	W_LANDLOCK_DIR,
	W_LANDLOCK_FILE,
};

/* Adds a rule, without the rights that the ABI or the kind of file does not
 * know; no rule if nothing is left. */
writ_status w_landlock_rule_add(struct w_landlock_builder *builder,
    const char *path, enum w_landlock_kind kind, uint64_t access,
    bool is_optional, writ_error *err);

/*
 * Adds the rules for one grant where no mounts make the view, or where the
 * mounts cannot: closed places.
 *
 * Rules only add up, from the root of the tree down, so a hidden or guarded
 * place cannot be taken out of a grant: the grant goes to everything beside
 * the way to that place, entry by entry. The directories on the way get what
 * all that lies beneath them may have:
 *
 * - Above a hidden directory they cannot be listed, as the right would reach
 *   into it and names are told by lists. Above a hidden file they can.
 * - Above a guarded place they can be read, and nothing can be made in them.
 *
 * - Above a closed place they can be listed.
 *
 * What somebody adds to such a directory later is not granted either. /dev is
 * cut out of every grant above it: the owner of a disk could read around all
 * rules there.
 */
writ_status w_landlock_grant_add(struct w_landlock_builder *builder,
    const struct w_real_path *grant, uint64_t access, bool is_optional,
    writ_error *err);

#endif /* W_SANDBOX_LANDLOCK_RULES_H */
