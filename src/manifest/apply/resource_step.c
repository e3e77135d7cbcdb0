/* SPDX-License-Identifier: Apache-2.0 */

/* Shared by all types of resources: collects the parts of an event. */

#include "manifest/apply/resource_step.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <yyjson.h>

#include <writ/policy.h>

#define TEXT_MAX  ((size_t)1 << 20)
#define FIRST_CAP 4

/* May contain the content of a file, or output. */
#define JSON_MAX ((size_t)256 << 20)
#define KEPT_MAX ((size_t)1 << 20)

void
w_resource_step_init(struct w_resource_step *step)
{
	w_buf_init(&step->properties, JSON_MAX);
	w_buf_init(&step->status, JSON_MAX);
}

void
w_resource_step_done(struct w_resource_step *step)
{
	w_arena_done(&step->arena);
	w_buf_done(&step->properties);
	w_buf_done(&step->status);
}

/* Frees a buffer that has grown large. */
static void
resource_step_empty(struct w_buf *buf)
{
	if (buf->cap > KEPT_MAX)
		w_buf_done(buf);
	buf->len = 0;
	buf->failed = false;
	if (buf->cap > 0)
		buf->data[0] = '\0';
}

void
w_resource_step_begin(
    struct w_resource_step *step, const struct w_resource *resource)
{
	w_arena_reset(&step->arena);
	step->resource = resource;
	if (resource->home != NULL)
		step->inner.manifest = resource->home;
	step->inner.item = resource->item;
	step->inner.key = resource->key;
	step->secrets = (struct w_secrets){.count = 0};
	step->event = (writ_event){
	    .index = resource->index,
	    .type = w_resource_word(resource->type),
	    .name = resource->name.text,
	    .alias = resource->extras->alias.text,
	    .final_ensure = "",
	    .noop = step->options->noop,
	};
	step->errors = (struct w_texts){.count = 0};
	step->warnings = (struct w_texts){.count = 0};
	step->unmet = (struct w_texts){.count = 0};
	step->run_ids = (struct w_texts){.count = 0};
	step->filled = (struct w_filled){.argv = NULL};
	step->parts = NULL;
	step->part_cap = 0;
	resource_step_empty(&step->properties);
	resource_step_empty(&step->status);
	step->output[0] = step->output[1] = NULL;
	step->exit_code = -1;
	step->has_acted = false;
	step->is_cut = false;
	step->is_refreshed = false;
	step->may_have_changed = false;
	step->batch = NULL;
	step->checked = NULL;
	step->is_pending = false;
	step->is_begun = false;
	step->is_short = false;
}

bool
w_texts_add(
    struct w_texts *texts, struct w_arena *arena, const char *text, size_t len)
{
	if (texts->count + 1 >= texts->cap) {
		const size_t cap = texts->cap == 0 ? FIRST_CAP : texts->cap * 2;
		const char **items = w_arena_alloc(arena, cap, sizeof(*items));

		if (items == NULL)
			return false;
		if (texts->count > 0)
			memcpy(
			    items, texts->items, texts->count * sizeof(*items));
		texts->items = items;
		texts->cap = cap;
	}
	const char *copy = w_arena_text(arena, text, len);
	if (copy == NULL)
		return false;
	texts->items[texts->count++] = copy;
	return true;
}

/* ---- texts ---- */

const char *
w_resource_step_copy(struct w_resource_step *step, const struct w_buf *buf)
{
	const char *copy =
	    buf->failed ? NULL
			: w_arena_text(&step->arena, buf->data, buf->len);

	if (copy == NULL)
		step->is_short = true;
	return copy == NULL ? "" : copy;
}

/* Texts of every resource are formatted here: if there is no secret to look
 * for, directly into the arena. */
static const char *compose(struct w_resource_step *step, const char *fmt,
    va_list args) __attribute__((format(printf, 2, 0)));

static const char *
compose(struct w_resource_step *step, const char *fmt, va_list args)
{
	W_AUTO_BUF struct w_buf hidden;
	va_list again;

	w_buf_init(&hidden, TEXT_MAX);
	va_copy(again, args);
	const int len = vsnprintf(NULL, 0, fmt, args);
	char *text =
	    len < 0 ? NULL : w_arena_alloc(&step->arena, (size_t)len + 1, 1);
	if (text != NULL)
		(void)vsnprintf(text, (size_t)len + 1, fmt, again);
	va_end(again);
	if (text == NULL) {
		step->is_short = true;
		return "";
	}
	if (step->secrets.count == 0)
		return text;
	w_secrets_redact(&step->secrets, &hidden, text, (size_t)len);
	return w_resource_step_copy(step, &hidden);
}

