/* SPDX-License-Identifier: Apache-2.0 */

/* A patch in memory: what its readers fill. */

#include "edit/patch.h"

#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/grow.h"

void
w_patch_done(struct w_patch *patch)
{
	for (size_t i = 0; i < patch->file_count; i++) {
		free(patch->files[i].path);
		free(patch->files[i].moved_to);
	}
	free(patch->files);
	free(patch->hunks);
	free(patch->lines);
	*patch = (struct w_patch){.text = NULL};
}

struct w_patch_file *
w_patch_last_file(struct w_patch *patch)
{
	return patch->file_count == 0 ? NULL
				      : &patch->files[patch->file_count - 1];
}

struct w_patch_hunk *
w_patch_last_hunk(struct w_patch *patch)
{
	const struct w_patch_file *file = w_patch_last_file(patch);

	return file == NULL || file->count == 0
		   ? NULL
		   : &patch->hunks[patch->hunk_count - 1];
}

/* ---- names ---- */

static bool
patch_has_name(const struct w_patch *patch, const char *path, size_t len)
{
	for (size_t i = 0; i < patch->file_count; i++) {
		const char *names[2] = {
		    patch->files[i].path, patch->files[i].moved_to};

		for (int k = 0; k < 2; k++) {
			if (names[k] != NULL && strlen(names[k]) == len &&
			    memcmp(names[k], path, len) == 0)
				return true;
		}
	}
	return false;
}

/* A name with a control character would deceive who reads it. */
static bool
patch_is_name(const char *path, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if ((unsigned char)path[i] < ' ' || path[i] == 0x7f)
			return false;
	}
	return len > 0 && len < 4096 && w_utf8_valid(path, len);
}

static writ_status
patch_take_name(struct w_patch_reader *reader, const char *path, size_t len,
    char **out_name)
{
	while (len > 0 && (path[len - 1] == ' ' || path[len - 1] == '\t'))
		len--;
	if (!patch_is_name(path, len))
		return w_patch_fail(reader, "this is no name of a file");
	if (patch_has_name(reader->patch, path, len))
		return w_patch_fail(reader,
		    "this file was named before: put all hunks of a file "
		    "behind one name");
	*out_name = strndup(path, len);
	return *out_name == NULL ? WRIT_E_NOMEM : WRIT_OK;
}

/* ---- parts ---- */

writ_status
w_patch_add_file(struct w_patch_reader *reader, enum w_patch_action action,
    const char *path, size_t len)
{
	struct w_patch *patch = reader->patch;
	char *name = NULL;

	if (patch->file_count == W_PATCH_FILES_MAX)
		return w_patch_fail(reader, "there are too many files: send "
					    "several patches");
	writ_status status = patch_take_name(reader, path, len, &name);
	if (status != WRIT_OK)
		return status;
	if (!w_grow(&patch->files, patch->file_count, &patch->file_cap)) {
		free(name);
		return WRIT_E_NOMEM;
	}
	patch->files[patch->file_count++] = (struct w_patch_file){
	    .action = action, .path = name, .first = patch->hunk_count};
	return WRIT_OK;
}

writ_status
w_patch_set_move(struct w_patch_reader *reader, const char *path, size_t len)
{
	struct w_patch_file *file = w_patch_last_file(reader->patch);

	if (file == NULL || file->action != W_PATCH_CHANGE ||
	    file->moved_to != NULL)
		return w_patch_fail(reader, "nothing is moved here");
	return patch_take_name(reader, path, len, &file->moved_to);
}

writ_status
w_patch_add_hunk(struct w_patch_reader *reader)
{
	struct w_patch *patch = reader->patch;

	if (!w_grow(&patch->hunks, patch->hunk_count, &patch->hunk_cap))
		return WRIT_E_NOMEM;
	patch->hunks[patch->hunk_count++] =
	    (struct w_patch_hunk){.first = patch->line_count};
	w_patch_last_file(patch)->count++;
	return WRIT_OK;
}

writ_status
w_patch_add_line(
    struct w_patch_reader *reader, char sign, const char *text, size_t len)
{
	struct w_patch *patch = reader->patch;

	if (!w_grow(&patch->lines, patch->line_count, &patch->line_cap))
		return WRIT_E_NOMEM;
	patch->lines[patch->line_count++] =
	    (struct w_patch_line){.sign = sign, .text = text, .len = len};
	w_patch_last_hunk(patch)->count++;
	return WRIT_OK;
}
