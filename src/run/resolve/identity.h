/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_IDENTITY_H
#define W_RUN_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

/* The user and groups of a run. is_set false: none was requested, and the
 * command runs as the engine's, which uid and gid name. */
struct w_identity {
	bool is_set;
	uid_t uid;
	gid_t gid;
	gid_t *groups;
	size_t group_count;
};

/* The helper's maximum. */
#define W_IDENTITY_GROUPS_MAX 256

/* user, group: a name or number; NULL: not asked for. */
writ_status w_identity_find(const char *user, const char *group,
    struct w_identity *out_identity, writ_error *err);
void w_identity_done(struct w_identity *identity);

/* An entry of the user database. The strings are yours; NULL: no entry. */
struct w_account {
	char *name;
	char *home;
	char *shell;
};

writ_status w_account_find(
    uid_t uid, struct w_account *out_account, writ_error *err);
void w_account_done(struct w_account *account);

#endif /* W_RUN_IDENTITY_H */
