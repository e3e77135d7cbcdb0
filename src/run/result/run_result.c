/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The storage behind a result. Memory that the end of a run may need is
 * allocated at its start: a run that could be started can also be reported.
 */

#include "run/result/run_result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static const char *const nothing[] = {NULL};

void
w_run_id_make(char out_id[W_ID_LEN + 1])
{
	uint8_t random[10] = {0};
	struct timespec now;

	/* Without random bytes the time alone still orders the runs; that
	 * happens only before the kernel's random pool is ready. */
	(void)!getrandom(random, sizeof(random), GRND_NONBLOCK);
	(void)clock_gettime(CLOCK_REALTIME, &now);
	w_id_format(
	    (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000,
	    random, out_id);
}

struct w_run_result *
w_run_result_new(const char *trace_id)
{
	struct w_run_result *storage = calloc(1, sizeof(*storage));

	if (storage == NULL)
		return NULL;
	if (trace_id != NULL) {
		storage->trace_id = strdup(trace_id);
		if (storage->trace_id == NULL) {
			free(storage);
			return NULL;
		}
	}

	w_run_id_make(storage->run_id);
	storage->result.run_id = storage->run_id;
	storage->result.trace_id = storage->trace_id;
	storage->result.sandbox = "none";
	storage->result.network = "host";
	storage->result.layers = storage->layers;
	storage->result.missing = storage->missing;
	storage->result.created = nothing;
	return storage;
}

/* Owned, though the public struct has them as const. */
static void
free_output(struct w_run_result *storage, int stream)
{
	const writ_output *out = &storage->result.out[stream];
	union {
		const char *borrowed;
		char *owned;
	} head = {out->head}, tail = {out->tail}, path = {out->spill_path};

	if (storage->owns[stream]) {
		free(head.owned);
		free(tail.owned);
	}
	if (path.owned != NULL && !storage->keeps_spill)
		(void)unlink(path.owned);
	free(path.owned);
}

void
w_run_result_free(struct w_run_result *storage)
{
	if (storage == NULL)
		return;
	free_output(storage, WRIT_STDOUT);
	free_output(storage, WRIT_STDERR);
	free(storage->trace_id);
	free(storage->module_id);
	free(storage->policy);
	free(storage->json_output);
	w_left_state_done(&storage->left_state);
	free(storage->profile);
	free(storage->recording);
	free(storage->created);
	free(storage->created_text.bytes);
	free(storage->denials);
	free(storage->denial_text.bytes);
	free(storage->wall_denials);
	if (storage->triggers != NULL)
		w_triggers_done(storage->triggers);
	free(storage->triggers);
	free(storage->execs);
	free(storage->changes);
	w_words_done(&storage->changed);
	free(storage->held);
	w_words_done(&storage->held_texts);
	free(storage);
}

bool
w_run_result_set_module(struct w_run_result *storage, const char *id)
{
	storage->module_id = strdup(id);
	storage->result.module_id = storage->module_id;
	return storage->module_id != NULL;
}

/* Copies text to *at and advances it. */
static const char *
run_result_put_text(char **at, const char *text)
{
	const char *start = *at;

	if (text == NULL)
		return NULL;
	*at = stpcpy(*at, text) + 1;
	return start;
}

bool
w_run_result_set_policy(struct w_run_result *storage, const char *decision,
    const char *rule, const char *grant, const char *approval)
{
	const char *const texts[] = {rule, grant, approval};
	size_t len = 1;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		len += texts[i] == NULL ? 0 : strlen(texts[i]) + 1;
	storage->policy = malloc(len);
	if (storage->policy == NULL)
		return false;
	char *at = storage->policy;
	storage->result.decision = decision;
	storage->result.rule = run_result_put_text(&at, rule);
	storage->result.grant = run_result_put_text(&at, grant);
	storage->result.approval = run_result_put_text(&at, approval);
	return true;
}

static bool
set_profile(struct w_run_result *storage, const char *profile)
{
	if (storage->profile != NULL && strcmp(storage->profile, profile) == 0)
		return true;
	char *copy = strdup(profile);
	if (copy == NULL)
		return false;
	free(storage->profile);
	storage->profile = copy;
	storage->result.sandbox = copy;
	return true;
}

static void
list_layers(uint32_t mask, const char **words)
{
	size_t count = 0;

	for (unsigned layer = 0; layer < W_LAYER_COUNT; layer++) {
		if ((mask & W_LAYER_BIT(layer)) != 0)
			words[count++] = w_layer_word((enum w_layer)layer);
	}
	words[count] = NULL;
}

bool
w_run_result_set_sandbox(struct w_run_result *storage, const char *profile,
    const char *network, uint32_t layers, uint32_t missing)
{
	if (!set_profile(storage, profile))
		return false;
	storage->result.network = network;
	list_layers(layers, storage->layers);
	list_layers(missing, storage->missing);
	return true;
}

void
w_run_result_set_session(struct w_run_result *storage, const char *name)
{
	(void)snprintf(storage->session, sizeof(storage->session), "%s", name);
	storage->result.session = storage->session;
}

static bool
pool_reserve(struct w_run_result_pool *pool, size_t cap)
{
	char *bytes = malloc(cap);

	if (bytes == NULL)
		return false;
	free(pool->bytes);
	*pool = (struct w_run_result_pool){.bytes = bytes, .cap = cap};
	return true;
}

/* Whether a copy of each fits; NULL needs no space. */
static bool
pool_fits(const struct w_run_result_pool *pool, const char *const *texts,
    size_t count)
{
	size_t room = pool->cap - pool->used;

	for (size_t i = 0; i < count; i++) {
		size_t need = texts[i] == NULL ? 0 : strlen(texts[i]) + 1;

		if (need > room)
			return false;
		room -= need;
	}
	return true;
}

static const char *
pool_copy(struct w_run_result_pool *pool, const char *text)
{
	if (text == NULL)
		return NULL;

	size_t len = strlen(text) + 1;
	char *copy = memcpy(pool->bytes + pool->used, text, len);
	pool->used += len;
	return copy;
}

void
w_run_result_set_unrecorded(struct w_run_result *storage, const char *why)
{
	if (storage->result.unrecorded != NULL)
		return;
	(void)snprintf(
	    storage->unrecorded, sizeof(storage->unrecorded), "%s", why);
	storage->result.unrecorded = storage->unrecorded;
}

void
w_run_result_set_triggers(
    struct w_run_result *storage, struct w_triggers *triggers)
{
	static const writ_trigger unknown = {
	    .why = "no memory to look for what runs later"};

	storage->triggers = triggers;
	storage->result.triggers =
	    triggers == NULL ? &unknown : triggers->items;
	storage->result.trigger_count = triggers == NULL ? 1 : triggers->count;
}

bool
w_run_result_reserve_created(
    struct w_run_result *storage, const struct w_words *paths)
{
	size_t bytes = 1;

	for (size_t i = 0; i < paths->count; i++)
		bytes += strlen(paths->items[i]) + 1;
	const char **created = calloc(paths->count + 1, sizeof(*created));
	if (created == NULL)
		return false;
	if (!pool_reserve(&storage->created_text, bytes)) {
		free(created);
		return false;
	}
	free(storage->created);
	storage->created = created;
	storage->created_count = 0;
	storage->created_cap = paths->count;
	storage->result.created = created;
	return true;
}

void
w_run_result_add_created(struct w_run_result *storage, const char *path)
{
	if (storage->created_count == storage->created_cap ||
	    !pool_fits(&storage->created_text, &path, 1))
		return;
	storage->created[storage->created_count++] =
	    pool_copy(&storage->created_text, path);
	storage->created[storage->created_count] = NULL;
}

bool
w_run_result_reserve_denials(struct w_run_result *storage)
{
	writ_denial *denials = calloc(W_RUN_DENIALS_MAX + 1, sizeof(*denials));

	if (denials == NULL)
		return false;
	if (!pool_reserve(&storage->denial_text, W_RUN_DENIAL_TEXT_MAX)) {
		free(denials);
		return false;
	}
	free(storage->denials);
	storage->denials = denials;
	storage->result.denials = denials;
	storage->result.denial_count = 0;
	return true;
}

static bool
is_same_text(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool
run_result_is_same(const writ_denial *a, const writ_denial *b)
{
	return is_same_text(a->layer, b->layer) &&
	       is_same_text(a->call, b->call) &&
	       is_same_text(a->what, b->what) && is_same_text(a->path, b->path);
}

/* Whether the last row is the sum of the denials that did not fit. */
static bool
has_sum(const struct w_run_result *storage)
{
	size_t count = storage->result.denial_count;

	return count > 0 && storage->denials[count - 1].layer == NULL;
}

void
w_run_result_add_denial(struct w_run_result *storage, const writ_denial *denial)
{
	const char *const texts[] = {denial->layer, denial->call, denial->what,
	    denial->path, denial->hint};
	struct w_run_result_pool *pool = &storage->denial_text;

	if (storage->denials == NULL)
		return;
	for (size_t i = 0; i < storage->result.denial_count; i++) {
		if (run_result_is_same(&storage->denials[i], denial)) {
			storage->denials[i].count += denial->count;
			return;
		}
	}
	if (has_sum(storage) ||
	    storage->result.denial_count == W_RUN_DENIALS_MAX ||
	    !pool_fits(pool, texts, sizeof(texts) / sizeof(*texts))) {
		if (!has_sum(storage))
			storage->denials[storage->result.denial_count++] =
			    (writ_denial){.what = "more"};
		storage->denials[storage->result.denial_count - 1].count +=
		    denial->count;
		return;
	}
	storage->denials[storage->result.denial_count++] = (writ_denial){
	    .layer = pool_copy(pool, denial->layer),
	    .call = pool_copy(pool, denial->call),
	    .what = pool_copy(pool, denial->what),
	    .path = pool_copy(pool, denial->path),
	    .hint = pool_copy(pool, denial->hint),
	    .count = denial->count,
	};
}
