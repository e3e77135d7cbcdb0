/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ-file edit`: exact replacements in a file, from standard input:
 *
 *   [{"old_string": "...", "new_string": "...", "replace_all": true}, ...]
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <yyjson.h>

#include "base/auto.h"
#include "data/json.h"
#include "edit/edit_lines.h"
#include "edit/text_edit.h"
#include "files/file_set.h"
#include "os/file.h"

enum {
	ANSWER_MAX = 1 << 18,
	WHY_MAX = 1 << 14,
	DEPTH_MAX = 8,
};

#define INPUT_MAX ((size_t)128 << 20)

struct edit_input {
	struct w_json *json;
	struct w_edit *edits;
	size_t count;
};

static void
edit_file_input_done(struct edit_input *input)
{
	w_json_free(input->json);
	free(input->edits);
}

static int
edit_file_take(struct edit_input *input)
{
	yyjson_val *list = w_json_root(input->json);
	const size_t count = yyjson_arr_size(list);
	yyjson_val *item;
	yyjson_arr_iter iter = yyjson_arr_iter_with(list);

	if (count == 0 || count > W_EDIT_MAX)
		return w_files_fail(
		    "expected a list of 1 to %d edits", W_EDIT_MAX);
	input->edits = calloc(count, sizeof(*input->edits));
	if (input->edits == NULL)
		return w_files_fail("no memory for the edits");
	while ((item = yyjson_arr_iter_next(&iter)) != NULL) {
		yyjson_val *old_text = yyjson_obj_get(item, "old_string");
		yyjson_val *new_text = yyjson_obj_get(item, "new_string");

		if (!yyjson_is_str(old_text) || !yyjson_is_str(new_text))
			return w_files_fail("edit %zu: expected old_string "
					    "and new_string, two texts",
			    input->count + 1);
		input->edits[input->count++] = (struct w_edit){
		    .old_text = yyjson_get_str(old_text),
		    .old_len = yyjson_get_len(old_text),
		    .new_text = yyjson_get_str(new_text),
		    .new_len = yyjson_get_len(new_text),
		    .is_global =
			yyjson_is_true(yyjson_obj_get(item, "replace_all")),
		};
	}
	return 0;
}

static int
edit_file_read(struct edit_input *input)
{
	const struct w_json_limits limits = {INPUT_MAX, DEPTH_MAX};
	W_AUTO_BUF struct w_buf text;
	writ_error err = {0};

	w_buf_init(&text, INPUT_MAX);
	if (w_file_read_all(STDIN_FILENO, &text) != 0)
		return w_files_fail("cannot read the edits");
	if (w_json_read(text.data, text.len, &limits, &input->json, &err) !=
	    WRIT_OK)
		return w_files_fail("the edits are no JSON: %s", err.message);
	return edit_file_take(input);
}

static void
edit_file_answer(struct w_buf *out, const struct w_files_change *change,
    const struct w_edit_done *done)
{
	w_buf_add_str(out, "changed ");
	w_edit_add_shown(out, change->path->spelled,
	    strlen(change->path->spelled), W_FILES_DIFF_MAX);
	w_buf_add_str(out, ": ");
	if (done->count > 1)
		w_buf_add_fmt(out, "%zu places, ", done->count);
	w_buf_add_fmt(out, "line%s %zu",
	    done->last_line > done->first_line ? "s" : "", done->first_line);
	if (done->last_line > done->first_line)
		w_buf_add_fmt(out, " to %zu", done->last_line);
	if (change->is_in_place)
		w_buf_add_str(out, "; rewritten in place");
	else if (change->st.st_nlink > 1)
		w_buf_add_str(
		    out, "; its other names (hard links) keep the old text");
	w_buf_add_char(out, '\n');
}

static int
edit_file_apply(struct w_files_change *change, const struct edit_input *input,
    struct w_edit_done *out_done)
{
	W_AUTO_BUF struct w_buf why;

	w_buf_init(&why, WHY_MAX);
	const writ_status status =
	    w_edit_apply(change->old_text.data, change->old_text.len,
		input->edits, input->count, &change->new_text, out_done, &why);
	if (status == WRIT_OK)
		return 0;
	return status == WRIT_E_INVALID
		   ? w_files_fail("'%s': %s\nnothing was written",
			 change->path->spelled, why.data)
		   : w_files_fail("'%s': no memory, or the new text is too "
				  "large",
			 change->path->spelled);
}

int
w_files_edit(const struct w_files_words *words)
{
	struct edit_input input = {NULL, NULL, 0};
	struct w_files_set set = {.items = NULL};
	struct w_files_change *change = NULL;
	struct w_edit_done done = {0, 0, 0};
	W_AUTO_BUF struct w_buf out;

	w_buf_init(&out, ANSWER_MAX);
	int status = edit_file_read(&input);
	if (status == 0)
		status = w_files_set_load(
		    &set, &words->paths[0], W_FILES_PRESENT, &change);
	if (status == 0)
		status = edit_file_apply(change, &input, &done);
	if (status == 0)
		status = w_files_set_apply(&set);
	if (status == 0) {
		edit_file_answer(&out, change, &done);
		w_files_set_add_diff(&out, &set);
		status = w_files_say(&out);
	}
	w_files_set_done(&set);
	edit_file_input_done(&input);
	return status;
}
