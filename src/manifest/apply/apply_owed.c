/* SPDX-License-Identifier: Apache-2.0 */

/* Owes and pays refreshes during an apply. */

#include "manifest/apply/apply_owed.h"

#include <stdlib.h>
#include <string.h>

#include "manifest/apply/manifest_runner.h"

#define STAGE "apply"

/* ---- who subscribes to whom ---- */

/* Calls are made for each reference of a subscriber to an earlier resource. */
static const struct w_reference_list *
subscriptions_of(const struct w_resource *resource)
{
	static const struct w_reference_list none = {.count = 0};
	const struct w_reference_list *list =
	    w_resource_subscriptions(resource);

	return list == NULL ? &none : list;
}

/* A subscription to an apply resource is one to all that it applies: what it
 * says comes after their changes. Returns the first subject and sets *out_end
 * behind the last, which is the resource itself. */
static size_t
subjects_of(const struct w_manifest *manifest, size_t target, size_t *out_end)
{
	const struct w_resource *resource = &manifest->resources[target];

	*out_end = target + 1;
	return resource->type == W_RESOURCE_APPLY
		   ? target - resource->as.include.count
		   : target;
}

static size_t
count_subjects(const struct w_manifest *manifest, size_t target, size_t *counts)
{
	size_t end;
	const size_t first = subjects_of(manifest, target, &end);

	for (size_t i = first; counts != NULL && i < end; i++)
		counts[i + 1]++;
	return end - first;
}

static size_t
count_subscribers(const struct w_manifest *manifest, size_t *counts)
{
	size_t total = 0;

	for (size_t i = 0; i < manifest->count; i++) {
		const struct w_reference_list *list =
		    subscriptions_of(&manifest->resources[i]);

		for (size_t j = 0; j < list->count; j++) {
			const size_t target = list->items[j].target;

			if (target == W_NO_TARGET)
				continue;
			total += count_subjects(manifest, target, counts);
		}
	}
	return total;
}

static void
fill_names(const struct w_manifest *manifest, const size_t *starts,
    size_t *used, const char **names)
{
	for (size_t i = 0; i < manifest->count; i++) {
		const struct w_resource *resource = &manifest->resources[i];
		const struct w_reference_list *list =
		    subscriptions_of(resource);

		for (size_t j = 0; j < list->count; j++) {
			const size_t target = list->items[j].target;

			if (target == W_NO_TARGET)
				continue;
			size_t end;
			for (size_t k = subjects_of(manifest, target, &end);
			     k < end; k++)
				names[starts[k] + used[k]++] = resource->id;
		}
	}
}

writ_status
w_apply_owed_init(struct w_apply_owed *keeper,
    const struct w_manifest *manifest, const struct w_apply_options *options,
    const bool *chosen, writ_error *err)
{
	*keeper = (struct w_apply_owed){.owed = options->owed,
	    .path = options->path == NULL ? "-" : options->path,
	    .chosen = chosen};
	const size_t total = options->owed == NULL || options->noop
				 ? 0
				 : count_subscribers(manifest, NULL);

	if (total == 0)
		return WRIT_OK;
	const size_t count = manifest->count;
	size_t *starts =
	    w_arena_alloc(&keeper->arena, count + 1, sizeof(*starts));
	keeper->names =
	    w_arena_alloc(&keeper->arena, total, sizeof(*keeper->names));
	size_t *used = calloc(count, sizeof(*used));
	if (starts == NULL || keeper->names == NULL || used == NULL) {
		free(used);
		return w_fail_nomem(err, STAGE);
	}
	(void)count_subscribers(manifest, starts);
	for (size_t i = 0; i < count; i++)
		starts[i + 1] += starts[i];
	fill_names(manifest, starts, used, keeper->names);
	free(used);
	keeper->starts = starts;
	return WRIT_OK;
}

void
w_apply_owed_done(struct w_apply_owed *keeper)
{
	w_arena_done(&keeper->arena);
}

static struct w_owed_change
change_of(const struct w_apply_owed *keeper, const struct w_resource *resource)
{
	const size_t i = resource->index;
	struct w_owed_change change = {
	    .manifest = keeper->path, .subject = resource->id};

	if (keeper->starts == NULL)
		return change;
	change.subscribers = keeper->names + keeper->starts[i];
	change.count = keeper->starts[i + 1] - keeper->starts[i];
	return change;
}

/* ---- before a change ---- */

/* What this apply may change from here on. */
static writ_status
announce(struct w_resource_step *step, writ_error *err)
{
	struct w_apply_owed *keeper = step->keeper;
	const struct w_manifest *manifest = step->manifest;
	size_t number = 0;
	struct w_owed_change *changes =
	    calloc(manifest->count, sizeof(*changes));

	if (changes == NULL)
		return w_fail_nomem(err, STAGE);
	for (size_t i = step->resource->index; i < manifest->count; i++) {
		const struct w_owed_change change =
		    change_of(keeper, &manifest->resources[i]);

		if (change.count > 0 &&
		    (keeper->chosen == NULL || keeper->chosen[i]))
			changes[number++] = change;
	}
	writ_status status = w_owed_announce(keeper->owed,
	    w_manifest_session_name(step->session), changes, number, err);
	free(changes);
	keeper->is_announced = status == WRIT_OK;
	return status;
}

