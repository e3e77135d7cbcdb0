/* SPDX-License-Identifier: Apache-2.0 */

/* In whose hands a file is. */

#include "os/trust.h"

#include <unistd.h>

static bool
is_owned_by_another(const struct stat *st)
{
	return st->st_uid != 0 && st->st_uid != geteuid();
}

static bool
is_writable_for_others(const struct stat *st)
{
	return (st->st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

bool
w_trust_is_foreign(const struct stat *st)
{
	return is_owned_by_another(st) || is_writable_for_others(st);
}

bool
w_trust_is_foreign_dir(const struct stat *st)
{
	return is_owned_by_another(st) ||
	       (is_writable_for_others(st) && (st->st_mode & S_ISVTX) == 0);
}

uid_t
w_trust_root_as_seen(void)
{
	struct stat st;

	return stat("/", &st) < 0 ? 0 : st.st_uid;
}
