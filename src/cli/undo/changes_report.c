/* SPDX-License-Identifier: Apache-2.0 */

/* Shows changes: a line each, as JSON, or as texts. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/printable.h"
#include "base/size.h"
#include "cli/output/print.h"
#include "cli/undo/changes_args.h"
#include "data/json.h"

static size_t
count_kind(const writ_changes *changes, const char *kind)
{
	size_t count = 0;

	for (size_t i = 0; i < changes->count; i++)
		count += strcmp(changes->items[i].kind, kind) == 0;
	return count;
}

void
w_cli_changes_add_counts(struct w_buf *buf, const writ_changes *changes)
{
	static const char *const kinds[] = {
	    "made", "changed", "deleted", "settings"};
	const char *between = "";

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const size_t count = count_kind(changes, kinds[i]);

		if (count == 0)
			continue;
		w_buf_add_fmt(buf, "%s%zu %s", between, count, kinds[i]);
		between = ", ";
	}
	if (between[0] == '\0')
		w_buf_add_str(buf, "nothing");
}

static void
add_sizes(struct w_buf *buf, const writ_change *item)
{
	if (strcmp(item->kind, "settings") == 0)
		w_buf_add_fmt(
		    buf, "  %04o to %04o", item->mode_before, item->mode_after);
	else if (strcmp(item->type, "file") != 0)
		w_buf_add_fmt(buf, "  %s", item->type);
	else if (strcmp(item->kind, "changed") == 0)
		w_buf_add_fmt(buf, "  %" PRIu64 " to %" PRIu64 " bytes",
		    item->bytes_before, item->bytes_after);
	else
		w_buf_add_fmt(buf, "  %" PRIu64 " bytes",
		    item->bytes_before + item->bytes_after);
}

static bool
is_asked(const struct w_changes_args *args, const writ_change *item)
{
	if (args->shows_held && item->held == NULL)
		return false;
	for (size_t i = 0; i < args->paths.count; i++) {
		const char *path = args->paths.items[i];
		const size_t len = strlen(path);

		if (strcmp(path, ".") == 0 ||
		    (strncmp(item->path, path, len) == 0 &&
			(item->path[len] == '\0' || item->path[len] == '/')))
			return true;
	}
	return args->paths.count == 0;
}

int
w_cli_changes_print(
    const struct w_changes_args *args, const writ_changes *changes)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, W_CHANGES_TEXT_MAX);
	if (args->is_json) {
		w_cli_changes_add_json(&buf, changes);
		return w_print(&buf);
	}
	w_buf_add_fmt(&buf, "%s  %s  ", changes->run_id,
	    writ_changes_state_word(changes->state));
	w_cli_changes_add_counts(&buf, changes);
	w_buf_add_str(&buf, "  ");
	(void)w_printable_add(&buf, changes->project, 0);
	w_buf_add_char(&buf, '\n');
	for (size_t i = 0; i < changes->count; i++) {
		const writ_change *item = &changes->items[i];

		if (!is_asked(args, item))
			continue;
		w_buf_add_fmt(&buf, "%-8s  ", item->kind);
		(void)w_printable_add(&buf, item->path, 0);
		add_sizes(&buf, item);
		if (item->trouble != NULL)
			w_buf_add_fmt(&buf, "  (%s)", item->trouble);
		if (item->held != NULL)
			w_buf_add_fmt(&buf, "  (held back: %s)", item->held);
		w_buf_add_char(&buf, '\n');
	}
	return w_print(&buf);
}

int
w_cli_changes_print_texts(
    const struct w_changes_args *args, const writ_changes *changes)
{
	W_AUTO_BUF struct w_buf buf;
	writ_error err;

	w_buf_init(&buf, W_CHANGES_TEXT_MAX);
	for (size_t i = 0; i < changes->count; i++) {
		const writ_change *item = &changes->items[i];
		char *text = NULL;

		if (!is_asked(args, item))
			continue;
		if (writ_changes_diff(changes, i, &text, &err) != WRIT_OK)
			return w_cli_changes_fail(args, &err);
		if (text == NULL) {
			w_buf_add_fmt(&buf, "%s ", item->kind);
			(void)w_printable_add(&buf, item->path, 0);
			add_sizes(&buf, item);
			w_buf_add_char(&buf, '\n');
			continue;
		}
		/* What a run wrote must not speak to the terminal. */
		for (char *line = text; *line != '\0';) {
			const size_t len = strcspn(line, "\n");

			w_printable_add_bytes(&buf, line, len);
			w_buf_add_char(&buf, '\n');
			line += len + (line[len] == '\n');
		}
		free(text);
	}
	return w_print(&buf);
}

size_t
w_cli_changes_print_troubles(const writ_changes *changes)
{
	size_t count = 0;

	W_AUTO_BUF struct w_buf path;

	w_buf_init(&path, W_CHANGES_TEXT_MAX);
	for (size_t i = 0; i < changes->count; i++) {
		const writ_change *item = &changes->items[i];

		if (item->trouble == NULL)
			continue;
		path.len = 0;
		(void)w_printable_add(&path, item->path, 0);
		w_print_note(
		    "'%s' was left alone: %s", path.data, item->trouble);
		count++;
	}
	return count;
}

static void
add_item_json(struct w_buf *buf, const writ_change *item)
{
	w_buf_add_char(buf, '{');
	w_json_add_path_member(buf, "path", item->path);
	w_json_add_text_member(buf, "kind", item->kind);
	w_json_add_text_member(buf, "type", item->type);
	w_json_add_number_member(buf, "bytes_before", item->bytes_before);
	w_json_add_number_member(buf, "bytes_after", item->bytes_after);
	w_buf_add_fmt(buf, ",\"mode_before\":\"%04o\",\"mode_after\":\"%04o\"",
	    item->mode_before, item->mode_after);
	w_json_add_text_member(buf, "trouble", item->trouble);
	w_json_add_text_member(buf, "held", item->held);
	w_buf_add_char(buf, '}');
}

void
w_cli_changes_add_json(struct w_buf *buf, const writ_changes *changes)
{
	w_buf_add_char(buf, '{');
	w_json_add_text_member(buf, "run_id", changes->run_id);
	w_json_add_path_member(buf, "project", changes->project);
	w_json_add_text_member(buf, "session", changes->session);
	w_json_add_text_member(
	    buf, "state", writ_changes_state_word(changes->state));
	w_json_add_bool_member(buf, "trial", changes->is_trial);
	w_json_add_number_member(buf, "began_us", changes->began_us);
	w_json_add_number_member(buf, "moved_us", changes->moved_us);
	w_json_add_number_member(buf, "kept_bytes", changes->kept_bytes);
	w_buf_add_str(buf, ",\"changes\":[");
	for (size_t i = 0; i < changes->count; i++) {
		if (i > 0)
			w_buf_add_char(buf, ',');
		add_item_json(buf, &changes->items[i]);
	}
	w_buf_add_str(buf, "]}\n");
}