writ_status
w_apply_owed_promise(struct w_resource_step *step, writ_error *err)
{
	struct w_apply_owed *keeper = step->keeper;
	const struct w_owed_change change = change_of(keeper, step->resource);
	writ_status status = WRIT_OK;

	if (change.count == 0 || keeper->has_promised)
		return WRIT_OK;
	if (!keeper->is_announced)
		status = announce(step, err);
	if (status == WRIT_OK)
		status = w_owed_promise(keeper->owed, &change, err);
	keeper->has_promised = status == WRIT_OK;
	return status;
}

/* ---- who is refreshed ---- */

static bool
is_subscribed(const struct w_resource_step *step,
    const struct w_resource *resource, const char *subject)
{
	const struct w_reference_list *list = subscriptions_of(resource);

	for (size_t i = 0; i < list->count; i++) {
		const size_t target = list->items[i].target;

		if (target == W_NO_TARGET)
			continue;
		size_t end;
		for (size_t k = subjects_of(step->manifest, target, &end);
		     k < end; k++) {
			if (strcmp(step->manifest->resources[k].id, subject) ==
			    0)
				return true;
		}
	}
	return false;
}

static bool
is_payable(const struct w_resource_step *step,
    const struct w_resource *resource, const struct w_owed_refresh *refresh)
{
	const char *path = step->keeper->path;

	return (strcmp(path, "-") != 0 &&
		   strcmp(refresh->manifest, path) == 0) ||
	       is_subscribed(step, resource, refresh->subject);
}

/* The event of a subject in this session; false: it has none. */
static bool
subject_has_failed(
    const struct w_resource_step *step, const struct w_owed_refresh *refresh)
{
	const char *hash = strchr(refresh->subject, '#');
	struct w_last_event past;
	char type[32];

	if (hash == NULL || (size_t)(hash - refresh->subject) >= sizeof(type))
		return false;
	memcpy(type, refresh->subject, (size_t)(hash - refresh->subject));
	type[hash - refresh->subject] = '\0';
	return w_manifest_session_last(step->session, type, hash + 1, &past) &&
	       past.failed;
}

const struct w_owed_refresh *
w_apply_owed_trigger(
    const struct w_resource_step *step, const struct w_resource *resource)
{
	const struct w_owed_refresh *refresh;
	size_t at = 0;

	if (step->keeper->owed == NULL ||
	    !w_resource_can_subscribe(resource->type) ||
	    w_owed_count(step->keeper->owed) == 0)
		return NULL;
	while ((refresh = w_owed_next_of(
		    step->keeper->owed, resource->id, &at)) != NULL) {
		if (is_payable(step, resource, refresh) &&
		    !subject_has_failed(step, refresh))
			return refresh;
	}
	return NULL;
}

/* ---- after a step ---- */

static bool
pays_for(void *ctx, const struct w_owed_refresh *refresh)
{
	const struct w_resource_step *step = ctx;

	return is_payable(step, step->resource, refresh);
}

/* A command that is also the refresh has done what a refresh does. */
static bool
has_refreshed(const struct w_resource_step *step)
{
	const struct w_resource *resource = step->resource;
	const writ_event *event = &step->event;

	if (event->failed || step->is_cut || step->is_short)
		return false;
	if (resource->type == W_RESOURCE_SERVICE)
		return step->is_refreshed;
	if (resource->type != W_RESOURCE_EXEC || !event->changed)
		return false;
	const struct w_command_property *refresh =
	    &resource->as.exec.guards->refresh;
	return event->refreshed || (refresh->line.template.parts == NULL &&
				       refresh->words.count == 0);
}

void
w_apply_owed_settle(struct w_resource_step *step)
{
	struct w_apply_owed *keeper = step->keeper;
	writ_status status = WRIT_OK;
	writ_error err;

	if (keeper->owed == NULL || step->options->noop)
		return;
	/* A command that did not start has changed nothing. A file that failed
	 * may have been changed. */
	if (keeper->has_promised && !step->event.changed &&
	    step->resource->type != W_RESOURCE_FILE &&
	    !step->may_have_changed && !step->is_short &&
	    !step->runner->is_orphan)
		status = w_owed_take_back(keeper->owed, &err);
	keeper->has_promised = false;
	if (status == WRIT_OK && has_refreshed(step))
		status = w_owed_pay(keeper->owed, step->resource->id,
		    W_OWED_REFRESHED, pays_for, step, &err);
	if (status != WRIT_OK)
		w_resource_step_warn(step,
		    "it cannot be noted what is owed: %s; a refresh will be "
		    "made again",
		    err.message);
}

writ_status
w_apply_owed_conclude(struct w_resource_step *step, writ_error *err)
{
	struct w_apply_owed *keeper = step->keeper;

	return keeper->is_announced
		   ? w_owed_conclude(keeper->owed,
			 w_manifest_session_name(step->session), err)
		   : WRIT_OK;
}
