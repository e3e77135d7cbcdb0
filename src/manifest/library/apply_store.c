/* SPDX-License-Identifier: Apache-2.0 */

/* The lock, the debts and the session of an apply. */

#include "manifest/library/apply_store.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "manifest/session/apply_lock.h"

#define STAGE       "apply"
#define SESSION     "session"
#define COMMAND_MAX 1024
#define NOTE_MAX    1024

static void tell(const writ_apply_options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void
tell(const writ_apply_options *options, const char *format, ...)
{
	char text[NOTE_MAX];
	va_list values;

	if (options->on_note == NULL)
		return;
	va_start(values, format);
	(void)vsnprintf(text, sizeof(text), format, values);
	va_end(values);
	options->on_note(options->note_ctx, text);
}

/* ---- the lock ---- */

static void
note_wait(void *ctx, const char *holder)
{
	tell(ctx, "waiting for %s", holder);
}

static writ_status
take_lock(struct w_apply_store *store, const writ_manifest *manifest,
    const writ_apply_options *options, const char *state_dir, writ_error *err)
{
	W_AUTO_BUF struct w_buf command;
	writ_apply_options told = *options;
	struct w_apply_lock_options wanted = {
	    .state_dir = state_dir,
	    .command = "writ apply",
	    .wait_ms = options->wait_ms,
	    .on_wait = note_wait,
	    .ctx = &told,
	};

	w_buf_init(&command, COMMAND_MAX);
	w_buf_add_str(&command, "writ apply ");
	w_words_quote(&command, manifest->file == NULL ? "-" : manifest->file);
	if (!command.failed)
		wanted.command = command.data;
	return w_apply_lock_take(&wanted, &store->lock_fd, err);
}

/* ---- refreshes that are owed ---- */

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
	const writ_manifest *manifest = ctx;

	return strcmp(refresh->manifest, manifest->path) == 0;
}

/* What a subscriber is owed that was removed from the manifest, or renamed. */
static writ_status
drop_gone(struct w_apply_store *store, const writ_manifest *manifest,
    const writ_apply_options *options, writ_error *err)
{
	const struct w_owed_refresh *refresh;
	writ_manifest *ctx = (writ_manifest *)(uintptr_t)manifest;
	writ_status status = WRIT_OK;
	size_t at = 0;

	while (status == WRIT_OK && strcmp(manifest->path, "-") != 0 &&
	       (refresh = w_owed_next(store->owed, &at)) != NULL) {
		const char *subscriber = refresh->subscriber;

		if (!is_of_manifest(ctx, refresh) ||
		    has_subscriber(manifest->read, subscriber))
			continue;
		tell(options,
		    "%s was owed a refresh (%s changed), but is no longer in "
		    "the manifest: it is not owed any more",
		    subscriber, refresh->subject);
		status = w_owed_pay(store->owed, subscriber, W_OWED_GONE,
		    is_of_manifest, ctx, err);
	}
	return status;
}

static writ_status
read_owed(struct w_apply_store *store, const writ_apply_options *options,
    const char *state_dir, writ_error *err)
{
	W_AUTO_FREE char *dir = NULL;

	if (asprintf(&dir, "%s/%s", state_dir, W_OWED_DIR) < 0) {
		dir = NULL;
		return w_fail_nomem(err, STAGE);
	}
	writ_status status = w_owed_open(dir, options->noop, &store->owed, err);
	if (status == WRIT_OK && w_owed_note(store->owed) != NULL) {
		tell(options, "%s", w_owed_note(store->owed));
		if (!options->noop)
			status = w_owed_acknowledge(store->owed, err);
	}
	return status;
}

/* With noop it needs neither lock nor write access. */
static writ_status
open_owed(struct w_apply_store *store, const writ_manifest *manifest,
    const writ_apply_options *options, const char *state_dir, writ_error *err)
{
	writ_error unread;

	if (options->health_only)
		return WRIT_OK;
	if (options->noop) {
		if (read_owed(store, options, state_dir, &unread) != WRIT_OK)
			tell(options, "what is owed cannot be read: %s",
			    unread.message);
		return WRIT_OK;
	}
	writ_status status =
	    take_lock(store, manifest, options, state_dir, err);
	if (status == WRIT_OK)
		status = read_owed(store, options, state_dir, err);
	return status == WRIT_OK ? drop_gone(store, manifest, options, err)
				 : status;
}

/* ---- the session ---- */

/* Whether two NULL-ended lists are equal. */
static bool
is_same_list(const char *const *a, const char *const *b)
{
	size_t i = 0;

	if (a == NULL || b == NULL)
		return (a == NULL || a[0] == NULL) &&
		       (b == NULL || b[0] == NULL);
	while (a[i] != NULL && b[i] != NULL && strcmp(a[i], b[i]) == 0)
		i++;
	return a[i] == NULL && b[i] == NULL;
}

/* Fails if the manifest or an option differs from when the session started. */
static writ_status
check_same(const struct w_apply_store *store, const writ_manifest *manifest,
    const writ_apply_options *options, writ_error *err)
{
	struct w_manifest_session_start start;
	const char *what = NULL;

	if (!w_manifest_session_started(store->session, &start) ||
	    start.manifest == NULL || start.sha256 == NULL)
		return w_fail(err, WRIT_E_INVALID, SESSION, 0,
		    "cannot resume '%s': it is not the session of an apply",
		    options->resume);
	if (strcmp(start.sha256, manifest->read->sha256) != 0)
		what = "the manifest has changed";
	else if (start.resources != manifest->read->count)
		what = "the manifest has other resources";
	else if (start.noop && !options->noop)
		what = "it began with --noop";
	else if (!start.noop && options->noop)
		what = "it began without --noop";
	else if (!is_same_list(
		     start.only, (const char *const *)store->choice.items))
		what = "it began with other --only or --tags";
	if (what == NULL)
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, SESSION, 0, "cannot resume '%s': %s",
	    options->resume, what);
	w_suggest(err, "apply without --resume, which checks everything again");
	return WRIT_E_INVALID;
}