const char *
w_resource_step_text(struct w_resource_step *step, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	const char *text = compose(step, fmt, args);
	va_end(args);
	return text;
}

static void
resource_step_add(
    struct w_resource_step *step, struct w_texts *texts, const char *text)
{
	if (!w_texts_add(texts, &step->arena, text, strlen(text)))
		step->is_short = true;
}

void
w_resource_step_fail(struct w_resource_step *step, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	resource_step_add(step, &step->errors, compose(step, fmt, args));
	va_end(args);
	step->event.failed = true;
}

void
w_resource_step_warn(struct w_resource_step *step, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	resource_step_add(step, &step->warnings, compose(step, fmt, args));
	va_end(args);
}

void
w_resource_step_add_run(struct w_resource_step *step, const char *run_id)
{
	if (run_id != NULL)
		resource_step_add(step, &step->run_ids, run_id);
}

/* ---- properties ---- */

void
w_resource_step_show(struct w_resource_step *step,
    const struct w_template *template, const char *const *argv,
    const char *text)
{
	size_t *count = &step->filled.part_count;

	if (w_template_is_plain(template))
		return;
	if (*count == step->part_cap) {
		const size_t cap =
		    step->part_cap == 0 ? FIRST_CAP : step->part_cap * 2;
		struct w_filled_part *parts =
		    w_arena_alloc(&step->arena, cap, sizeof(*parts));

		if (parts == NULL) {
			step->is_short = true;
			return;
		}
		if (*count > 0)
			memcpy(parts, step->parts, *count * sizeof(*parts));
		step->parts = parts;
		step->part_cap = cap;
	}
	step->parts[(*count)++] = (struct w_filled_part){
	    .template = template, .argv = argv, .text = text};
}

void
w_resource_step_report(
    struct w_resource_step *step, const struct w_filled *filled)
{
	const size_t count = step->filled.part_count;

	if (filled != NULL)
		step->filled = *filled;
	step->filled.parts = step->parts;
	step->filled.part_count = count;
	resource_step_empty(&step->properties);
	w_resource_add_properties(
	    &step->properties, step->resource, &step->filled);
	step->event.properties = step->properties.data;
	step->is_short = step->is_short || step->properties.failed;
}

/* ---- errors ---- */

/* Where the rule is that denied the last request, or NULL. */
static const char *
find_rule(struct w_resource_step *step, const writ_error *error)
{
	const char *json =
	    step->engine == NULL ? NULL : writ_engine_decision(step->engine);

	if (error->status != WRIT_E_DENIED || json == NULL)
		return NULL;
	yyjson_doc *doc = yyjson_read(json, strlen(json), 0);
	const char *rule =
	    yyjson_get_str(yyjson_obj_get(yyjson_doc_get_root(doc), "rule"));
	const char *kept =
	    rule == NULL ? NULL : w_resource_step_text(step, "rule %s", rule);
	yyjson_doc_free(doc);
	return kept;
}

/* Messages of the library quote the command, or parts of it. For a sensitive
 * resource only the kind of error is reported. */
void
w_resource_step_fail_error(
    struct w_resource_step *step, const writ_error *error)
{
	const bool is_hidden = step->resource->is_sensitive;
	const char *message =
	    is_hidden ? writ_status_text(error->status) : error->message;
	const char *hint = find_rule(step, error);

	if (hint == NULL && !is_hidden && error->suggestion[0] != '\0')
		hint = error->suggestion;
	if (hint == NULL)
		w_resource_step_fail(step, "%s", message);
	else
		w_resource_step_fail(step, "%s (%s)", message, hint);
}

/* The manifest that the resource is written in. */
static const struct w_manifest *
home_of(const struct w_resource_step *step)
{
	return step->resource->home != NULL ? step->resource->home
					    : step->manifest;
}

void
w_resource_step_fail_at(struct w_resource_step *step,
    const struct w_manifest_location *at, const char *text,
    const writ_error *error)
{
	writ_error placed = *error;

	if (at->line == 0) {
		w_resource_step_fail_error(step, error);
		return;
	}
	if (step->resource->is_sensitive) {
		/* The location reveals nothing. */
		w_resource_step_fail(step,
		    "%s:%u:%u: %s (no more is shown: it is sensitive)",
		    home_of(step)->file, at->line, at->column,
		    writ_status_text(error->status));
		return;
	}
	w_manifest_locate(home_of(step), at, text, &placed);
	w_resource_step_fail(step, "%s:%u:%u: %s%s%s%s", home_of(step)->file,
	    placed.line, placed.column, error->message,
	    error->suggestion[0] == '\0' ? "" : " (", error->suggestion,
	    error->suggestion[0] == '\0' ? "" : ")");
}
