/* SPDX-License-Identifier: Apache-2.0 */

/* The step of a type that a table describes: its properties, and its event. */

#include "manifest/types/typed_step.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "manifest/apply/apply_owed.h"
#include "manifest/apply/exec_resource.h"
#include "manifest/session/event_fields.h"

#define FACTS_MAX ((size_t)1 << 20)
#define PLAN_MAX  ((size_t)64 << 10)
#define TEXT_MAX  4096

/* ---- begin ---- */

static size_t
length_of(const char *const *texts)
{
	size_t count = 0;

	while (texts != NULL && texts[count] != NULL)
		count++;
	return count;
}

static bool
fill_env(struct w_typed_step *x, const char *const *more, int environment)
{
	const struct w_property_list none = {.count = 0};
	const struct w_property_list *list =
	    environment < 0 ? &none
			    : &x->resource->as.typed->values[environment];
	const char *const *own = NULL;
	const char *const *shown = NULL;

	if (!w_fill_environment(x->step, list, &own, &shown))
		return false;
	const size_t more_count = length_of(more);
	const size_t own_count = length_of(own);
	const char **env = w_arena_alloc(
	    &x->step->arena, more_count + own_count + 2, sizeof(*env));
	if (env == NULL) {
		x->step->is_short = true;
		return false;
	}
	env[0] = w_exec_plain_env[0];
	if (more_count > 0)
		memcpy(env + 1, more, more_count * sizeof(*env));
	if (own_count > 0)
		memcpy(env + 1 + more_count, own, own_count * sizeof(*env));
	x->env = env;
	return true;
}

bool
w_typed_begin(struct w_typed_step *x, struct w_resource_step *step,
    const char *const *more, int environment)
{
	*x = (struct w_typed_step){
	    .step = step,
	    .resource = step->resource,
	    .env = w_exec_plain_env,
	    .is_noop = step->options->noop,
	};
	w_buf_init(&x->facts, FACTS_MAX);
	w_buf_init(&x->plan, PLAN_MAX);
	return fill_env(x, more, environment);
}

/* ---- properties ---- */

const char *
w_typed_text(const struct w_typed_step *x, int index)
{
	return w_typed_early(x->resource, index);
}

bool
w_typed_truth(const struct w_typed_step *x, int index, bool standard)
{
	return w_typed_is_true(x->resource, index, standard);
}

uint64_t
w_typed_time(const struct w_typed_step *x, int index, uint64_t standard)
{
	const char *text = w_typed_early(x->resource, index);

	return text == NULL ? standard : strtoull(text, NULL, 10);
}

bool
w_typed_fill(struct w_typed_step *x, int index, struct w_filled_text *out_text)
{
	const struct w_property_list *list =
	    &x->resource->as.typed->values[index];

	if (list->count > 0)
		return w_fill_text(x->step, &list->items[0], out_text);
	*out_text = (struct w_filled_text){.text = NULL};
	return true;
}

const char *const *
w_typed_words(struct w_typed_step *x, int index)
{
	const struct w_property_list *list =
	    &x->resource->as.typed->values[index];
	const char **words =
	    w_arena_alloc(&x->step->arena, list->count + 1, sizeof(*words));

	for (size_t i = 0; words != NULL && i < list->count; i++)
		words[i] = list->items[i].text;
	x->step->is_short |= words == NULL;
	return words;
}

/* ---- changes ---- */

void
w_typed_reason(struct w_typed_step *x, const char *fmt, ...)
{
	char text[TEXT_MAX];
	va_list args;

	if (x->step->event.decided_by != NULL)
		return;
	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	x->step->event.decided_by = w_resource_step_text(x->step, "%s", text);
}

bool
w_typed_plan(struct w_typed_step *x, const char *fmt, ...)
{
	char text[TEXT_MAX];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (x->plan.len > 0)
		w_buf_add_str(&x->plan, x->is_noop ? ", would have " : ", ");
	w_buf_add_str(&x->plan, text);
	x->is_changed = true;
	return !x->is_noop;
}

