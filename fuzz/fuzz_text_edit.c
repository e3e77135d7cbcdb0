/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Edits of a text: a text, and pairs of an old and a new one, with NULs between
 * them. The result has the length that the edits make, and a refusal says why.
 */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "edit/edit_lines.h"
#include "edit/text_edit.h"

#define OUT_MAX ((size_t)1 << 24)

enum {
	EDITS_MAX = 8,
};

/* The part up to the next NUL. */
static size_t
take(const char **at, const char *end, const char **out_part)
{
	const size_t rest = (size_t)(end - *at);
	const char *nul = rest == 0 ? NULL : memchr(*at, '\0', rest);
	const size_t len = nul == NULL ? rest : (size_t)(nul - *at);

	*out_part = *at;
	*at += len + (nul != NULL);
	return len;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *at = (const char *)data;
	const char *end = at + size;
	const char *text;
	struct w_edit edits[EDITS_MAX];
	struct w_edit_done done = {0, 0, 0};
	size_t count = 0;
	W_AUTO_BUF struct w_buf out;
	W_AUTO_BUF struct w_buf why;

	w_buf_init(&out, OUT_MAX);
	w_buf_init(&why, OUT_MAX);
	if (size == 0)
		return 0;
	const size_t len = take(&at, end, &text);
	while (count < EDITS_MAX && at < end) {
		struct w_edit *edit = &edits[count++];

		edit->is_global = *at == '*';
		at += edit->is_global;
		edit->old_len = take(&at, end, &edit->old_text);
		edit->new_len = take(&at, end, &edit->new_text);
	}
	const writ_status status =
	    w_edit_apply(text, len, edits, count, &out, &done, &why);
	CHECK((status == WRIT_E_INVALID) == (why.len > 0));
	if (status != WRIT_OK)
		return 0;
	CHECK(done.count >= count && done.first_line <= done.last_line);
	if (count == 1 && !w_edit_is_crlf(text, len))
		CHECK(out.len == len - done.count * edits[0].old_len +
				     done.count * edits[0].new_len);
	return 0;
}
