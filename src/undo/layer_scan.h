/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_UNDO_LAYER_SCAN_H
#define W_UNDO_LAYER_SCAN_H

#include "undo/change_list.h"
#include "undo/layer_xattrs.h"

/*
 * What an overlay's upper directory changes in the directory below it. Nothing
 * is scanned but what the run touched, and what it deleted or replaced, since
 * deletions are listed in full.
 */
struct w_undo_scan {
	int layer_fd; /* of upper */
	int root_fd;
	struct w_undo_xattrs xattrs;
};

writ_status w_undo_scan(const struct w_undo_scan *scan,
    struct w_undo_list *out_list, writ_error *err);

/*
 * Appends what is in the directory at name: one member for each file, parents
 * first. layer: removes the kernel's attributes on the way; NULL: the tree is
 * the project's. *out_is_cut: a part was too deep. 0, or an errno.
 */
int w_undo_scan_members(struct w_undo_list *list, enum w_undo_side side,
    int dir_fd, const char *name, const char *path,
    const struct w_undo_xattrs *layer);

#endif /* W_UNDO_LAYER_SCAN_H */