void
w_typed_note(struct w_typed_step *x, const char *name, const char *text)
{
	w_buf_add_fmt(&x->facts, ",\"%s\":", name);
	w_event_add_text(&x->facts, "", text);
}

void
w_typed_note_truth(struct w_typed_step *x, const char *name, bool is_true)
{
	w_buf_add_fmt(
	    &x->facts, ",\"%s\":%s", name, is_true ? "true" : "false");
}

/* ---- files ---- */

static writ_status
typed_step_promise(void *ctx, writ_error *err)
{
	return w_apply_owed_promise(ctx, err);
}

bool
w_typed_file(struct w_typed_step *x, writ_file_request *request,
    writ_file_result **out_result)
{
	struct w_resource_step *step = x->step;
	writ_file_result *result = NULL;
	writ_error err = {.status = WRIT_OK};

	request->dry_run = x->is_noop;
	request->agent = step->agent;
	request->trace_id = step->trace_id;
	request->secrets = step->secrets.items;
	request->hide_content |=
	    step->resource->is_sensitive || step->secrets.count > 0;
	request->on_change = typed_step_promise;
	request->change_ctx = step;
	step->has_acted |= !x->is_noop;
	writ_status status = writ_file(step->engine, request, &result, &err);
	if (status != WRIT_OK) {
		step->is_short |= status == WRIT_E_NOMEM;
		step->may_have_changed |= status == WRIT_E_SYSTEM;
		w_resource_step_fail_error(step, &err);
		return false;
	}
	if (result->run_id != NULL)
		w_resource_step_add_run(step, result->run_id);
	x->is_changed |= result->changed;
	step->event.changed |= result->changed;
	if (out_result != NULL)
		*out_result = result;
	else
		writ_file_result_free(result);
	return true;
}

/* ---- end ---- */

static void
add_state(struct w_typed_step *x)
{
	struct w_buf *buf = &x->step->status;
	const writ_event *event = &x->step->event;
	const char *type = w_resource_word(x->resource->type);

	w_event_add_time(buf, "{\"timestamp\":", event->time_us);
	w_buf_add_fmt(buf,
	    ",\"protocol\":\"io.choria.ccm.v1.resource.%s.state\","
	    "\"type\":\"%s\"",
	    type, type);
	w_event_add_text(buf, ",\"name\":", event->name);
	w_event_add_text(buf, ",\"ensure\":", event->final_ensure);
	w_event_add_bool(buf, ",\"changed\":", event->changed);
	w_event_add_bool(buf, ",\"refreshed\":", event->refreshed);
	w_event_add_bool(
	    buf, ",\"stable\":", !event->changed && !event->failed);
	w_event_add_bool(buf, ",\"noop\":", x->is_noop);
	if (event->noop_message != NULL)
		w_event_add_text(
		    buf, ",\"noop_message\":", event->noop_message);
	w_buf_add_str(buf, ",\"metadata\":{");
	if (x->facts.len > 0)
		w_buf_add(buf, x->facts.data + 1, x->facts.len - 1);
	w_buf_add_str(buf, "}}");
}

void
w_typed_end(struct w_typed_step *x, const char *final_ensure)
{
	struct w_resource_step *step = x->step;
	writ_event *event = &step->event;

	event->time_us = w_event_now_us();
	if (x->is_noop && !event->failed)
		event->changed = x->is_changed;
	if (x->is_noop && x->plan.len > 0)
		event->noop_message =
		    w_resource_step_text(step, "Would have %s", x->plan.data);
	event->final_ensure = event->failed ? "" : final_ensure;
	w_resource_step_report(step, NULL);
	add_state(x);
	event->status = step->status.data;
	step->is_short |=
	    step->status.failed || x->facts.failed || x->plan.failed;
	w_buf_done(&x->facts);
	w_buf_done(&x->plan);
}
