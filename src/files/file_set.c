/* SPDX-License-Identifier: Apache-2.0 */

/* Files that change together: opened, read, compared. */

#include "files/file_set.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/grow.h"
#include "base/printable.h"
#include "edit/edit_lines.h"
#include "edit/file_diff.h"
#include "files/file_place.h"

enum {
	LABEL_MAX = 16384,
};

static void
file_set_drop(struct w_files_change *change)
{
	w_stage_drop(&change->stage);
	w_close(&change->fd);
	w_close(&change->dir_fd);
	w_buf_done(&change->old_text);
	w_buf_done(&change->new_text);
}

void
w_files_set_done(struct w_files_set *set)
{
	for (size_t i = set->count; i-- > 0;) {
		struct w_files_change *change = &set->items[i];

		file_set_drop(change);
		if (!set->is_applied)
			w_files_unmake_parents(
			    change->path->place, change->made_dirs);
	}
	free(set->items);
	*set = (struct w_files_set){.items = NULL};
}

/* ---- loading ---- */

static int
file_set_fail_kind(const struct w_files_change *change)
{
	const char *spelled = change->path->spelled;

	if (S_ISDIR(change->st.st_mode))
		return w_files_fail(
		    "'%s' is a directory: name a file in it", spelled);
	return w_files_fail("'%s' is %s: only files are changed", spelled,
	    w_files_kind_word(change->st.st_mode));
}

static int
file_set_read(struct w_files_change *change)
{
	const char *spelled = change->path->spelled;
	int error = w_files_open(change->path->place, &change->fd, &change->st);

	if (error == ENOENT)
		return 0;
	if (error != 0)
		return w_files_fail_at("open", spelled, error);
	change->exists = true;
	if (change->fd < 0)
		return file_set_fail_kind(change);
	error = w_files_load(change->fd, W_FILES_BYTES_MAX, &change->old_text);
	if (error == EFBIG)
		return w_files_fail(
		    "'%s' is larger than %zu MiB: change it with a program",
		    spelled, W_FILES_BYTES_MAX >> 20);
	return error == 0 ? 0 : w_files_fail_at("read", spelled, error);
}

/* Two names of one place would be changed twice. */
static int
file_set_check_twice(
    const struct w_files_set *set, const struct w_files_change *change)
{
	struct stat dir, other;

	if (fstat(change->dir_fd, &dir) < 0)
		return w_files_fail_at("open", change->path->spelled, errno);
	for (size_t i = 0; i + 1 < set->count; i++) {
		const struct w_files_change *earlier = &set->items[i];
		const bool is_same_file =
		    earlier->exists && change->exists &&
		    earlier->st.st_ino == change->st.st_ino &&
		    earlier->st.st_dev == change->st.st_dev;

		if (!is_same_file &&
		    (fstat(earlier->dir_fd, &other) < 0 ||
			other.st_ino != dir.st_ino ||
			other.st_dev != dir.st_dev ||
			strcmp(earlier->name, change->name) != 0))
			continue;
		return w_files_fail("'%s' and '%s' are the same file: name it "
				    "once",
		    earlier->path->spelled, change->path->spelled);
	}
	return 0;
}

/* A directory that is missing is made only for a file that is wanted. */
static int
file_set_open_parent(struct w_files_change *change, enum w_files_wanted wanted)
{
	const struct w_files_path *path = change->path;
	const bool makes = wanted != W_FILES_PRESENT && !path->is_removed;
	const int error = w_files_open_parent(path->place, makes,
	    &change->dir_fd, &change->name, &change->made_dirs);

	if (error == EISDIR)
		return w_files_fail(
		    "'%s' is a directory: name a file in it", path->spelled);
	return error == 0 ? 0
			  : w_files_fail_at(
				makes ? "make" : "open", path->spelled, error);
}

