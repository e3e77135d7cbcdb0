/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_SCRATCH_H
#define W_RUN_SCRATCH_H

#include <stdbool.h>

#include "run/resolve/identity.h"

/* Whether scratch directories can be on a tmpfs; checked once. All zero: not
 * yet. */
struct w_scratch_place {
	bool is_known;
	bool has_memory;
};

/*
 * A new private directory for one run, HOME and TMPDIR of the isolated
 * environment: on a tmpfs where there is one, owned by the user that the
 * command runs as. place may be NULL. *out_path is yours.
 */
writ_status w_scratch_make(const struct w_identity *identity,
    struct w_scratch_place *place, char **out_path, writ_error *err);

/* Deletes it with everything in it, and frees the path. NULL is allowed. */
void w_scratch_remove(char *path);

#endif /* W_RUN_SCRATCH_H */
