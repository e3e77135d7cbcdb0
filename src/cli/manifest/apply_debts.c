/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The refreshes that are owed, for an apply.
 */

#include "cli/manifest/apply_debts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/output/print.h"
#include "data/json.h"
#include "log/log_format.h"
#include "manifest/owed/owed.h"
#include "manifest/session/apply_lock.h"

#define STAGE       "apply"
#define COMMAND_MAX 1024
#define TOLD_MAX    5

writ_status
w_cli_debts_dir(const writ_config *config, char **out_dir, writ_error *err)
{
	char *dir = NULL;

	if (asprintf(&dir, "%s/%s", writ_config_get(config, "state_dir"),
		W_OWED_DIR) < 0)
		return w_fail_nomem(err, STAGE);
	*out_dir = dir;
	return WRIT_OK;
}

/* ---- before ---- */

static void
note_wait(void *ctx, const char *holder)
{
	(void)ctx;
	w_print_note("waiting for %s", holder);
}

static writ_status
take_lock(struct w_cli_apply *run, writ_error *err)
{
	W_AUTO_BUF struct w_buf command;
	const struct w_apply_lock_options options = {
	    .state_dir = writ_config_get(run->config, "state_dir"),
	    .command = "writ apply",
	    .wait_ms = run->wait_ms,
	    .on_wait = note_wait,
	};
	struct w_apply_lock_options named = options;

	w_buf_init(&command, COMMAND_MAX);
	w_buf_add_str(&command, "writ apply ");
	w_words_quote(&command, run->file);
	if (!command.failed)
		named.command = command.data;
	writ_status status = w_apply_lock_take(&named, &run->lock_fd, err);
	run->has_lock = status == WRIT_OK && run->lock_fd >= 0;
	return status;
}

/* The path by which those that are owed know the manifest: what it is called
 * from here may change. */
