/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EDIT_FILE_DIFF_H
#define W_EDIT_FILE_DIFF_H

#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

/* A unified diff of two texts, as diff -u prints it. */
#define W_DIFF_BYTES_MAX ((size_t)64 << 10) /* of each text */
#define W_DIFF_LINES_MAX 2000
#define W_DIFF_CONTEXT   3

struct w_diff_side {
	const char *label; /* file name for the header */
	const char *text;
	size_t len;
};

/* The caller frees *out_diff. It is NULL if there is none: the texts are
 * equal, or one contains a NUL, is not UTF-8, or is too large. */
writ_status w_diff_unified(const struct w_diff_side *old,
    const struct w_diff_side *new, char **out_diff, writ_error *err);

/*
 * Appends the same for texts of any length: of what lies between their first
 * and last difference, at most bytes_max bytes and a line that says if it was
 * cut. Nothing if they are equal. The texts may be any bytes.
 */
writ_status w_diff_add_bounded(struct w_buf *out, const struct w_diff_side *old,
    const struct w_diff_side *new, size_t bytes_max, writ_error *err);

#endif /* W_EDIT_FILE_DIFF_H */
