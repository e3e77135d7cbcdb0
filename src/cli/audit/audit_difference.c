/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The change that a file tool made. writ-file says it behind its answer, as a
 * unified diff; the recording has it, with secrets left out as in any output.
 */

#include "cli/audit/audit_difference.h"

#include <string.h>

#include <writ/audit.h>

#include "base/printable.h"

#define OUTPUT_MAX ((size_t)64 << 10)

static bool
difference_is_of(yyjson_val *begin)
{
	yyjson_val *argv = yyjson_obj_get(begin, "argv");
	yyjson_val *command = yyjson_arr_get(argv, 1);

	return yyjson_equals_str(yyjson_arr_get(argv, 0), "writ-file") &&
	       (yyjson_equals_str(command, "write") ||
		   yyjson_equals_str(command, "edit") ||
		   yyjson_equals_str(command, "patch"));
}

static void
difference_read(struct w_buf *text, const char *path)
{
	writ_recording *recording = NULL;
	writ_piece piece = {.len = 0};

	if (writ_recording_open(path, &recording, NULL) != WRIT_OK)
		return;
	while (writ_recording_next(recording, &piece, NULL) == WRIT_OK &&
	       piece.len > 0 && !text->failed) {
		if (piece.stream == WRIT_STDOUT)
			w_buf_add(text, piece.bytes, piece.len);
	}
	writ_recording_free(recording);
}

void
w_page_difference(
    struct w_record_page *page, yyjson_val *begin, const char *recording)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, OUTPUT_MAX);
	if (recording == NULL || !difference_is_of(begin))
		return;
	difference_read(&text, recording);
	const char *at = memmem(text.data, text.len, "\n--- ", 5);
	if (at == NULL)
		return;
	const char *end = text.data + text.len;
	w_page_heading(page, "difference");
	for (at++; at < end; at++) {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));
		const size_t len =
		    (size_t)((line_end == NULL ? end : line_end) - at);

		w_buf_add_str(page->out, "  ");
		w_printable_add_bytes(page->out, at, len);
		w_buf_add_char(page->out, '\n');
		at += len;
	}
}
