/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Patches that models write: a text, a NUL, and a patch of it. Whatever it is,
 * each file is named by something that can be shown, and a patch that cannot be
 * applied says why. Then the difference between the two texts is read back.
 */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "edit/file_diff.h"
#include "edit/patch.h"

#define OUT_MAX ((size_t)1 << 22)

static void
apply(const struct w_patch *patch, size_t file, const char *text, size_t len)
{
	W_AUTO_BUF struct w_buf out;
	W_AUTO_BUF struct w_buf why;

	w_buf_init(&out, OUT_MAX);
	w_buf_init(&why, OUT_MAX);
	const writ_status status =
	    w_patch_apply(patch, file, text, len, &out, &why);
	CHECK((status == WRIT_E_INVALID) == (why.len > 0) ||
	      status == WRIT_E_NOMEM);
}

static void
read_names(const struct w_patch *patch)
{
	for (size_t i = 0; i < patch->file_count; i++) {
		const struct w_patch_file *file = &patch->files[i];

		CHECK(file->path != NULL && file->path[0] != '\0');
		for (const char *at = file->path; *at != '\0'; at++)
			CHECK((unsigned char)*at >= ' ');
		CHECK(file->first + file->count <= patch->hunk_count);
		for (size_t k = 0; k < i; k++)
			CHECK(strcmp(patch->files[k].path, file->path) != 0);
	}
}

/* A carriage return at the end of a line may be taken for white space. */
static void
read_back(const char *old, size_t old_len, const char *new, size_t new_len)
{
	const struct w_diff_side sides[2] = {
	    {"f", old, old_len}, {"f", new, new_len}};
	struct w_patch patch;
	W_AUTO_BUF struct w_buf diff;
	W_AUTO_BUF struct w_buf out;
	W_AUTO_BUF struct w_buf why;

	w_buf_init(&diff, OUT_MAX);
	w_buf_init(&out, OUT_MAX);
	w_buf_init(&why, OUT_MAX);
	if (memchr(old, '\r', old_len) != NULL ||
	    memchr(new, '\r', new_len) != NULL)
		return;
	CHECK(w_diff_add_bounded(
		  &diff, &sides[0], &sides[1], OUT_MAX / 2, NULL) == WRIT_OK);
	if (diff.len == 0)
		return;
	CHECK(w_patch_read(diff.data, diff.len, &patch, &why) == WRIT_OK);
	CHECK(w_patch_apply(&patch, 0, old, old_len, &out, &why) == WRIT_OK);
	CHECK(out.len == new_len && memcmp(out.data, new, new_len) == 0);
	w_patch_done(&patch);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	const char *nul = size == 0 ? NULL : memchr(text, '\0', size);
	const size_t len = nul == NULL ? 0 : (size_t)(nul - text);
	const char *patch_text = nul == NULL ? text : nul + 1;
	const size_t patch_len = nul == NULL ? size : size - len - 1;
	struct w_patch patch;
	W_AUTO_BUF struct w_buf why;

	w_buf_init(&why, OUT_MAX);
	if (size == 0)
		return 0;
	if (w_patch_read(patch_text, patch_len, &patch, &why) == WRIT_OK) {
		read_names(&patch);
		for (size_t i = 0; i < patch.file_count; i++)
			apply(&patch, i, text, len);
		w_patch_done(&patch);
	} else {
		CHECK(why.len > 0);
	}
	read_back(text, len, patch_text, patch_len);
	return 0;
}
