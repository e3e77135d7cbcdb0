/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ-file patch`: a patch from standard input.
 *
 * The words name every file of it, in its order, since the policy judges by
 * them: of a file that is moved, first the old name, then the new one. A file
 * that they do not name is not touched.
 */

#include <string.h>
#include <unistd.h>

#include "edit/edit_lines.h"
#include "edit/patch.h"
#include "files/file_set.h"
#include "os/file.h"

enum {
	ANSWER_MAX = 1 << 18,
	WHY_MAX = 1 << 14,
};

struct patching {
	const struct w_files_words *words;
	const struct w_patch *patch;
	struct w_files_set set;
	struct w_buf out;
	size_t at; /* the next path of the words */
};

static const struct w_files_path *
patch_files_take(struct patching *patching, const char *name, bool is_removed)
{
	const struct w_files_words *words = patching->words;

	if (patching->at == words->count)
		return NULL;
	const struct w_files_path *path = &words->paths[patching->at++];
	return strcmp(path->spelled, name) == 0 &&
		       path->is_removed == is_removed
		   ? path
		   : NULL;
}

static int
patch_files_fail_words(const char *name)
{
	return w_files_fail(
	    "the patch has '%s', which was not judged with it", name);
}

static int
patch_files_change(struct patching *patching, size_t file,
    const struct w_files_change *from, struct w_files_change *into)
{
	W_AUTO_BUF struct w_buf why;

	w_buf_init(&why, WHY_MAX);
	const writ_status status = w_patch_apply(patching->patch, file,
	    from->old_text.data, from->old_text.len, &into->new_text, &why);
	if (status == WRIT_OK)
		return 0;
	return status == WRIT_E_INVALID
		   ? w_files_fail("%s\nnothing was written", why.data)
		   : w_files_fail("'%s': no memory, or the new text is too "
				  "large",
			 into->path->spelled);
}

/* "changed a", "moved a to b" */
static void
patch_files_add_answer(struct patching *patching, const char *verb,
    const struct w_patch_file *file)
{
	struct w_buf *out = &patching->out;

	w_buf_add_fmt(out, "%s %s", verb, file->path);
	if (file->moved_to != NULL)
		w_buf_add_fmt(out, " to %s", file->moved_to);
	w_buf_add_char(out, '\n');
}

static int
patch_files_move(struct patching *patching, size_t number)
{
	const struct w_patch_file *file = &patching->patch->files[number];
	const struct w_files_path *old_path =
	    patch_files_take(patching, file->path, true);
	const struct w_files_path *new_path =
	    old_path == NULL
		? NULL
		: patch_files_take(patching, file->moved_to, false);
	struct w_files_change *made = NULL, *gone = NULL;

	if (new_path == NULL)
		return patch_files_fail_words(file->path);
	int status =
	    w_files_set_load(&patching->set, old_path, W_FILES_PRESENT, &gone);
	const size_t place = patching->set.count - 1;
	if (status == 0)
		status = w_files_set_load(
		    &patching->set, new_path, W_FILES_ABSENT, &made);
	if (status != 0)
		return status;
	/* The list may have moved. */
	gone = &patching->set.items[place];
	gone->is_removed = true;
	made->new_mode = gone->st.st_mode & 0777;
	return patch_files_change(patching, number, gone, made);
}

static int
patch_files_one(struct patching *patching, size_t number)
{
	static const enum w_files_wanted wanted[] = {
	    [W_PATCH_ADD] = W_FILES_ABSENT,
	    [W_PATCH_CHANGE] = W_FILES_PRESENT,
	    [W_PATCH_REMOVE] = W_FILES_PRESENT,
	};
	static const char *const verbs[] = {
	    [W_PATCH_ADD] = "made",
	    [W_PATCH_CHANGE] = "changed",
	    [W_PATCH_REMOVE] = "deleted",
	};
	const struct w_patch_file *file = &patching->patch->files[number];
	struct w_files_change *change = NULL;
	int status;

	if (file->moved_to != NULL) {
		patch_files_add_answer(patching, "moved", file);
		return patch_files_move(patching, number);
	}
	const bool is_removed = file->action == W_PATCH_REMOVE;
	const struct w_files_path *path =
	    patch_files_take(patching, file->path, is_removed);
	if (path == NULL)
		return patch_files_fail_words(file->path);
	patch_files_add_answer(patching, verbs[file->action], file);
	status = w_files_set_load(
	    &patching->set, path, wanted[file->action], &change);
	if (status != 0)
		return status;
	change->is_removed = is_removed;
	return is_removed
		   ? 0
		   : patch_files_change(patching, number, change, change);
}

static int
patch_files_apply(struct patching *patching)
{
	int status = 0;

	for (size_t i = 0; i < patching->patch->file_count && status == 0; i++)
		status = patch_files_one(patching, i);
	if (status == 0 && patching->at != patching->words->count)
		status = patch_files_fail_words("fewer files");
	if (status == 0)
		status = w_files_set_apply(&patching->set);
	if (status == 0) {
		w_files_set_add_diff(&patching->out, &patching->set);
		status = w_files_say(&patching->out);
	}
	return status;
}

int
w_files_patch(const struct w_files_words *words)
{
	struct patching patching = {.words = words};
	struct w_patch patch = {.text = NULL};
	W_AUTO_BUF struct w_buf text;
	W_AUTO_BUF struct w_buf why;
	int status = 1;

	w_buf_init(&text, W_PATCH_BYTES_MAX + 1);
	w_buf_init(&why, WHY_MAX);
	w_buf_init(&patching.out, ANSWER_MAX * 4);
	patching.patch = &patch;
	if (w_file_read_all(STDIN_FILENO, &text) != 0)
		(void)w_files_fail("cannot read the patch");
	else if (w_patch_read(text.data, text.len, &patch, &why) != WRIT_OK)
		(void)w_files_fail("%s", why.data);
	else
		status = patch_files_apply(&patching);
	w_files_set_done(&patching.set);
	w_buf_done(&patching.out);
	w_patch_done(&patch);
	return status;
}
