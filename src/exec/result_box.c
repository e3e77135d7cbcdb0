/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The storage behind a result. What the end of a run may have to say gets its
 * memory at the start: a run that could be started can also be reported.
 */

#include "exec/result_box.h"

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
	 * happens only before the kernel's pool is ready. */
	(void)!getrandom(random, sizeof(random), GRND_NONBLOCK);
	(void)clock_gettime(CLOCK_REALTIME, &now);
	w_id_format(
	    (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000,
	    random, out_id);
}

struct w_result_box *
w_result_box_new(const char *trace_id)
{
	struct w_result_box *box = calloc(1, sizeof(*box));

	if (box == NULL)
		return NULL;
	if (trace_id != NULL) {
		box->trace_id = strdup(trace_id);
		if (box->trace_id == NULL) {
			free(box);
			return NULL;
		}
	}

	w_run_id_make(box->run_id);
	box->result.run_id = box->run_id;
	box->result.trace_id = box->trace_id;
	box->result.sandbox = "none";
	box->result.network = "host";
	box->result.layers = box->layers;
	box->result.missing = box->missing;
	box->result.created = nothing;
	return box;
}

/* What w_capture_take() and w_spill_take() handed over, as const. */
static void
free_output(struct w_result_box *box, int stream)
{
	const writ_output *out = &box->result.out[stream];
	union {
		const char *borrowed;
		char *owned;
	} head = {out->head}, tail = {out->tail}, path = {out->spill_path};

	if (box->owns[stream]) {
		free(head.owned);
		free(tail.owned);
	}
	if (path.owned != NULL && !box->keeps_spill)
		(void)unlink(path.owned);
	free(path.owned);
}

void
w_result_box_free(struct w_result_box *box)
{
	if (box == NULL)
		return;
	free_output(box, WRIT_STDOUT);
	free_output(box, WRIT_STDERR);
	free(box->trace_id);
	free(box->module_id);
	free(box->policy);
	free(box->json_output);
	free(box->profile);
	free(box->recording);
	free(box->created);
	free(box->created_text.bytes);
	free(box->denials);
	free(box->denial_text.bytes);
	if (box->triggers != NULL)
		w_triggers_done(box->triggers);
	free(box->triggers);
	free(box);
}

bool
w_result_box_set_module(struct w_result_box *box, const char *id)
{
	box->module_id = strdup(id);
	box->result.module_id = box->module_id;
	return box->module_id != NULL;
}

/* Puts a copy at *at and moves on. */
static const char *
put_text(char **at, const char *text)
{
	const char *start = *at;

	if (text == NULL)
		return NULL;
	*at = stpcpy(*at, text) + 1;
	return start;
}

bool
w_result_box_set_policy(struct w_result_box *box, const char *decision,
    const char *rule, const char *grant, const char *approval)
{
	const char *const texts[] = {rule, grant, approval};
	size_t len = 1;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		len += texts[i] == NULL ? 0 : strlen(texts[i]) + 1;
	box->policy = malloc(len);
	if (box->policy == NULL)
		return false;
	char *at = box->policy;
	box->result.decision = decision;
	box->result.rule = put_text(&at, rule);
	box->result.grant = put_text(&at, grant);
	box->result.approval = put_text(&at, approval);
	return true;
}

