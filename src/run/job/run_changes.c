/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The end of a run on a layer: its changes are listed and accepted, or wait.
 *
 * Nothing here fails the run. What cannot be accepted stays in the store, and
 * the result says so.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/buf.h"
#include "data/json.h"
#include "run/job/sandbox_use.h"
#include "undo/change_count.h"
#include "undo/change_store.h"

enum {
	PATHS_SHOWN = 10,
	CHANGES_MAX = 64 * 1024
};

static const char *
state_word(const struct w_change_set *set, const struct w_change_count *count)
{
	if (w_change_set_state(set) == W_CHANGE_HELD)
		return "held";
	if (count->conflicts > 0 || count->failures > 0)
		return w_change_set_state(set) == W_CHANGE_ACCEPTED ? "partial"
								    : "waits";
	return w_change_set_state(set) == W_CHANGE_ACCEPTED ? "accepted"
							    : "waits";
}

static void
take_paths(struct w_run_result *storage, const struct w_undo_list *list)
{
	for (size_t i = 0;
	     i < list->count && storage->changed.count < PATHS_SHOWN; i++) {
		const char *path = list->items[i].path;

		if (w_undo_change_is_shown(&list->items[i]) &&
		    list->items[i].held == NULL)
			(void)w_words_add(
			    &storage->changed, path, strlen(path));
	}
	storage->result.changed = (const char *const *)storage->changed.items;
}

/* For the person, and for the agent that made them. */
static void
take_held(struct w_run_result *storage, const struct w_change_set *set)
{
	struct w_words *texts = &storage->held_texts;

	storage->held = calloc(W_TRIGGERS_MAX, sizeof(*storage->held));
	for (size_t i = 0; storage->held != NULL && i < set->list.count &&
			   storage->result.held_count < W_TRIGGERS_MAX;
	     i++) {
		const struct w_undo_change *change = &set->list.items[i];
		W_AUTO_FREE char *path = NULL;

		if (change->held == NULL)
			continue;
		if (asprintf(&path, "%s/%s", set->root, change->path) < 0) {
			path = NULL;
			return;
		}
		if (!w_words_add(texts, path, strlen(path)) ||
		    !w_words_add(texts, change->held, strlen(change->held)))
			return;
		storage->held[storage->result.held_count++] =
		    (writ_trigger){.path = texts->items[texts->count - 2],
			.why = texts->items[texts->count - 1]};
	}
	storage->result.held = storage->held;
}

static char *
describe(const struct w_change_set *set)
{
	struct w_change_count count;
	uint8_t sum[W_SHA256_SIZE];
	struct w_buf buf;

	w_change_count(&set->list, &count);
	w_undo_list_hash(&set->list, sum);
	w_buf_init(&buf, CHANGES_MAX);
	w_buf_add_fmt(&buf,
	    "{\"state\":\"%s\",\"made\":%zu,\"changed\":%zu,\"deleted\":%zu,"
	    "\"held\":%zu,\"conflicts\":%zu,\"failed\":%zu",
	    count.all == 0 ? "none" : state_word(set, &count), count.made,
	    count.changed, count.deleted, count.held, count.conflicts,
	    count.failures);
	w_buf_add_str(&buf, ",\"sha256\":\"");
	for (size_t i = 0; i < sizeof(sum); i++)
		w_buf_add_fmt(&buf, "%02x", sum[i]);
	w_buf_add_str(&buf, "\"}");
	return w_buf_take(&buf, NULL);
}

static char *
describe_lack(const char *state, const char *why)
{
	struct w_buf buf;

	w_buf_init(&buf, CHANGES_MAX);
	w_buf_add_fmt(&buf, "{\"state\":\"%s\"", state);
	w_json_add_text_member(&buf, "why", why);
	w_buf_add_char(&buf, '}');
	return w_buf_take(&buf, NULL);
}

/* Processes that would not end may still write to the layer. */
static writ_status
accept_layer(
    struct writ_job *job, const struct w_undo_layer *layer, writ_error *err)
{
	W_AUTO_CHANGE_SET struct w_change_set set = {.dir_fd = -1};
	W_AUTO_FD int store_fd = -1;
	struct w_change_count count;

	writ_status status =
	    w_change_store_open(job->runner->state_dir, true, &store_fd, err);
	if (status == WRIT_OK)
		status = w_change_store_lock(store_fd, err);
	if (status == WRIT_OK)
		status =
		    w_change_set_open(store_fd, layer->id, layer, &set, err);
	if (status != WRIT_OK)
		return status;
	w_change_count(&set.list, &count);
	if (!layer->is_trial && !job->is_given_up)
		status = w_change_set_move(&set, W_UNDO_AFTER, NULL, err);
	if (status != WRIT_OK)
		return status;
	job->storage->changes = describe(&set);
	take_paths(job->storage, &set.list);
	if (count.held > 0)
		take_held(job->storage, &set);
	/* Times of directories alone. */
	if (count.all == 0 && !job->is_given_up)
		(void)w_change_set_drop(&set, NULL);
	else
		w_change_store_prune(
		    store_fd, W_CHANGE_STORE_BYTES, W_CHANGE_STORE_DAYS);
	return WRIT_OK;
}

void
w_run_layer_settle(struct writ_job *job)
{
	struct w_run_sandbox *sandbox = job->sandbox;
	writ_error err;

	if (sandbox == NULL)
		return;
	struct w_undo_layer *layer = w_take_ptr(&sandbox->layer);
	if (layer != NULL && accept_layer(job, layer, &err) != WRIT_OK)
		job->storage->changes = describe_lack("waits", err.message);
	else if (layer == NULL && sandbox->layer_lack != NULL &&
		 job->request.undo >= WRIT_UNDO_AUTO)
		job->storage->changes =
		    describe_lack("none", sandbox->layer_lack);
	job->storage->result.changes = job->storage->changes;
	w_undo_layer_free(layer);
}
