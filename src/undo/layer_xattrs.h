/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_UNDO_LAYER_XATTRS_H
#define W_UNDO_LAYER_XATTRS_H

#include <stdbool.h>

#include "base/buf.h"

/*
 * Extended attributes of files of a layer. The kernel keeps its own there, in
 * the namespace that the mount used: "user.overlay." or "trusted.overlay.".
 * Only that one is believed; the other is the user's data.
 */
struct w_undo_xattrs {
	bool is_user; /* mounted with userxattr */
};

/* Whether a directory of the layer hides the one below it. 1, 0, or a negative
 * errno. */
int w_undo_is_opaque(const struct w_undo_xattrs *layer, int fd);

/* Removes the kernel's own attributes from a name in a directory, which is no
 * longer part of a layer then. 0, or an errno. */
int w_undo_strip(
    const struct w_undo_xattrs *layer, int dir_fd, const char *name);

/* All others of an open directory, for w_undo_xattrs_set(). 0, or an errno. */
int w_undo_xattrs_get(
    const struct w_undo_xattrs *layer, int fd, struct w_buf *out);

/* Makes an open directory have these, and no others but the kernel's. 0, or an
 * errno. */
int w_undo_xattrs_set(
    const struct w_undo_xattrs *layer, int fd, const struct w_buf *wanted);

#endif /* W_UNDO_LAYER_XATTRS_H */
