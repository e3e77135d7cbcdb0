/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_ACCOUNT_H
#define W_MANIFEST_ACCOUNT_H

#include "manifest/types/typed_step.h"

/*
 * The resources user and group: accounts of this machine. useradd, usermod and
 * their like change them.
 *
 *   ensure   present, absent
 */
enum {
	W_USER_UID,
	W_USER_GROUP,      /* primary: a name or number */
	W_USER_GROUPS,     /* others */
	W_USER_MEMBERSHIP, /* minimum: at least these; inclusive: only these */
	W_USER_SHELL,
	W_USER_HOME,
	W_USER_COMMENT,
	W_USER_SYSTEM,      /* a number below those of people */
	W_USER_MANAGE_HOME, /* make the home directory; with absent, remove it
			     */
	W_USER_PASSWORD,    /* a hash; a secret */
};

enum {
	W_GROUP_GID,
	W_GROUP_SYSTEM,
};

/* Exit codes of useradd, userdel, usermod, groupdel. */
#define W_ACCOUNT_IN_USE 8

/* Runs it; that a user is logged in is told in our words. */
bool w_typed_account_run(
    struct w_typed_step *x, const struct w_typed_command *command);

#endif /* W_MANIFEST_ACCOUNT_H */
