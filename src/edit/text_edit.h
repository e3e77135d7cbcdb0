/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EDIT_TEXT_EDIT_H
#define W_EDIT_TEXT_EDIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

/* Replaces an exact text by another. */
struct w_edit {
	const char *old_text;
	size_t old_len;
	const char *new_text;
	size_t new_len;
	bool is_global; /* every place; else there must be exactly one */
};

#define W_EDIT_MAX 1000 /* edits of one call */

struct w_edit_done {
	size_t count;      /* places that were replaced */
	size_t first_line; /* the first of them, in the new text */
	size_t last_line;
};

/*
 * Applies all edits to a text, or none. Each is looked for in the text as it
 * is, so their order does not matter and they may not overlap. In a text whose
 * lines all end with CR LF, a lone LF of an edit stands for CR LF.
 *
 * Fails with WRIT_E_INVALID and appends to why what is wrong and what to do, or
 * with WRIT_E_NOMEM (also if the result is longer than out may be).
 */
writ_status w_edit_apply(const char *text, size_t len,
    const struct w_edit *edits, size_t count, struct w_buf *out,
    struct w_edit_done *out_done, struct w_buf *why);

#endif /* W_EDIT_TEXT_EDIT_H */
