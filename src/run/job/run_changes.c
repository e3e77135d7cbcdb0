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
#include "run/held/held_charter.h"
#include "run/held/held_dir.h"
#include "run/job/sandbox_use.h"
#include "undo/change_count.h"
#include "undo/change_store.h"

enum {
	PATHS_SHOWN = 10,
	CHANGES_MAX = 64 * 1024,
	MIB = 1024 * 1024
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

/* why: it waits; NULL: as it was asked for. hint: what may help; NULL: nothing.
 */
static char *
describe(const struct w_change_set *set, const char *why, const char *hint)
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
	w_buf_add_char(&buf, '"');
	if (why != NULL)
		w_json_add_text_member(&buf, "why", why);
	if (hint != NULL)
		w_json_add_text_member(&buf, "hint", hint);
	w_buf_add_char(&buf, '}');
	return w_buf_take(&buf, NULL);
}

static bool
has_words(const char *text, size_t len)
{
	/* Of libc, and of programs that print the name. */
	static const char *const words[] = {"cross-device link", "EXDEV"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (len > 0 &&
		    memmem(text, len, words[i], strlen(words[i])) != NULL)
			return true;
	}
	return false;
}

/* What the kernel cannot do on a layer looks like a fault of the machine to a
 * program. */
void
w_run_layer_read(struct writ_job *job, const writ_output *err)
{
	if (job->sandbox->layer != NULL &&
	    (has_words(err->head, err->head_len) ||
		has_words(err->tail, err->tail_len)))
		job->layer_hint = "a layer cannot rename a directory that was "
				  "there before the run (EXDEV); mv copies it";
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

/* ---- what is kept ---- */

static bool
has_holder(void *ctx, const char *session)
{
	const struct w_runner *runner = ctx;
	W_AUTO_FD int dir_fd = -1;

	if (!w_held_is_name(session) ||
	    w_held_dir_open(runner->state_dir, false, &dir_fd, NULL) != WRIT_OK)
		return false;
	W_AUTO_FD int fd = w_held_dir_connect(dir_fd, session);
	return fd >= 0 || fd == -EAGAIN;
}

static struct w_change_limits
limits_of(struct w_runner *runner)
{
	return (struct w_change_limits){
	    .bytes_max = runner->undo_bytes_max,
	    .age_ms = runner->undo_age_ms,
	    .lives = has_holder,
	    .ctx = runner,
	};
}

/* Why what changed must wait, though nobody said that it is a trial; NULL: it
 * need not. */
static const char *
find_obstacle(
    const struct writ_job *job, const struct w_change_set *set, char text[128])
{
	const struct w_change_limits limits = limits_of(job->runner);
	const uint64_t bytes = w_undo_list_bytes(&set->list, W_UNDO_BEFORE);

	/* They may still write to the layer. */
	if (job->is_given_up)
		return "some of its processes would not end";
	if (w_change_store_fits(set->store_fd, &limits, bytes))
		return NULL;
	(void)snprintf(text, 128,
	    "what it replaced takes %" PRIu64
	    " MiB to keep, which does not fit in undo_size (%" PRIu64 " MiB)",
	    (bytes + MIB - 1) / MIB, limits.bytes_max / MIB);
	return text;
}

static writ_status
accept_layer(
    struct writ_job *job, const struct w_undo_layer *layer, writ_error *err)
{
	W_AUTO_CHANGE_SET struct w_change_set set = {.dir_fd = -1};
	W_AUTO_FD int store_fd = -1;
	const char *obstacle = NULL;
	struct w_change_count count;
	char text[128];

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
	if (!layer->is_trial)
		obstacle = find_obstacle(job, &set, text);
	if (!layer->is_trial && obstacle == NULL)
		status = w_change_set_move(&set, W_UNDO_AFTER, NULL, err);
	if (status != WRIT_OK)
		return status;
	job->storage->changes = describe(&set, obstacle, job->layer_hint);
	take_paths(job->storage, &set.list);
	if (count.held > 0)
		take_held(job->storage, &set);
	/* Times of directories alone. */
	if (count.all == 0 && !job->is_given_up) {
		(void)w_change_set_drop(&set, NULL);
	} else {
		const struct w_change_limits limits = limits_of(job->runner);

		w_change_store_prune(store_fd, &limits);
	}
	return WRIT_OK;
}

void
w_run_layer_settle(struct writ_job *job)
{
	struct w_run_sandbox *sandbox = job->sandbox;
	writ_error err;

	w_staying_run_end(&job->staying);
	if (sandbox == NULL)
		return;
	struct w_undo_layer *layer = w_take_ptr(&sandbox->layer);
	if (layer != NULL && accept_layer(job, layer, &err) != WRIT_OK)
		job->storage->changes = describe_lack("waits", err.message);
	else if (layer == NULL && job->layer_lack != NULL &&
		 job->request.undo >= WRIT_UNDO_AUTO)
		job->storage->changes = describe_lack("none", job->layer_lack);
	job->storage->result.changes = job->storage->changes;
	w_undo_layer_free(layer);
}
