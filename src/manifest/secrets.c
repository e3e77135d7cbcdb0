/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Finding secret values in what is shown.
 *
 * A byte goes if any occurrence of any secret covers it. So the text is walked
 * once, with the end of the furthest occurrence that has begun so far; values
 * that begin alike, overlap or lie within each other need no other thought.
 */

#include "manifest/secrets.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAP 8

/* Shorter lines of a secret (a brace, "---") are in many texts. */
#define LINE_MIN 8

/* What one value as a text may take. */
#define TEXT_MAX ((size_t)16 << 20)

/* ---- the values ---- */

static bool
grow(struct w_secrets *secrets, struct w_arena *arena)
{
	const size_t cap = secrets->cap == 0 ? FIRST_CAP : secrets->cap * 2;
	const char **items = w_arena_alloc(arena, cap, sizeof(*items));

	if (items == NULL)
		return false;
	if (secrets->count > 0)
		memcpy(items, secrets->items, secrets->count * sizeof(*items));
	secrets->items = items;
	secrets->cap = cap;
	return true;
}

static bool
add_one(struct w_secrets *secrets, struct w_arena *arena, const char *text,
    size_t len)
{
	const unsigned char first = (unsigned char)text[0];

	if (len == 0)
		return true;
	if (secrets->count + 1 >= secrets->cap && !grow(secrets, arena))
		return false;
	const char *copy = w_arena_text(arena, text, len);
	if (copy == NULL)
		return false;
	secrets->items[secrets->count++] = copy;
	secrets->firsts[first / 64] |= UINT64_C(1) << first % 64;
	if (len > secrets->longest)
		secrets->longest = len;
	return true;
}

bool
w_secrets_add(struct w_secrets *secrets, struct w_arena *arena,
    const char *text, size_t len)
{
	size_t at = 0;

	if (!add_one(secrets, arena, text, len))
		return false;
	while (at < len) {
		const char *end = memchr(text + at, '\n', len - at);
		const size_t line =
		    end == NULL ? len - at : (size_t)(end - text) - at;

		if (line >= LINE_MIN && line < len &&
		    !add_one(secrets, arena, text + at, line))
			return false;
		at += line + 1;
	}
	return true;
}

static bool
add_as_text(struct w_secrets *secrets, struct w_arena *arena,
    const struct w_value *value)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	w_value_add_text(&text, value);
	return !text.failed &&
	       w_secrets_add(secrets, arena, text.data, text.len);
}

bool
w_secrets_add_value(struct w_secrets *secrets, struct w_arena *arena,
    const struct w_value *value)
{
	bool ok = true;

	switch (value->kind) {
	case W_VALUE_NULL:
	case W_VALUE_BOOL:
		return true;
	case W_VALUE_STRING:
		return w_secrets_add(secrets, arena, value->as.string.text,
		    value->as.string.len);
	case W_VALUE_LIST:
		for (size_t i = 0; ok && i < value->as.list.count; i++)
			ok = w_secrets_add_value(
			    secrets, arena, &value->as.list.items[i]);
		break;
	case W_VALUE_MAP:
		for (size_t i = 0; ok && i < value->as.map.count; i++)
			ok = w_secrets_add_value(
			    secrets, arena, &value->as.map.members[i].value);
		break;
	case W_VALUE_INT:
	case W_VALUE_FLOAT:
		break;
	}
	return ok && add_as_text(secrets, arena, value);
}

/* ---- finding them ---- */

/* How long the longest secret is that stands here; 0: none does. */
static size_t
match(const struct w_secrets *secrets, const char *at, size_t left)
{
	const unsigned char first = (unsigned char)*at;
	size_t longest = 0;

	if ((secrets->firsts[first / 64] >> first % 64 & 1) == 0)
		return 0;
	for (size_t i = 0; i < secrets->count; i++) {
		const size_t len = strlen(secrets->items[i]);

		if (len > longest && len <= left &&
		    memcmp(secrets->items[i], at, len) == 0)
			longest = len;
	}
	return longest;
}

/* The state of a walk: bytes before `covered` belong to a secret. */
struct walk {
	size_t covered;
	bool is_hiding;
};

/* Walks the bytes before `end`, and looks at those behind for what begins
 * there. */
static void
walk(struct walk *state, const struct w_secrets *secrets, const char *text,
    size_t len, size_t end, struct w_buf *buf)
{
	size_t shown = 0; /* from here on nothing is appended yet */

	for (size_t i = 0; i < end; i++) {
		const size_t found = match(secrets, text + i, len - i);

		if (found > 0 && i + found > state->covered)
			state->covered = i + found;
		if (i >= state->covered) {
			if (state->is_hiding)
				shown = i;
			state->is_hiding = false;
			continue;
		}
		if (!state->is_hiding) {
			w_buf_add(buf, text + shown, i - shown);
			w_buf_add_str(buf, W_VALUE_HIDDEN);
		}
		state->is_hiding = true;
	}
	if (!state->is_hiding)
		w_buf_add(buf, text + shown, end - shown);
}

void
w_secrets_hide(const struct w_secrets *secrets, struct w_buf *buf,
    const char *text, size_t len)
{
	struct walk state = {.covered = 0};

	if (secrets->count == 0)
		w_buf_add(buf, text, len);
	else
		walk(&state, secrets, text, len, len, buf);
}

/* ---- streams ---- */

void
w_hiding_done(struct w_hiding *hiding)
{
	free(hiding->held);
	*hiding = (struct w_hiding){.held = NULL};
}

static bool
hold(struct w_hiding *hiding, const char *bytes, size_t len)
{
	size_t cap = hiding->len + len;

	if (cap > hiding->cap) {
		char *held = realloc(hiding->held, cap);

		if (held == NULL)
			return false;
		hiding->held = held;
		hiding->cap = cap;
	}
	memcpy(hiding->held + hiding->len, bytes, len);
	hiding->len += len;
	return true;
}

static void
tell(struct w_hiding *hiding, const struct w_secrets *secrets, size_t end,
    struct w_buf *buf)
{
	struct walk state = {
	    .covered = hiding->covered, .is_hiding = hiding->is_hiding};

	walk(&state, secrets, hiding->held, hiding->len, end, buf);
	hiding->len -= end;
	memmove(hiding->held, hiding->held + end, hiding->len);
	hiding->covered = state.covered > end ? state.covered - end : 0;
	hiding->is_hiding = state.is_hiding;
}

bool
w_hiding_take(struct w_hiding *hiding, const struct w_secrets *secrets,
    const char *bytes, size_t len, struct w_buf *buf)
{
	if (secrets->count == 0) {
		w_buf_add(buf, bytes, len);
		return !buf->failed;
	}
	if (len == 0)
		return true;
	if (!hold(hiding, bytes, len))
		return false;
	/* An occurrence that begins before this place is whole. */
	if (hiding->len >= secrets->longest)
		tell(hiding, secrets, hiding->len - secrets->longest + 1, buf);
	return !buf->failed;
}

void
w_hiding_end(
    struct w_hiding *hiding, const struct w_secrets *secrets, struct w_buf *buf)
{
	if (hiding->len > 0)
		tell(hiding, secrets, hiding->len, buf);
	hiding->covered = 0;
	hiding->is_hiding = false;
}
