/* SPDX-License-Identifier: Apache-2.0 */

/* The edit resource: reads the file, edits the text, and has writ_file()
 * replace the file if the text has changed. */

#include "manifest/types/edit.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "manifest/types/typed_step.h"

#define MARKER_TEXT "# " W_EDIT_MARK " "

/* ---- the file ---- */

/* *out_exists false: it is not there. */
static bool
edit_read(struct w_typed_step *x, const char *path, struct w_buf *out,
    bool *out_exists)
{
	W_AUTO_FD int fd = -1;
	writ_error err = {.status = WRIT_OK};
	char block[4096];
	struct stat st;
	ssize_t n = 0;

	*out_exists = lstat(path, &st) == 0;
	if (!*out_exists && (errno == ENOENT || errno == ENOTDIR))
		return true;
	if (*out_exists && S_ISLNK(st.st_mode)) {
		w_resource_step_fail(x->step,
		    "'%s' is a symbolic link: edit the file that it leads to",
		    path);
		return false;
	}
	if (writ_file_open(path, &fd, &err) != WRIT_OK) {
		w_resource_step_fail_error(x->step, &err);
		return false;
	}
	while ((n = read(fd, block, sizeof(block))) > 0 ||
	       (n < 0 && errno == EINTR)) {
		if (n > 0)
			w_buf_add(out, block, (size_t)n);
	}
	if (n == 0 && !out->failed)
		return true;
	w_resource_step_fail(x->step, "cannot read '%s': %s", path,
	    n < 0 ? strerror(errno) : "it is larger than 16MiB");
	return false;
}

/* ---- the edit ---- */

static bool
edit_fill(struct w_typed_step *x, int index, const char **out_text)
{
	struct w_filled_text text;

	if (!w_typed_fill(x, index, &text))
		return false;
	*out_text = text.text;
	return true;
}

static bool
fill_edit(struct w_typed_step *x, struct w_typed_edit *edit)
{
	*edit = (struct w_typed_edit){
	    .is_absent = strcmp(x->resource->ensure, "absent") == 0,
	    .match = w_typed_text(x, W_EDIT_MATCH),
	    .after = w_typed_text(x, W_EDIT_AFTER),
	    .before = w_typed_text(x, W_EDIT_BEFORE),
	    .marker = w_typed_text(x, W_EDIT_MARKER),
	    .section = w_typed_text(x, W_EDIT_SECTION),
	    .key = w_typed_text(x, W_EDIT_KEY),
	};
	if (!edit_fill(x, W_EDIT_LINE, &edit->line) ||
	    !edit_fill(x, W_EDIT_BLOCK, &edit->block) ||
	    !edit_fill(x, W_EDIT_VALUE, &edit->value))
		return false;
	if (edit->block == NULL && edit->marker != NULL)
		edit->block = "";
	if (edit->marker == NULL)
		edit->marker = w_resource_step_text(
		    x->step, MARKER_TEXT "%s", x->resource->name.text);
	if ((edit->line == NULL || strpbrk(edit->line, "\n\r") == NULL) &&
	    (edit->value == NULL || strpbrk(edit->value, "\n\r") == NULL))
		return true;
	w_resource_step_fail(x->step, "%s has a new line in it",
	    edit->value != NULL ? "value" : "line");
	return false;
}

static const char *
kind_of(const struct w_typed_edit *edit)
{
	if (edit->block != NULL)
		return "block";
	return edit->key != NULL ? "key" : "line";
}

static bool
edit_store(struct w_typed_step *x, const char *path,
    const struct w_typed_edit *edit, const struct w_buf *made)
{
	writ_file_request request = WRIT_FILE_REQUEST_INIT;
	writ_file_result *result = NULL;

	request.path = path;
	request.content = made->len == 0 ? "" : made->data;
	request.content_len = made->len;
	(void)w_typed_plan(
	    x, "%s the %s", edit->is_absent ? "removed" : "set", kind_of(edit));
	w_typed_reason(x, "%s %s", kind_of(edit),
	    edit->is_absent ? "is there" : "differs");
	if (!w_typed_file(x, &request, &result))
		return false;
	if (result->diff != NULL && x->step->secrets.count == 0)
		x->step->event.diff = w_arena_text(
		    &x->step->arena, result->diff, strlen(result->diff));
	writ_file_result_free(result);
	return true;
}

/* What is not there: in noop an earlier resource may make it. */
static bool
edit_missing(struct w_typed_step *x, const char *path, bool is_absent)
{
	if (is_absent || w_typed_truth(x, W_EDIT_CREATE, false))
		return true;
	if (x->is_noop) {
		w_resource_step_warn(x->step, "there is no '%s' yet", path);
		return true;
	}
	w_resource_step_fail(
	    x->step, "there is no file '%s' ('create: true' makes it)", path);
	return false;
}

static bool
edit_change(struct w_typed_step *x, const char *path)
{
	writ_error err = {.status = WRIT_OK};
	W_AUTO_BUF struct w_buf old, made;
	struct w_typed_edit edit;
	bool exists = false;

	w_buf_init(&old, W_EDIT_TEXT_MAX);
	w_buf_init(&made, W_EDIT_TEXT_MAX * 2);
	if (!fill_edit(x, &edit) || !edit_read(x, path, &old, &exists))
		return false;
	if (!exists && !edit_missing(x, path, edit.is_absent))
		return false;
	if (!exists && edit.is_absent)
		return true;
	if (w_typed_edit_text(&edit, old.len == 0 ? "" : old.data, old.len,
		&made, &err) != WRIT_OK) {
		x->step->is_short |= err.status == WRIT_E_NOMEM;
		w_resource_step_fail(x->step, "'%s': %s", path, err.message);
		return false;
	}
	if (exists && made.len == old.len &&
	    (old.len == 0 || memcmp(made.data, old.data, old.len) == 0))
		return true;
	return edit_store(x, path, &edit, &made);
}

void
w_typed_edit_apply(struct w_resource_step *step)
{
	const char *path = w_typed_early(step->resource, W_EDIT_PATH);
	struct w_typed_step x;

	if (path == NULL)
		path = step->resource->name.text;
	if (w_typed_begin(&x, step, NULL, -1))
		(void)edit_change(&x, path);
	w_typed_note(&x, "path", path);
	w_typed_end(&x, step->resource->ensure);
}