int
w_files_set_load(struct w_files_set *set, const struct w_files_path *path,
    enum w_files_wanted wanted, struct w_files_change **out_change)
{
	if (!w_grow(&set->items, set->count, &set->cap))
		return w_files_fail("no memory");
	struct w_files_change *change = &set->items[set->count++];
	*change = (struct w_files_change){
	    .path = path, .dir_fd = -1, .fd = -1, .stage = {.fd = -1}};
	w_buf_init(&change->old_text, W_FILES_BYTES_MAX + 1);
	w_buf_init(&change->new_text, W_FILES_BYTES_MAX + 1);
	int status = file_set_read(change);
	if (status == 0 && wanted == W_FILES_PRESENT && !change->exists)
		return w_files_fail_at("open", path->spelled, ENOENT);
	if (status == 0 && wanted == W_FILES_ABSENT && change->exists)
		return w_files_fail("'%s' is there already", path->spelled);
	if (status == 0)
		status = file_set_open_parent(change, wanted);
	if (status == 0)
		status = file_set_check_twice(set, change);
	*out_change = change;
	return status;
}

/* ---- applying ---- */

static int
file_set_fail(const struct w_files_change *change, int error)
{
	const char *spelled = change->path->spelled;

	if (error == ESTALE || error == EEXIST)
		return w_files_fail("'%s' was changed by somebody else "
				    "meanwhile; nothing was written: read it "
				    "again",
		    spelled);
	if (error == EMLINK)
		return w_files_fail("'%s' has another name (a hard link), and "
				    "its owner or directory does not let it "
				    "be replaced; nothing was written",
		    spelled);
	return w_files_fail_at(
	    change->is_removed ? "delete" : "write", spelled, error);
}

int
w_files_set_apply(struct w_files_set *set)
{
	struct w_files_change *failed = NULL;
	int error = w_files_set_stage(set, &failed);

	if (error == 0)
		error = w_files_set_commit(set, &failed);
	set->is_applied = error == 0;
	return error == 0 ? 0 : file_set_fail(failed, error);
}

/* ---- the difference ---- */

void
w_files_add_lines(struct w_buf *buf, const struct w_buf *text)
{
	const size_t lines = w_edit_line_of(text->data, text->len);
	const bool has_end = text->len == 0 || w_buf_last(text) == '\n';
	const size_t count = lines - has_end;

	w_buf_add_fmt(buf, "%zu line%s", count, count == 1 ? "" : "s");
}

static bool
file_set_is_binary(const struct w_buf *text)
{
	return memchr(text->data, '\0', text->len) != NULL;
}

static void
file_set_add_one(
    struct w_buf *buf, const struct w_files_change *change, size_t bytes_max)
{
	W_AUTO_BUF struct w_buf label;

	w_buf_init(&label, LABEL_MAX * 2);
	(void)w_printable_add(&label, change->path->spelled, 0);
	if (file_set_is_binary(&change->old_text) ||
	    file_set_is_binary(&change->new_text)) {
		w_buf_add_fmt(buf,
		    "--- %s\n+++ %s\n[binary: %zu bytes, now %zu]\n",
		    label.data, label.data, change->old_text.len,
		    change->new_text.len);
		return;
	}
	const struct w_diff_side old = {
	    change->exists ? label.data : "/dev/null", change->old_text.data,
	    change->old_text.len};
	const struct w_diff_side new = {
	    change->is_removed ? "/dev/null" : label.data,
	    change->new_text.data, change->new_text.len};
	(void)w_diff_add_bounded(buf, &old, &new, bytes_max, NULL);
}

void
w_files_set_add_diff(struct w_buf *buf, const struct w_files_set *set)
{
	const size_t begin = buf->len;

	for (size_t i = 0; i < set->count; i++) {
		const size_t used = buf->len - begin;

		if (used >= W_FILES_DIFF_MAX) {
			w_buf_add_str(buf, "[more files]\n");
			return;
		}
		file_set_add_one(buf, &set->items[i], W_FILES_DIFF_MAX - used);
	}
}
