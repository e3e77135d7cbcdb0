/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_TRUST_H
#define W_OS_TRUST_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/error.h"

/*
 * In whose hands a file is. What decides about others must be in those of root
 * or of the user who runs this, and so must the directory that it lies in.
 */

/* Whether somebody else owns it or can write to it. */
bool w_trust_is_foreign(const struct stat *st);

/* Whether somebody else can put another file into the directory in place of
 * one of its files. The sticky bit keeps them from it, but not its owner. */
bool w_trust_is_foreign_dir(const struct stat *st);

/*
 * Refuses a state directory that somebody else could replace: every directory
 * from it to the root, as it is spelled and without links, is in the hands of
 * root or of the user. It need not exist yet.
 */
writ_status w_trust_check_state(const char *path, writ_error *err);

/* Who root's files belong to, as seen from here: 0, or somebody else in a user
 * namespace that has no name for root. There they cannot be told from those of
 * others. */
uid_t w_trust_root_uid(void);

#endif /* W_OS_TRUST_H */
