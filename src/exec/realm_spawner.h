/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXEC_REALM_SPAWNER_H
#define W_EXEC_REALM_SPAWNER_H

#include "exec/explain.h"
#include "exec/helper/order.h"
#include "exec/launch.h"

/* A helper that enters a realm. */
struct w_realm_role {
	char role;                 /* W_ROLE_CELL or W_ROLE_SPAWNER */
	uint64_t namespaces;       /* CLONE_NEW... flags it is born with */
	struct w_child_plan *plan; /* stdio and pass, but for what is the same
				      for all */
};

/* Starts it. 0, or an errno, as w_spawn(). */
int w_realm_spawn(struct w_launcher *launcher, const struct w_realm *realm,
    const struct w_realm_role *as, struct w_child *out_child);

/* Starts the ward's spawner; *out_attempt says how that went. */
void w_spawner_open(struct w_launcher *launcher, struct w_ward *ward,
    struct w_attempt *out_attempt);

/* Asks it for something; the descriptor that comes with the answer is yours.
 * 0, or an errno: EPIPE when it does not answer, and then it is given up. */
int w_spawner_call(struct w_ward *ward, const struct w_spawn_call *call,
    const int *fds, struct w_spawn_answer *out_answer, int *out_fd);

void w_spawner_dismiss(struct w_ward *ward);

#endif /* W_EXEC_REALM_SPAWNER_H */
