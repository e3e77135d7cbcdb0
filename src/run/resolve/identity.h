/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_IDENTITY_H
#define W_RUN_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

/* Whom a run is for. Without a user or group asked for, is_set is false and
 * the command runs as whoever runs the engine. */
struct w_identity {
	bool is_set;
	uid_t uid;
	gid_t gid;
	gid_t *groups;
	size_t group_count;
};

/* The helper takes no more. */
#define W_IDENTITY_GROUPS_MAX 256

writ_status w_identity_find(const char *user, const char *group,
    struct w_identity *out_identity, writ_error *err);
void w_identity_done(struct w_identity *identity);

/* What the user database says about a user; strings are yours and may be
 * NULL when there is no entry. */
struct w_account {
	char *name;
	char *home;
	char *shell;
};

writ_status w_account_find(
    uid_t uid, struct w_account *out_account, writ_error *err);
void w_account_done(struct w_account *account);

#endif /* W_RUN_IDENTITY_H */
