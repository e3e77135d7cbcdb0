/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Changes of other programs' settings: made on copies of the files, shown, and
 * written only then. Several changes of one file come one after the other.
 */

#include "cli/mcp/install_plan.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/output/line_diff.h"
#include "cli/output/print.h"

void
w_install_plan_init(struct w_install_plan *plan)
{
	memset(plan, 0, sizeof(*plan));
	for (size_t i = 0; i < W_INSTALL_FILES; i++) {
		w_client_settings_file_init(&plan->files[i].file);
		w_buf_init(&plan->files[i].text, W_SETTINGS_TEXT_MAX);
		w_client_settings_splice_init(&plan->splices[i]);
		w_buf_init(&plan->was[i], W_SETTINGS_TEXT_MAX);
		w_buf_init(&plan->json[i], W_SETTINGS_TEXT_MAX);
	}
}

void
w_install_plan_done(struct w_install_plan *plan)
{
	for (size_t i = 0; i < W_INSTALL_FILES; i++) {
		w_client_settings_file_done(&plan->files[i].file);
		w_buf_done(&plan->files[i].text);
		w_client_settings_splice_done(&plan->splices[i]);
		w_buf_done(&plan->was[i]);
		w_buf_done(&plan->json[i]);
	}
}

/* ---- the files ---- */

/* Reads the file, unless the plan has it already. */
static writ_status
install_plan_open(struct w_install_plan *plan,
    const struct w_install_target *target, struct w_install_file **out,
    writ_error *err)
{
	for (size_t i = 0; i < plan->file_count; i++) {
		*out = &plan->files[i];
		if (strcmp((*out)->target.base, target->base) == 0 &&
		    strcmp((*out)->target.below, target->below) == 0)
			return WRIT_OK;
	}
	if (plan->file_count == W_INSTALL_FILES)
		return w_fail(err, WRIT_E_INVALID, "mcp", 0,
		    "there are too many files to change");
	struct w_install_file *file = &plan->files[plan->file_count];
	file->target = *target;
	file->file.is_private = strcmp(target->base, ".") != 0;
	writ_status status = w_client_settings_file_read(
	    &file->file, target->base, target->below, err);
	if (status != WRIT_OK)
		return status;
	w_buf_add(&file->text, file->file.text.data, file->file.text.len);
	plan->file_count++;
	*out = file;
	return WRIT_OK;
}

static void
install_plan_splice(
    struct w_install_file *file, const struct w_client_settings_splice *splice)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_SETTINGS_TEXT_MAX);
	w_client_settings_splice_add(&text, &file->text, splice);
	file->text.len = 0;
	file->text.failed = text.failed;
	w_buf_add(&file->text, text.data, text.len);
}

/* Names the file of a fault in it. */
static writ_status
install_plan_fail(
    const struct w_install_file *file, const writ_error *why, writ_error *err)
{
	w_install_fail_place(err, file->file.path, why);
	return why->status;
}

/* ---- changes ---- */

/* Above the value there is nothing yet, and the program needs more there. */
static writ_status
install_plan_whole(const struct w_install_file *file,
    enum w_client_settings_format format,
    const struct w_client_settings_value *value, const char *whole,
    struct w_client_settings_value *out, writ_error *err)
{
	size_t last = 0;
	bool is_there = true;

	*out = *value;
	if (whole == NULL)
		return WRIT_OK;
	while (value->path[last + 1] != NULL)
		last++;
	out->path[last] = NULL;
	writ_status status =
	    w_client_settings_find(format, &file->text, out, &is_there, err);
	if (is_there)
		*out = *value;
	else
		out->json = whole;
	return status;
}

writ_status
w_install_plan_put(struct w_install_plan *plan,
    const struct w_install_target *target, enum w_client_settings_format format,
    const struct w_client_settings_value *value, const char *whole,
    writ_error *err)
{
	const size_t number = plan->edit_count;
	struct w_install_file *file = NULL;
	struct w_install_edit *edit = &plan->edits[number];
	struct w_client_settings_splice *splice = &plan->splices[number];
	writ_error why = {.status = WRIT_OK};

	if (number == W_INSTALL_FILES)
		return w_fail(err, WRIT_E_INVALID, "mcp", 0,
		    "there are too many changes");
	writ_status status = install_plan_open(plan, target, &file, err);
	if (status != WRIT_OK)
		return status;
	status =
	    install_plan_whole(file, format, value, whole, &edit->value, &why);
	if (status == WRIT_OK)
		status = w_client_settings_put(
		    format, &file->text, &edit->value, splice, &why);
	if (status != WRIT_OK)
		return install_plan_fail(file, &why, err);
	if (splice->was_len == 0 && splice->now.len == 0)
		return WRIT_OK;
	w_buf_add(
	    &plan->was[number], file->text.data + splice->at, splice->was_len);
	w_buf_add_str(&plan->json[number], edit->value.json);
	edit->base = file->target.base;
	edit->below = file->target.below;
	edit->format = format;
	edit->is_new = !file->file.is_there;
	edit->at = splice->at;
	edit->was = plan->was[number].data;
	edit->now = splice->now.data;
	edit->value.json = plan->json[number].data;
	plan->edit_count++;
	install_plan_splice(file, splice);
	return file->text.failed ? w_fail_nomem(err, "mcp") : WRIT_OK;
}

