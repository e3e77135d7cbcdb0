/* SPDX-License-Identifier: Apache-2.0 */

/* Reads a patch: finds out which form it has, and hands out its lines. */

#include <string.h>

#include "edit/edit_lines.h"
#include "edit/patch.h"

enum {
	SHOWN = 80,
};

bool
w_patch_peek(
    const struct w_patch_reader *reader, const char **out_line, size_t *len)
{
	const size_t rest = (size_t)(reader->end - reader->at);
	const char *end = rest == 0 ? NULL : memchr(reader->at, '\n', rest);

	if (rest == 0)
		return false;
	*out_line = reader->at;
	*len = end == NULL ? rest : (size_t)(end - reader->at);
	return true;
}

bool
w_patch_next(struct w_patch_reader *reader)
{
	if (!w_patch_peek(reader, &reader->line, &reader->len))
		return false;
	reader->number++;
	reader->at = reader->line + reader->len;
	if (reader->at < reader->end)
		reader->at++;
	return true;
}

bool
w_patch_begins(const char *line, size_t len, const char *with)
{
	const size_t with_len = strlen(with);

	return len >= with_len && memcmp(line, with, with_len) == 0;
}

writ_status
w_patch_fail(struct w_patch_reader *reader, const char *what)
{
	w_buf_add_fmt(reader->why, "line %zu of the patch, '", reader->number);
	w_edit_add_shown(reader->why, reader->line == NULL ? "" : reader->line,
	    reader->len, SHOWN);
	w_buf_add_fmt(reader->why, "': %s", what);
	return WRIT_E_INVALID;
}

/* Blank lines and the fences of Markdown, which models put around a patch. */
static void
patch_read_skip(struct w_patch_reader *reader)
{
	const char *line;
	size_t len;

	while (w_patch_peek(reader, &line, &len)) {
		const bool is_blank = len == 0 || (len == 1 && *line == '\r');

		if (!is_blank && !w_patch_begins(line, len, "```"))
			return;
		(void)w_patch_next(reader);
	}
}

static writ_status
patch_read_check(struct w_patch_reader *reader)
{
	const struct w_patch *patch = reader->patch;

	if (patch->file_count == 0)
		return w_patch_fail(reader,
		    "no file is named: expected '--- a/FILE' and '+++ b/FILE', "
		    "or '*** Begin Patch'");
	for (size_t i = 0; i < patch->file_count; i++) {
		const struct w_patch_file *file = &patch->files[i];

		if (file->count > 0 || file->moved_to != NULL ||
		    file->action != W_PATCH_CHANGE)
			continue;
		w_buf_add_fmt(reader->why, "'%s' has no hunks", file->path);
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

writ_status
w_patch_read(
    const char *text, size_t len, struct w_patch *out_patch, struct w_buf *why)
{
	struct w_patch patch = {.text = text};
	struct w_patch_reader reader = {
	    .patch = &patch,
	    .at = text,
	    .end = text + len,
	    .why = why,
	};
	const char *line;
	size_t line_len;

	if (len > W_PATCH_BYTES_MAX) {
		w_buf_add_fmt(why, "the patch is longer than %zu MiB",
		    W_PATCH_BYTES_MAX >> 20);
		return WRIT_E_INVALID;
	}
	patch_read_skip(&reader);
	const bool is_codex = w_patch_peek(&reader, &line, &line_len) &&
			      w_patch_begins(line, line_len, "*** ") &&
			      !w_patch_begins(line, line_len, "*** /");
	patch.is_unified = !is_codex;
	writ_status status = is_codex ? w_patch_read_codex(&reader)
				      : w_patch_read_unified(&reader);
	if (status == WRIT_OK)
		status = patch_read_check(&reader);
	if (status == WRIT_OK)
		*out_patch = patch;
	else
		w_patch_done(&patch);
	return status;
}
