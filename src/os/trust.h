/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_TRUST_H
#define W_OS_TRUST_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/error.h"

/*
 * Who can change a file. A file that decides about others must be controlled by
 * root or by the user who runs this, and so must its directory.
 */

/* Whether another user owns it or can write to it. */
bool w_trust_is_foreign(const struct stat *st);

/* Whether another user can replace a file in the directory. The sticky bit
 * prevents that, except for its owner. */
bool w_trust_is_foreign_dir(const struct stat *st);

/*
 * Fails for a state directory that another user could replace: every directory
 * from it to the root, as given and with links resolved, must be controlled by
 * root or by the user. It need not exist yet.
 */
writ_status w_trust_check_state(const char *path, writ_error *err);

/* The owner of root's files as seen from here: 0, or another uid in a user
 * namespace that does not map root. There they cannot be told from other
 * unmapped users' files. */
uid_t w_trust_root_uid(void);

/* Makes root the owner of a file that belongs to w_trust_root_uid(). Only for
 * a file that a process outside, which sees the real owners, has checked. */
void w_trust_name_root(struct stat *st);

#endif /* W_OS_TRUST_H */
