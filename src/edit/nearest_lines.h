/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EDIT_NEAREST_LINES_H
#define W_EDIT_NEAREST_LINES_H

#include "base/buf.h"
#include "edit/edit_lines.h"

/*
 * Appends where a text comes nearest to lines that are not in it: "lines 3-5
 * are the same but for white space:", and some numbered lines. Nothing if
 * nothing is near. At most about 1 KB. Takes a fraction of a second.
 */
void w_edit_add_nearest(struct w_buf *buf, const struct w_edit_lines *text,
    const struct w_edit_lines *wanted);

#endif /* W_EDIT_NEAREST_LINES_H */
