/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_REPLACE_H
#define W_OS_REPLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Writes a small file atomically. The bytes go to a new file beside it, which
 * is then renamed: readers see the old or the new one, never half of one, and
 * when this fails the old one is still there.
 */
struct w_replace {
	mode_t mode;      /* of the file, ignoring the umask */
	bool may_replace; /* else EEXIST if the name exists */
	bool is_lasting;  /* synced: the new one survives a crash */
};

/* name has no '/'. A link of that name is replaced, not followed. 0, or an
 * errno: EFBIG also beyond RLIMIT_FSIZE. */
int w_replace_file(int dir_fd, const char *name, const void *bytes, size_t len,
    const struct w_replace *how);

#endif /* W_OS_REPLACE_H */
