/* SPDX-License-Identifier: Apache-2.0 */

/* Undoes, redoes, accepts and drops changes, and records it. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/record/record.h"
#include "audit/record/trail.h"
#include "base/auto.h"
#include "base/error.h"
#include "base/hex.h"
#include "engine/recorder/note_record.h"
#include "engine/undo/changes_state.h"

#define STAGE "undo"

static const struct {
	const char *word;
	const char *of; /* what it is for */
	enum w_undo_side to;
	enum w_undo_progress from;
} actions[] = {
    [WRIT_CHANGES_UNDO] = {"undo", "accepted", W_UNDO_BEFORE, W_UNDO_DONE},
    [WRIT_CHANGES_REDO] = {"redo", "undone", W_UNDO_AFTER, W_UNDO_UNDONE},
    [WRIT_CHANGES_ACCEPT] = {"accept", "waiting", W_UNDO_AFTER, W_UNDO_WAITING},
    [WRIT_CHANGES_RESTORE] = {"restore", "held back", W_UNDO_AFTER,
	W_UNDO_WAITING},
};

/* ---- the record ---- */

static writ_status
record_action(const struct w_changes *changes, const char *action,
    uint64_t moved, uint64_t left, writ_error *err)
{
	uint8_t sum[W_SHA256_SIZE];
	char hex[W_SHA256_HEX + 1];
	struct w_record_changes fields = {
	    .action = action,
	    .run_id = changes->set.id,
	    .moved = moved,
	    .left = left,
	    .sha256 = hex,
	    .uid = getuid(),
	    .pid = getpid(),
	};
	W_AUTO_BUF struct w_buf record;

	w_undo_list_hash(&changes->set.list, sum);
	for (size_t i = 0; i < sizeof(sum); i++)
		(void)snprintf(hex + 2 * i, 3, "%02x", sum[i]);
	w_buf_init(&record, W_TRAIL_RECORD_MAX);
	w_record_add_changes(&record, &fields);
	return w_note_record(
	    changes->config, "undo", &record, "what was moved", err);
}

/* ---- which ---- */

/* Whether path is dir or beneath it. */
static bool
is_at_or_beneath(const char *path, const char *dir)
{
	const size_t len = strlen(dir);

	return strcmp(dir, ".") == 0 ||
	       (strncmp(path, dir, len) == 0 &&
		   (path[len] == '\0' || path[len] == '/'));
}

static writ_status
select_path(const struct w_undo_list *list, const char *wanted,
    unsigned char *selected, writ_error *err)
{
	const char *moves_with = NULL;
	bool found = false;

	for (size_t i = 0; i < list->count; i++) {
		const struct w_undo_change *change = &list->items[i];

		if (change->kind == W_UNDO_MEMBER)
			continue;
		if (is_at_or_beneath(change->path, wanted)) {
			selected[i] = 1;
			found |= change->kind != W_UNDO_SETTINGS ||
				 w_undo_settings_differ(change);
		} else if (change->kind != W_UNDO_SETTINGS &&
			   is_at_or_beneath(wanted, change->path)) {
			moves_with = change->path;
		}
	}
	if (found)
		return WRIT_OK;
	if (moves_with == NULL)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the run did not change '%s'", wanted);
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "'%s' came or went with '%s' as a whole", wanted, moves_with);
	w_suggest(err, "name '%s'", moves_with);
	return WRIT_E_INVALID;
}

/* What is held back is restored, and not accepted with the rest. */
static bool
is_held_for(const struct w_undo_change *change, writ_changes_action action)
{
	const bool is_held = change->held != NULL;

	return action == WRIT_CHANGES_RESTORE  ? is_held
	       : action == WRIT_CHANGES_ACCEPT ? !is_held
					       : true;
}

/* *out_selected is yours. *out_count: of the steps that are in the state that
 * the action is for. */
