/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_SCRATCH_H
#define W_RUN_SCRATCH_H

#include <stdbool.h>

#include "run/resolve/identity.h"

/* Whether memory is to be had for them; looked up once. All zero: not yet. */
struct w_scratch_place {
	bool is_known;
	bool has_memory;
};

/*
 * A fresh private directory for one run, HOME and TMPDIR of the isolated
 * environment: in memory where there is a tmpfs, owned by the user that the
 * command runs as. place may be NULL. *out_path is yours.
 */
writ_status w_scratch_make(const struct w_identity *identity,
    struct w_scratch_place *place, char **out_path, writ_error *err);

/* Deletes it with everything in it, and frees the path. NULL is allowed. */
void w_scratch_remove(char *path);

#endif /* W_RUN_SCRATCH_H */
