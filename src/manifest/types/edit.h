/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_EDIT_H
#define W_MANIFEST_EDIT_H

#include "base/buf.h"
#include "manifest/types/typed.h"

/*
 * The resource edit: one line, block or key of a file that others write, too.
 *
 *   ensure   present, absent
 */
enum {
	W_EDIT_PATH, /* default: the name */
	W_EDIT_LINE,
	W_EDIT_MATCH, /* the line to replace, or to remove */
	W_EDIT_AFTER, /* where a new one goes */
	W_EDIT_BEFORE,
	W_EDIT_BLOCK,
	W_EDIT_MARKER,
	W_EDIT_SECTION,
	W_EDIT_KEY,
	W_EDIT_VALUE,
	W_EDIT_CREATE, /* a file that is not there */
};

/* An edit of a text, without a file. Exactly one of line (or match), block and
 * key is given. */
struct w_typed_edit {
	bool is_absent;
	const char *line;
	const char *match; /* patterns; NULL: none */
	const char *after;
	const char *before;
	const char *block;
	const char *marker;  /* has {mark}, for which BEGIN and END are put */
	const char *section; /* NULL: above the first one */
	const char *key;
	const char *value;
};

#define W_EDIT_TEXT_MAX ((size_t)16 << 20)
#define W_EDIT_MARK     "{mark}"

/* Appends the edited text; it equals the old one if nothing has to change.
 * Fails with WRIT_E_INVALID (a pattern, a block without its end, a NUL) or
 * _NOMEM. */
writ_status w_typed_edit_text(const struct w_typed_edit *edit, const char *text,
    size_t len, struct w_buf *out, writ_error *err);

#endif /* W_MANIFEST_EDIT_H */
