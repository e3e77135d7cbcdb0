/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The text that Codex sends to apply_patch:
 *
 *   *** Begin Patch
 *   *** Add File: PATH          then lines with '+'
 *   *** Delete File: PATH
 *   *** Update File: PATH       then hunks
 *   *** Move to: PATH           (behind the line before)
 *   @@ A LINE BEFORE THE HUNK   (or only @@; the first may be missing)
 *   *** End of File             (behind a hunk: it is at the end)
 *   *** End Patch
 */

#include <string.h>

#include "edit/patch.h"

#define BEGIN  "*** Begin Patch"
#define END    "*** End Patch"
#define AT_END "*** End of File"
#define MOVE   "*** Move to: "

static const struct {
	const char *words;
	enum w_patch_action action;
} headers[] = {
    {"*** Add File: ", W_PATCH_ADD},
    {"*** Update File: ", W_PATCH_CHANGE},
    {"*** Delete File: ", W_PATCH_REMOVE},
};

/* Without a carriage return and blanks at the end. */
static size_t
apply_patch_trim(const char *line, size_t len)
{
	while (len > 0 && strchr(" \t\r", line[len - 1]) != NULL &&
	       line[len - 1] != '\0')
		len--;
	return len;
}

static writ_status
apply_patch_read_header(struct w_patch_reader *reader)
{
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		const size_t skip = strlen(headers[i].words);

		if (w_patch_begins(reader->line, reader->len, headers[i].words))
			return w_patch_add_file(reader, headers[i].action,
			    reader->line + skip,
			    apply_patch_trim(reader->line, reader->len) - skip);
	}
	return w_patch_fail(reader, "expected '*** Add File: PATH', '*** "
				    "Update File: PATH', '*** Delete File: "
				    "PATH' or '" END "'");
}

static writ_status
apply_patch_begin_hunk(struct w_patch_reader *reader)
{
	const char *place = reader->line + 2;
	size_t len = apply_patch_trim(reader->line, reader->len) - 2;
	writ_status status = w_patch_add_hunk(reader);

	if (status != WRIT_OK)
		return status;
	if (len > 0 && place[0] == ' ') {
		place++;
		len--;
	}
	/* Some models write the numbers of a unified diff here. */
	if (len == 0 || w_patch_begins(place, len, "-"))
		return WRIT_OK;
	w_patch_last_hunk(reader->patch)->place = place;
	w_patch_last_hunk(reader->patch)->place_len = len;
	return WRIT_OK;
}

static writ_status
apply_patch_read_body(struct w_patch_reader *reader)
{
	struct w_patch_file *file = w_patch_last_file(reader->patch);
	const char sign = reader->len == 0 ? ' ' : reader->line[0];
	writ_status status = WRIT_OK;

	if (file == NULL)
		return apply_patch_read_header(reader);
	if (file->action == W_PATCH_ADD && sign != '+')
		return w_patch_fail(
		    reader, "each line of a new file begins with '+'");
	if (file->action == W_PATCH_REMOVE)
		return w_patch_fail(
		    reader, "a file that is deleted has no lines");
	if (sign != ' ' && sign != '+' && sign != '-')
		return w_patch_fail(
		    reader, "each line of a hunk begins with ' ', '-' or '+'");
	if (w_patch_last_hunk(reader->patch) == NULL)
		status = w_patch_add_hunk(reader);
	if (status != WRIT_OK)
		return status;
	/* An empty line is one whose blank somebody took away. */
	const size_t skip = reader->len == 0 ? 0 : 1;
	return w_patch_add_line(
	    reader, sign, reader->line + skip, reader->len - skip);
}

static writ_status
apply_patch_read_line(struct w_patch_reader *reader, bool *is_over)
{
	const size_t len = apply_patch_trim(reader->line, reader->len);
	struct w_patch_file *file = w_patch_last_file(reader->patch);
	const bool is_change = file != NULL && file->action == W_PATCH_CHANGE;

	if (len == strlen(END) && memcmp(reader->line, END, len) == 0) {
		*is_over = true;
		return WRIT_OK;
	}
	if (is_change && w_patch_begins(reader->line, len, MOVE))
		return w_patch_set_move(
		    reader, reader->line + strlen(MOVE), len - strlen(MOVE));
	if (is_change && len == strlen(AT_END) &&
	    memcmp(reader->line, AT_END, len) == 0) {
		if (w_patch_last_hunk(reader->patch) == NULL)
			return w_patch_fail(reader, "there is no hunk here");
		w_patch_last_hunk(reader->patch)->is_at_end = true;
		return WRIT_OK;
	}
	if (w_patch_begins(reader->line, len, "*** "))
		return apply_patch_read_header(reader);
	if (is_change && w_patch_begins(reader->line, len, "@@"))
		return apply_patch_begin_hunk(reader);
	return apply_patch_read_body(reader);
}

writ_status
w_patch_read_codex(struct w_patch_reader *reader)
{
	writ_status status = WRIT_OK;
	bool is_over = false;

	(void)w_patch_next(reader);
	if (apply_patch_trim(reader->line, reader->len) != strlen(BEGIN) ||
	    !w_patch_begins(reader->line, reader->len, BEGIN))
		return w_patch_fail(reader, "expected '" BEGIN "'");
	while (status == WRIT_OK && !is_over && w_patch_next(reader))
		status = apply_patch_read_line(reader, &is_over);
	if (status == WRIT_OK && !is_over)
		return w_patch_fail(reader,
		    "it is the last one, and should be '" END
		    "': was the patch cut?");
	return status;
}
