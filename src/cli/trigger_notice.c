/* SPDX-License-Identifier: Apache-2.0 */

/* The notice about files that agents changed and that other programs will
 * execute later: git hooks, .envrc and the like. */

#include "cli/trigger_notice.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <writ/audit.h>
#include <writ/config.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/printable.h"
#include "cli/caller.h"
#include "cli/output/print.h"
#include "data/json.h"

#define SHOWN_MAX 8
#define NOTE_MAX  ((size_t)64 << 10)
#define JSON_MAX  ((size_t)1 << 20)

/* Whether an earlier row names the same file. */
static bool
trigger_notice_is_repeated(yyjson_val *notes, size_t which)
{
	const char *path = yyjson_get_str(
	    yyjson_obj_get(yyjson_arr_get(notes, which), "path"));

	for (size_t i = 0; path != NULL && i < which; i++) {
		if (yyjson_equals_str(
			yyjson_obj_get(yyjson_arr_get(notes, i), "path"), path))
			return true;
	}
	return false;
}

static void
print_one(yyjson_val *note)
{
	const char *path = yyjson_get_str(yyjson_obj_get(note, "path"));
	const char *why = yyjson_get_str(yyjson_obj_get(note, "why"));
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, NOTE_MAX);
	(void)w_printable_add(&line, path == NULL ? "a file" : path, 0);
	w_buf_add_str(&line, ": ");
	(void)w_printable_add(&line, why == NULL ? "" : why, 0);
	w_print_note("  %s", line.data);
}

static void
print_all(yyjson_val *notes)
{
	size_t shown = 0;
	size_t more = 0;

	for (size_t i = 0; i < yyjson_arr_size(notes); i++) {
		if (trigger_notice_is_repeated(notes, i))
			continue;
		if (shown == SHOWN_MAX) {
			more++;
			continue;
		}
		if (shown++ == 0)
			w_print_note("agents made or changed files that run "
				     "something outside the "
				     "sandbox:");
		print_one(yyjson_arr_get(notes, i));
	}
	if (more > 0)
		w_print_note("  and %zu more", more);
	if (shown > 0)
		w_print_note("'writ audit triggers' shows the runs");
}

static void
trigger_notice_show(const char *state_dir)
{
	const struct w_json_limits limits = {
	    .bytes_max = JSON_MAX, .depth_max = 8};
	W_AUTO_FREE char *text = NULL;
	struct w_json *json = NULL;
	size_t len = 0;

	/* The cheap test first: usually the list is empty. */
	if (writ_triggers_untold(state_dir, false, &text, &len, NULL) !=
		WRIT_OK ||
	    len <= strlen("[]") || w_cli_caller() != WRIT_CALLER_TRUSTED ||
	    w_json_read(text, len, &limits, &json, NULL) != WRIT_OK)
		return;
	print_all(w_json_root(json));
	w_json_free(json);
	free(text);
	text = NULL;
	/* Marks them as shown. */
	(void)writ_triggers_untold(state_dir, true, &text, &len, NULL);
}

void
w_cli_trigger_notice(void)
{
	writ_config *config = NULL;

	if (isatty(STDERR_FILENO) != 1 ||
	    writ_config_new(&config, NULL) != WRIT_OK)
		return;
	trigger_notice_show(writ_config_get(config, "state_dir"));
	writ_config_free(config);
}
