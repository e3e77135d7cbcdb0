/* SPDX-License-Identifier: Apache-2.0 */

/* `writ-file write`: a whole file, from standard input. */

#include <string.h>
#include <unistd.h>

#include "edit/edit_lines.h"
#include "files/file_set.h"
#include "os/file.h"

enum {
	ANSWER_MAX = 1 << 18,
};

static void
write_file_answer(struct w_buf *out, const struct w_files_change *change)
{
	const bool was_crlf =
	    w_edit_is_crlf(change->old_text.data, change->old_text.len);

	w_buf_add_str(out, change->exists ? "changed " : "made ");
	w_edit_add_shown(out, change->path->spelled,
	    strlen(change->path->spelled), W_FILES_DIFF_MAX);
	w_buf_add_str(out, ": ");
	w_files_add_lines(out, &change->new_text);
	if (change->exists) {
		w_buf_add_str(out, ", was ");
		w_files_add_lines(out, &change->old_text);
	}
	if (was_crlf &&
	    !w_edit_is_crlf(change->new_text.data, change->new_text.len))
		w_buf_add_str(out, "; its lines ended with CR LF, and now do "
				   "not");
	if (change->is_in_place)
		w_buf_add_str(out, "; rewritten in place");
	else if (change->exists && change->st.st_nlink > 1)
		w_buf_add_str(
		    out, "; its other names (hard links) keep the old text");
	w_buf_add_char(out, '\n');
}

static bool
write_file_is_same(const struct w_files_change *change)
{
	return change->exists && change->old_text.len == change->new_text.len &&
	       memcmp(change->old_text.data, change->new_text.data,
		   change->old_text.len) == 0;
}

static int
write_file_apply(struct w_files_set *set, const struct w_files_path *path,
    const struct w_buf *text, struct w_buf *out)
{
	struct w_files_change *change = NULL;
	int status = w_files_set_load(set, path, W_FILES_ANY, &change);

	if (status != 0 || change == NULL)
		return status;
	w_buf_add(&change->new_text, text->data, text->len);
	if (change->new_text.failed)
		return w_files_fail("no memory for the text");
	if (write_file_is_same(change)) {
		w_buf_add_str(
		    out, "unchanged: the file has this text already\n");
		return 0;
	}
	status = w_files_set_apply(set);
	if (status != 0)
		return status;
	write_file_answer(out, change);
	w_files_set_add_diff(out, set);
	return 0;
}

int
w_files_write(const struct w_files_words *words)
{
	const struct w_files_path *path = &words->paths[0];
	struct w_files_set set = {.items = NULL};
	W_AUTO_BUF struct w_buf out;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&out, ANSWER_MAX);
	w_buf_init(&text, W_FILES_BYTES_MAX + 1);
	/* All of it first: a text that does not come makes no directory. */
	const int error = w_file_read_all(STDIN_FILENO, &text);
	if (error != 0)
		return w_files_fail_at(
		    "read the text for", path->spelled, error);
	int status = write_file_apply(&set, path, &text, &out);
	if (status == 0)
		status = w_files_say(&out);
	w_files_set_done(&set);
	return status;
}
