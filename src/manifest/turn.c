/* SPDX-License-Identifier: Apache-2.0 */

/* What all resources do during their turns: collect the parts of an event. */

#include "manifest/turn.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/auto.h"

#define TEXT_MAX  ((size_t)1 << 20)
#define FIRST_CAP 4

/* Content of a file, or an output that is shown, may be in it. */
#define JSON_MAX ((size_t)256 << 20)

void
w_turn_init(struct w_turn *turn)
{
	w_buf_init(&turn->properties, JSON_MAX);
	w_buf_init(&turn->status, JSON_MAX);
}

void
w_turn_done(struct w_turn *turn)
{
	w_arena_done(&turn->arena);
	w_buf_done(&turn->properties);
	w_buf_done(&turn->status);
}

static void
empty(struct w_buf *buf)
{
	buf->len = 0;
	buf->failed = false;
	if (buf->cap > 0)
		buf->data[0] = '\0';
}

void
w_turn_begin(struct w_turn *turn, const struct w_resource *resource)
{
	w_arena_reset(&turn->arena);
	turn->resource = resource;
	turn->secrets = (struct w_secrets){.count = 0};
	turn->event = (struct w_event){
	    .index = resource->index,
	    .type = w_resource_word(resource->type),
	    .name = resource->name.text,
	    .alias = resource->alias.text,
	    .final_ensure = "",
	    .noop = turn->options->noop,
	};
	turn->errors = (struct w_texts){.count = 0};
	turn->warnings = (struct w_texts){.count = 0};
	turn->unmet = (struct w_texts){.count = 0};
	turn->run_ids = (struct w_texts){.count = 0};
	empty(&turn->properties);
	empty(&turn->status);
	turn->has_acted = false;
	turn->is_cut = false;
	turn->is_short = false;
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
w_turn_keep(struct w_turn *turn, const struct w_buf *buf)
{
	const char *copy =
	    buf->failed ? NULL
			: w_arena_text(&turn->arena, buf->data, buf->len);

	if (copy == NULL)
		turn->is_short = true;
	return copy == NULL ? "" : copy;
}

static const char *
compose(struct w_turn *turn, const char *fmt, va_list args)
{
	W_AUTO_BUF struct w_buf hidden;
	char text[1024];
	va_list again;

	va_copy(again, args);
	int len = vsnprintf(text, sizeof(text), fmt, args);
	W_AUTO_FREE char *longer = NULL;
	if (len >= (int)sizeof(text))
		longer = malloc((size_t)len + 1);
	if (longer != NULL)
		(void)vsnprintf(longer, (size_t)len + 1, fmt, again);
	va_end(again);
	if (len < 0 || (len >= (int)sizeof(text) && longer == NULL)) {
		turn->is_short = true;
		return "";
	}
	w_buf_init(&hidden, TEXT_MAX);
	w_secrets_hide(&turn->secrets, &hidden, longer == NULL ? text : longer,
	    (size_t)len);
	return w_turn_keep(turn, &hidden);
}

const char *
w_turn_text(struct w_turn *turn, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	const char *text = compose(turn, fmt, args);
	va_end(args);
	return text;
}

static void
add(struct w_turn *turn, struct w_texts *texts, const char *text)
{
	if (!w_texts_add(texts, &turn->arena, text, strlen(text)))
		turn->is_short = true;
}

void
w_turn_fail(struct w_turn *turn, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add(turn, &turn->errors, compose(turn, fmt, args));
	va_end(args);
	turn->event.failed = true;
}

void
w_turn_warn(struct w_turn *turn, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add(turn, &turn->warnings, compose(turn, fmt, args));
	va_end(args);
}

void
w_turn_add_run(struct w_turn *turn, const char *run_id)
{
	if (run_id != NULL)
		add(turn, &turn->run_ids, run_id);
}

/* ---- errors ---- */

/* Messages of the library quote the command, whole or in parts; that of a
 * sensitive resource is not told, only what kind of trouble it is. */
void
w_turn_fail_error(struct w_turn *turn, const writ_error *error)
{
	const char *hint = error->suggestion;

	if (turn->resource->is_sensitive)
		w_turn_fail(turn, "%s", writ_status_text(error->status));
	else if (hint[0] == '\0')
		w_turn_fail(turn, "%s", error->message);
	else
		w_turn_fail(turn, "%s (%s)", error->message, hint);
}

void
w_turn_fail_at(struct w_turn *turn, const struct w_spot *at, const char *text,
    const writ_error *error)
{
	writ_error placed = *error;

	if (at->line == 0 || turn->resource->is_sensitive) {
		w_turn_fail_error(turn, error);
		return;
	}
	w_manifest_locate(turn->manifest, at, text, &placed);
	w_turn_fail(turn, "%s:%u:%u: %s%s%s%s", turn->manifest->file,
	    placed.line, placed.column, error->message,
	    error->suggestion[0] == '\0' ? "" : " (", error->suggestion,
	    error->suggestion[0] == '\0' ? "" : ")");
}