static bool
set_profile(struct w_result_box *box, const char *profile)
{
	if (box->profile != NULL && strcmp(box->profile, profile) == 0)
		return true;
	char *copy = strdup(profile);
	if (copy == NULL)
		return false;
	free(box->profile);
	box->profile = copy;
	box->result.sandbox = copy;
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
w_result_box_set_sandbox(struct w_result_box *box, const char *profile,
    const char *network, uint32_t layers, uint32_t missing)
{
	if (!set_profile(box, profile))
		return false;
	box->result.network = network;
	list_layers(layers, box->layers);
	list_layers(missing, box->missing);
	return true;
}

static bool
pool_reserve(struct w_box_pool *pool, size_t cap)
{
	char *bytes = malloc(cap);

	if (bytes == NULL)
		return false;
	free(pool->bytes);
	*pool = (struct w_box_pool){.bytes = bytes, .cap = cap};
	return true;
}

/* Whether there is room for a copy of each; NULL needs none. */
static bool
pool_fits(const struct w_box_pool *pool, const char *const *texts, size_t count)
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
pool_copy(struct w_box_pool *pool, const char *text)
{
	if (text == NULL)
		return NULL;

	size_t len = strlen(text) + 1;
	char *copy = memcpy(pool->bytes + pool->used, text, len);
	pool->used += len;
	return copy;
}

void
w_result_box_set_unrecorded(struct w_result_box *box, const char *why)
{
	if (box->result.unrecorded != NULL)
		return;
	(void)snprintf(box->unrecorded, sizeof(box->unrecorded), "%s", why);
	box->result.unrecorded = box->unrecorded;
}

void
w_result_box_set_triggers(struct w_result_box *box, struct w_triggers *triggers)
{
	static const writ_trigger unknown = {
	    .why = "no memory to look for what runs later"};

	box->triggers = triggers;
	box->result.triggers = triggers == NULL ? &unknown : triggers->items;
	box->result.trigger_count = triggers == NULL ? 1 : triggers->count;
}

bool
w_result_box_reserve_created(
    struct w_result_box *box, const struct w_words *paths)
{
	size_t bytes = 1;

	for (size_t i = 0; i < paths->count; i++)
		bytes += strlen(paths->items[i]) + 1;
	const char **created = calloc(paths->count + 1, sizeof(*created));
	if (created == NULL)
		return false;
	if (!pool_reserve(&box->created_text, bytes)) {
		free(created);
		return false;
	}
	free(box->created);
	box->created = created;
	box->created_count = 0;
	box->created_cap = paths->count;
	box->result.created = created;
	return true;
}

void
w_result_box_add_created(struct w_result_box *box, const char *path)
{
	if (box->created_count == box->created_cap ||
	    !pool_fits(&box->created_text, &path, 1))
		return;
	box->created[box->created_count++] =
	    pool_copy(&box->created_text, path);
	box->created[box->created_count] = NULL;
}

bool
w_result_box_reserve_denials(struct w_result_box *box)
{
	writ_denial *denials = calloc(W_BOX_DENIALS_MAX + 1, sizeof(*denials));

	if (denials == NULL)
		return false;
	if (!pool_reserve(&box->denial_text, W_BOX_DENIAL_TEXT_MAX)) {
		free(denials);
		return false;
	}
	free(box->denials);
	box->denials = denials;
	box->result.denials = denials;
	box->result.denial_count = 0;
	return true;
}

static bool
is_same_text(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool
is_same(const writ_denial *a, const writ_denial *b)
{
	return is_same_text(a->layer, b->layer) &&
	       is_same_text(a->call, b->call) &&
	       is_same_text(a->what, b->what) && is_same_text(a->path, b->path);
}

/* Once a row of the sum exists it stays the last one. */
static bool
has_sum(const struct w_result_box *box)
{
	size_t count = box->result.denial_count;

	return count > 0 && box->denials[count - 1].layer == NULL;
}

static void
add_to_sum(struct w_result_box *box, unsigned count)
{
	if (!has_sum(box))
		box->denials[box->result.denial_count++] =
		    (writ_denial){.what = "more"};
	box->denials[box->result.denial_count - 1].count += count;
}

void
w_result_box_add_denial(struct w_result_box *box, const writ_denial *denial)
{
	const char *const texts[] = {denial->layer, denial->call, denial->what,
	    denial->path, denial->hint};
	struct w_box_pool *pool = &box->denial_text;

	if (box->denials == NULL)
		return;
	for (size_t i = 0; i < box->result.denial_count; i++) {
		if (is_same(&box->denials[i], denial)) {
			box->denials[i].count += denial->count;
			return;
		}
	}
	if (has_sum(box) || box->result.denial_count == W_BOX_DENIALS_MAX ||
	    !pool_fits(pool, texts, sizeof(texts) / sizeof(*texts))) {
		add_to_sum(box, denial->count);
		return;
	}
	box->denials[box->result.denial_count++] = (writ_denial){
	    .layer = pool_copy(pool, denial->layer),
	    .call = pool_copy(pool, denial->call),
	    .what = pool_copy(pool, denial->what),
	    .path = pool_copy(pool, denial->path),
	    .hint = pool_copy(pool, denial->hint),
	    .count = denial->count,
	};
}