static writ_status
find_path(struct w_cli_apply *run, writ_error *err)
{
	const char *slash = strrchr(run->file, '/');
	const char *name = slash == NULL ? run->file : slash + 1;
	const char *dir = run->loaded.manifest->dir;

	if (strcmp(run->file, "-") == 0)
		run->path = strdup("-");
	else if (asprintf(&run->path, "%s/%s", strcmp(dir, "/") == 0 ? "" : dir,
		     name) < 0)
		run->path = NULL;
	return run->path == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

/* Whether the manifest has the resource that is owed a refresh. */
static bool
has_subscriber(const struct w_manifest *manifest, const char *id)
{
	const char *name = strchr(id, '#');

	for (int i = 0; name != NULL && i < W_RESOURCE_TYPES; i++) {
		const enum w_resource_type type = (enum w_resource_type)i;
		const char *word = w_resource_word(type);

		if (!w_resource_can_subscribe(type) ||
		    strncmp(id, word, strlen(word)) != 0 ||
		    (size_t)(name - id) != strlen(word))
			continue;
		const size_t at =
		    w_manifest_find(manifest, word, name + 1, manifest->count);
		return at != W_NO_TARGET &&
		       strcmp(manifest->resources[at].id, id) == 0;
	}
	return false;
}

static bool
is_of_manifest(void *ctx, const struct w_owed_refresh *refresh)
{
	const struct w_cli_apply *run = ctx;

	return strcmp(refresh->manifest, run->path) == 0;
}

/* What a subscriber is owed that was removed from the manifest, or renamed. */
static writ_status
drop_gone(struct w_cli_apply *run, writ_error *err)
{
	const struct w_owed_refresh *refresh;
	writ_status status = WRIT_OK;
	size_t at = 0;

	while (status == WRIT_OK && strcmp(run->path, "-") != 0 &&
	       (refresh = w_owed_next(run->owed, &at)) != NULL) {
		const char *subscriber = refresh->subscriber;

		if (!is_of_manifest(run, refresh) ||
		    has_subscriber(run->loaded.manifest, subscriber))
			continue;
		w_print_note("%s was owed a refresh (%s changed), but is no "
			     "longer in the manifest: it is not owed any more",
		    subscriber, refresh->subject);
		status = w_owed_pay(run->owed, subscriber, W_OWED_GONE,
		    is_of_manifest, run, err);
	}
	return status;
}

static writ_status
open_owed(struct w_cli_apply *run, bool is_readonly, writ_error *err)
{
	W_AUTO_FREE char *dir = NULL;
	writ_status status = w_cli_debts_dir(run->config, &dir, err);

	if (status == WRIT_OK)
		status = w_owed_open(dir, is_readonly, &run->owed, err);
	if (status == WRIT_OK && w_owed_note(run->owed) != NULL) {
		w_print_note("%s", w_owed_note(run->owed));
		if (!is_readonly)
			status = w_owed_acknowledge(run->owed, err);
	}
	return status;
}

writ_status
w_cli_debts_open(struct w_cli_apply *run, writ_error *err)
{
	writ_error unread;
	writ_status status = find_path(run, err);

	if (status != WRIT_OK)
		return status;
	if (run->is_health_only)
		return WRIT_OK;
	if (run->is_noop) {
		if (open_owed(run, true, &unread) != WRIT_OK)
			w_print_note(
			    "what is owed cannot be read: %s", unread.message);
		return WRIT_OK;
	}
	status = take_lock(run, err);
	if (status == WRIT_OK)
		status = open_owed(run, false, err);
	return status == WRIT_OK ? drop_gone(run, err) : status;
}

/* ---- afterwards ---- */

void
w_cli_debts_tell(const struct w_cli_apply *run)
{
	const struct w_owed_refresh *refresh;
	size_t at = 0, count = 0;

	if (run->owed == NULL || run->is_json || run->is_noop)
		return;
	while ((refresh = w_owed_next(run->owed, &at)) != NULL) {
		char since[W_LOG_TIME_LEN + 1];

		if (strcmp(refresh->manifest, run->path) != 0 ||
		    ++count > TOLD_MAX)
			continue;
		w_log_time_format(refresh->since_us, since);
		w_print_note("%s is owed a refresh since %.19sZ: %s changed",
		    refresh->subscriber, since, refresh->subject);
	}
	if (count > TOLD_MAX)
		w_print_note("%zu more refreshes are owed (writ session owed)",
		    count - TOLD_MAX);
	if (count > 0)
		w_print_note("the next apply makes up for it");
}

void
w_cli_debts_hint(const char *state_dir)
{
	W_AUTO_FREE char *dir = NULL;
	struct w_owed *owed = NULL;
	writ_config *config = NULL;
	writ_status status = writ_config_new(&config, NULL);

	if (status == WRIT_OK && state_dir != NULL)
		status = writ_config_set(config, "state_dir", state_dir, NULL);
	if (status == WRIT_OK)
		status = w_cli_debts_dir(config, &dir, NULL);
	if (status == WRIT_OK)
		status = w_owed_open(dir, true, &owed, NULL);
	const size_t count = status == WRIT_OK ? w_owed_count(owed) : 0;
	if (count > 0)
		w_print_note("%zu refresh%s owed: 'writ session owed' lists "
			     "%s",
		    count, count == 1 ? " is" : "es are",
		    count == 1 ? "it" : "them");
	w_owed_free(owed);
	writ_config_free(config);
}

void
w_cli_debts_add_json(struct w_buf *buf, const struct w_owed *owed)
{
	const struct w_owed_refresh *refresh;
	size_t at = 0;
	bool is_first = true;

	w_buf_add_char(buf, '[');
	while (owed != NULL && (refresh = w_owed_next(owed, &at)) != NULL) {
		char since[W_LOG_TIME_LEN + 1];

		w_log_time_format(refresh->since_us, since);
		w_buf_add_str(buf, is_first ? "{" : ",{");
		is_first = false;
		w_json_add_text_member(buf, "resource", refresh->subscriber);
		w_json_add_text_member(buf, "changed", refresh->subject);
		w_json_add_text_member(buf, "since", since);
		w_json_add_path_member(buf, "manifest", refresh->manifest);
		w_buf_add_char(buf, '}');
	}
	w_buf_add_char(buf, ']');
}
