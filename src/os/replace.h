/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_REPLACE_H
#define W_OS_REPLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Writing a small file whole. Its bytes go to a new file beside it, which then
 * takes the name: readers see the old one or the new one, never half of one,
 * and when this fails the old one is still there.
 */
struct w_replace {
	mode_t mode;      /* of the file, whatever the umask is */
	bool may_replace; /* else EEXIST when something has the name */
	bool is_lasting;  /* a crash after this leaves the new one: synced */
};

/* name has no '/'. A link of that name is replaced, not followed. 0, or an
 * errno: EFBIG also where the process may not write so much. */
int w_replace_file(int dir_fd, const char *name, const void *bytes, size_t len,
    const struct w_replace *how);

#endif /* W_OS_REPLACE_H */