static writ_status
select_steps(const struct w_changes *changes, writ_changes_action action,
    const char *const *paths, unsigned char **out_selected, size_t *out_count,
    writ_error *err)
{
	const struct w_undo_list *list = &changes->set.list;
	W_AUTO_FREE unsigned char *selected = calloc(list->count + 1, 1);
	writ_status status = WRIT_OK;
	size_t count = 0;

	if (selected == NULL)
		return w_fail_nomem(err, STAGE);
	if (paths == NULL)
		memset(selected, 1, list->count);
	for (; paths != NULL && *paths != NULL && status == WRIT_OK; paths++)
		status = select_path(list, *paths, selected, err);
	for (size_t i = 0; i < list->count; i++) {
		const struct w_undo_change *change = &list->items[i];

		if (change->kind == W_UNDO_MEMBER ||
		    change->progress != actions[action].from ||
		    !is_held_for(change, action))
			selected[i] = 0;
		count +=
		    selected[i] != 0 && (change->kind != W_UNDO_SETTINGS ||
					    w_undo_settings_differ(change));
	}
	if (status != WRIT_OK)
		return status;
	*out_selected = w_take_ptr(&selected);
	*out_count = count;
	return WRIT_OK;
}

static writ_status
check_action(const struct w_changes *changes, writ_changes_action action,
    writ_error *err)
{
	if ((size_t)action >= sizeof(actions) / sizeof(actions[0]))
		return w_fail(
		    err, WRIT_E_INVALID, STAGE, 0, "this is no action");
	if (changes->set.is_live)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the run '%s' has not ended", changes->set.id);
	return WRIT_OK;
}

writ_status
writ_changes_count(const writ_changes *shown, writ_changes_action action,
    const char *const *paths, size_t *out_count, writ_error *err)
{
	const struct w_changes *changes = w_changes_of(shown);
	W_AUTO_FREE unsigned char *selected = NULL;

	writ_status status = check_action(changes, action, err);
	return status != WRIT_OK ? status
				 : select_steps(changes, action, paths,
				       &selected, out_count, err);
}

/* How many of the selected were left alone. */
static size_t
count_left(const struct w_undo_list *list, const unsigned char *selected)
{
	size_t left = 0;

	for (size_t i = 0; i < list->count; i++)
		left +=
		    selected[i] != 0 && list->items[i].trouble != W_UNDO_FINE;
	return left;
}

writ_status
writ_changes_move(writ_changes *shown, writ_changes_action action,
    const char *const *paths, writ_error *err)
{
	struct w_changes *changes = w_changes_of(shown);
	W_AUTO_FREE unsigned char *selected = NULL;
	size_t count = 0;

	writ_status status = check_action(changes, action, err);
	if (status == WRIT_OK)
		status = select_steps(
		    changes, action, paths, &selected, &count, err);
	if (status == WRIT_OK && count == 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "nothing of the run '%s' is %s", changes->set.id,
		    actions[action].of);
	/* Before the first file moves: what cannot be recorded does not
	 * happen. */
	if (status == WRIT_OK)
		status =
		    record_action(changes, actions[action].word, count, 0, err);
	if (status == WRIT_OK)
		status = w_change_set_move(
		    &changes->set, actions[action].to, selected, err);
	if (status != WRIT_OK)
		return status;
	const size_t left = count_left(&changes->set.list, selected);
	if (left > 0)
		status = record_action(changes, actions[action].word,
		    count > left ? count - left : 0, left, err);
	writ_status shows = w_changes_show(changes, err);
	return status != WRIT_OK ? status : shows;
}

writ_status
writ_changes_drop(writ_changes *shown, writ_error *err)
{
	struct w_changes *changes = w_changes_of(shown);

	writ_status status = check_action(changes, WRIT_CHANGES_UNDO, err);
	if (status == WRIT_OK)
		status = record_action(
		    changes, "drop", changes->set.list.count, 0, err);
	return status != WRIT_OK ? status
				 : w_change_set_drop(&changes->set, err);
}