writ_status
w_install_plan_drop(struct w_install_plan *plan,
    const struct w_install_target *target, enum w_client_settings_format format,
    const struct w_client_settings_value *value, writ_error *err)
{
	struct w_install_file *file = NULL;
	W_AUTO_SPLICE struct w_client_settings_splice splice;
	writ_error why = {.status = WRIT_OK};

	w_client_settings_splice_init(&splice);
	writ_status status = install_plan_open(plan, target, &file, err);
	if (status != WRIT_OK)
		return status;
	status =
	    w_client_settings_drop(format, &file->text, value, &splice, &why);
	if (status != WRIT_OK)
		return install_plan_fail(file, &why, err);
	install_plan_splice(file, &splice);
	return file->text.failed ? w_fail_nomem(err, "mcp") : WRIT_OK;
}

/* ---- taking back ---- */

/* Where the text that was written still is: at its place, or else at the only
 * one. */
static bool
install_plan_locate(
    const struct w_buf *text, const struct w_install_edit *edit, size_t *out_at)
{
	const size_t len = strlen(edit->now);
	const char *first;

	if (len == 0)
		return false;
	*out_at = edit->at;
	if (edit->at <= text->len && text->len - edit->at >= len &&
	    memcmp(text->data + edit->at, edit->now, len) == 0)
		return true;
	first = strstr(text->data, edit->now);
	if (first == NULL || strstr(first + 1, edit->now) != NULL)
		return false;
	*out_at = (size_t)(first - text->data);
	return true;
}

/* By its meaning: a value that replaced another one is put back, others are
 * dropped. A value that somebody has changed since stays. */
static writ_status
install_plan_revert(struct w_install_file *file,
    const struct w_install_edit *edit, struct w_client_settings_splice *splice,
    writ_error *err)
{
	struct w_client_settings_value old = edit->value;
	W_AUTO_SPLICE struct w_client_settings_splice same;
	bool is_there = false;

	w_client_settings_splice_init(&same);
	writ_status status = w_client_settings_find(
	    edit->format, &file->text, &edit->value, &is_there, err);
	if (status != WRIT_OK || !is_there)
		return status;
	if (edit->value.is_item || edit->value.json[0] == '{')
		return w_client_settings_drop(
		    edit->format, &file->text, &edit->value, splice, err);
	status = w_client_settings_put(
	    edit->format, &file->text, &edit->value, &same, err);
	if (status != WRIT_OK || same.was_len + same.now.len != 0)
		return status;
	old.json = edit->was;
	return edit->was[0] == '\0'
		   ? w_client_settings_drop(
			 edit->format, &file->text, &edit->value, splice, err)
		   : w_client_settings_put(
			 edit->format, &file->text, &old, splice, err);
}

writ_status
w_install_plan_undo(struct w_install_plan *plan,
    const struct w_install_edit *edit, writ_error *err)
{
	struct w_install_target target;
	struct w_install_file *file = NULL;
	W_AUTO_SPLICE struct w_client_settings_splice splice;
	writ_error why = {.status = WRIT_OK};

	if (strlen(edit->base) >= sizeof(target.base) ||
	    strlen(edit->below) >= sizeof(target.below))
		return w_fail(err, WRIT_E_INVALID, "mcp", 0,
		    "a path of the receipt is too long");
	(void)strcpy(target.base, edit->base);
	(void)strcpy(target.below, edit->below);
	w_client_settings_splice_init(&splice);
	writ_status status = install_plan_open(plan, &target, &file, err);
	if (status != WRIT_OK || !file->file.is_there)
		return status;
	if (install_plan_locate(&file->text, edit, &splice.at)) {
		splice.was_len = strlen(edit->now);
		w_buf_add_str(&splice.now, edit->was);
	} else {
		status = install_plan_revert(file, edit, &splice, &why);
	}
	if (status != WRIT_OK)
		return install_plan_fail(file, &why, err);
	file->is_ours = file->is_ours || edit->is_new;
	install_plan_splice(file, &splice);
	return file->text.failed ? w_fail_nomem(err, "mcp") : WRIT_OK;
}

/* ---- showing and writing ---- */

static bool
install_file_changes(const struct w_install_file *file)
{
	const struct w_buf *old = &file->file.text;

	return old->len != file->text.len ||
	       memcmp(old->data, file->text.data, old->len) != 0;
}

static bool
install_file_goes(const struct w_install_file *file)
{
	return file->is_ours && file->text.len == 0;
}

bool
w_install_plan_changes(const struct w_install_plan *plan)
{
	bool is_changed = false;

	for (size_t i = 0; i < plan->file_count; i++)
		is_changed =
		    is_changed || install_file_changes(&plan->files[i]);
	return is_changed;
}

int
w_install_plan_show(const struct w_install_plan *plan)
{
	W_AUTO_BUF struct w_buf out;

	w_buf_init(&out, W_PRINT_MAX);
	for (size_t i = 0; i < plan->file_count; i++) {
		const struct w_install_file *file = &plan->files[i];
		const struct w_line_diff diff = {
		    .old_name =
			file->file.is_there ? file->file.path : "/dev/null",
		    .new_name =
			install_file_goes(file) ? "/dev/null" : file->file.path,
		    .old_text = &file->file.text,
		    .new_text = &file->text,
		    .has_colour = w_print_has_colour(1),
		};

		w_cli_diff_add(&out, &diff);
	}
	return w_print(&out);
}

writ_status
w_install_plan_write(struct w_install_plan *plan, writ_error *err)
{
	for (size_t i = 0; i < plan->file_count; i++) {
		struct w_install_file *file = &plan->files[i];
		const bool is_gone = install_file_goes(file);
		writ_status status = WRIT_OK;

		if (!install_file_changes(file))
			continue;
		if (is_gone)
			status =
			    w_client_settings_file_remove(&file->file, err);
		else
			status = w_client_settings_file_write(
			    &file->file, &file->text, err);
		if (status != WRIT_OK)
			return status;
		w_print_note(
		    "%s %s", is_gone ? "removed" : "wrote", file->file.path);
	}
	return WRIT_OK;
}