static writ_status
open_dir(struct w_apply_store *store, const char *dir, bool must_exist,
    writ_error *err)
{
	const struct w_manifest_session_options options = {
	    .dir = dir, .must_exist = must_exist, .is_alone = true};

	return w_manifest_session_open(&options, &store->session, err);
}

static writ_status
resume(struct w_apply_store *store, const writ_manifest *manifest,
    const writ_apply_options *options, const char *parent, writ_error *err)
{
	W_AUTO_FREE char *dir = NULL;
	writ_status status =
	    w_manifest_session_find(parent, options->resume, &dir, err);

	if (status == WRIT_OK)
		status = open_dir(store, dir, true, err);
	if (status == WRIT_OK)
		status = check_same(store, manifest, options, err);
	return status;
}

/* A directory that the caller names holds one apply. */
static writ_status
use_dir(struct w_apply_store *store, const char *dir, writ_error *err)
{
	struct w_manifest_session_start start;
	writ_status status = open_dir(store, dir, false, err);

	if (status != WRIT_OK ||
	    !w_manifest_session_started(store->session, &start))
		return status;
	(void)w_fail(err, WRIT_E_INVALID, SESSION, 0,
	    "the directory '%s' has a session already", dir);
	w_suggest(err, "another directory, or --resume to go on with it");
	return WRIT_E_INVALID;
}

/* A noop apply does not need write access. */
static writ_status
make_session(struct w_apply_store *store, const char *parent, bool is_noop,
    writ_error *err)
{
	W_AUTO_FREE char *dir = NULL;
	writ_status status = w_manifest_session_make(parent, &dir, err);

	if (status == WRIT_OK)
		status = open_dir(store, dir, false, err);
	if (status == WRIT_OK)
		w_manifest_session_prune(parent, &w_manifest_session_kept);
	else if (is_noop && status != WRIT_E_NOMEM)
		status = w_manifest_session_new_in_memory(&store->session, err);
	return status;
}

static writ_status
open_session(struct w_apply_store *store, const writ_manifest *manifest,
    const writ_apply_options *options, const char *state_dir, writ_error *err)
{
	W_AUTO_FREE char *parent = NULL;

	if (asprintf(&parent, "%s/sessions", state_dir) < 0) {
		parent = NULL;
		return w_fail_nomem(err, SESSION);
	}
	if (options->resume != NULL)
		return resume(store, manifest, options, parent, err);
	if (options->session != NULL)
		return use_dir(store, options->session, err);
	return make_session(store, parent, options->noop, err);
}

static bool
add_choice(
    struct w_apply_store *store, const char *const *from, const char *before)
{
	for (size_t i = 0; from != NULL && from[i] != NULL; i++) {
		W_AUTO_FREE char *text = NULL;

		if (asprintf(&text, "%s%s", before, from[i]) < 0) {
			text = NULL;
			return false;
		}
		if (!w_words_add(&store->choice, text, strlen(text)))
			return false;
	}
	return true;
}

/* ---- all of it ---- */

writ_status
w_apply_store_open(struct w_apply_store *store, const writ_manifest *manifest,
    const writ_apply_options *options, const char *state_dir, writ_error *err)
{
	if (!add_choice(store, options->only, "") ||
	    !add_choice(store, options->tags, "tag:") ||
	    !add_choice(store, options->skip_tags, "skip:"))
		return w_fail_nomem(err, STAGE);
	store->session = manifest->session;
	store->is_borrowed = manifest->session != NULL;
	if (store->is_borrowed)
		return WRIT_OK;
	if (options->in_memory)
		return w_manifest_session_new_in_memory(&store->session, err);
	writ_status status =
	    open_owed(store, manifest, options, state_dir, err);
	return status == WRIT_OK
		   ? open_session(store, manifest, options, state_dir, err)
		   : status;
}

writ_status
w_apply_store_begin(struct w_apply_store *store, const writ_manifest *manifest,
    const writ_apply_options *options, writ_error *err)
{
	const bool is_whole = !store->is_borrowed && !options->in_memory;
	const struct w_manifest_session_start start = {
	    .manifest = !is_whole                ? NULL
			: manifest->file == NULL ? "-"
						 : manifest->file,
	    .sha256 = is_whole ? manifest->read->sha256 : NULL,
	    .resources = is_whole ? manifest->read->count : 0,
	    .noop = options->noop,
	    .only = (const char *const *)store->choice.items,
	};
	struct w_manifest_session_start before;

	/* A script's commands add to the session that it has. */
	if (!is_whole && w_manifest_session_started(store->session, &before))
		return WRIT_OK;
	return w_manifest_session_begin(store->session, &start, err);
}

void
w_apply_store_done(struct w_apply_store *store)
{
	if (!store->is_borrowed)
		w_manifest_session_free(store->session);
	w_owed_free(store->owed);
	w_close(&store->lock_fd);
	w_words_done(&store->choice);
}
