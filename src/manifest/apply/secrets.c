/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Finds secret values in output.
 *
 * A byte is hidden if any occurrence of any secret covers it. One pass over the
 * text tracks the end of the furthest occurrence so far; this handles secrets
 * with common prefixes, overlapping and nested ones.
 */

#include "manifest/apply/secrets.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAP 8

/* Shorter lines of a secret (a brace, "---") occur in many texts. */
#define LINE_MIN 8

/* Limit of one value as text. */
#define TEXT_MAX ((size_t)16 << 20)

/* ---- values ---- */

static bool
secrets_grow(struct w_secrets *secrets, struct w_arena *arena)
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
secrets_add_one(struct w_secrets *secrets, struct w_arena *arena,
    const char *text, size_t len)
{
	const unsigned char first = (unsigned char)text[0];

	if (len == 0)
		return true;
	if (secrets->count + 1 >= secrets->cap && !secrets_grow(secrets, arena))
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

	if (!secrets_add_one(secrets, arena, text, len))
		return false;
	while (at < len) {
		const char *end = memchr(text + at, '\n', len - at);
		const size_t line =
		    end == NULL ? len - at : (size_t)(end - text) - at;

		if (line >= LINE_MIN && line < len &&
		    !secrets_add_one(secrets, arena, text + at, line))
			return false;
		at += line + 1;
	}
	return true;
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
	W_AUTO_BUF struct w_buf text;
	w_buf_init(&text, TEXT_MAX);
	w_value_add_text(&text, value);
	return ok && !text.failed &&
	       w_secrets_add(secrets, arena, text.data, text.len);
}

/* ---- search ---- */

/* Length of the longest secret here; 0: none. */
static size_t
secrets_match(const struct w_secrets *secrets, const char *at, size_t left)
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

/* State of the pass: bytes before `covered` belong to a secret. */
struct secrets_walk {
	size_t covered;
	bool is_redacting;
};

/* Processes the bytes before `end`; those behind are only used for matching. */
static void
walk(struct secrets_walk *state, const struct w_secrets *secrets,
    const char *text, size_t len, size_t end, struct w_buf *buf)
{
	size_t shown = 0; /* start of what is not appended yet */

	for (size_t i = 0; i < end; i++) {
		const size_t found = secrets_match(secrets, text + i, len - i);

		if (found > 0 && i + found > state->covered)
			state->covered = i + found;
		if (i >= state->covered) {
			if (state->is_redacting)
				shown = i;
			state->is_redacting = false;
			continue;
		}
		if (!state->is_redacting) {
			w_buf_add(buf, text + shown, i - shown);
			w_buf_add_str(buf, W_VALUE_HIDDEN);
		}
		state->is_redacting = true;
	}
	if (!state->is_redacting)
		w_buf_add(buf, text + shown, end - shown);
}

void
w_secrets_redact(const struct w_secrets *secrets, struct w_buf *buf,
    const char *text, size_t len)
{
	struct secrets_walk state = {.covered = 0};

	if (secrets->count == 0)
		w_buf_add(buf, text, len);
	else
		walk(&state, secrets, text, len, len, buf);
}

/* ---- streams ---- */

void
w_redaction_done(struct w_redaction *redaction)
{
	free(redaction->held);
	*redaction = (struct w_redaction){.held = NULL};
}

static bool
hold(struct w_redaction *redaction, const char *bytes, size_t len)
{
	size_t cap = redaction->len + len;

	if (cap > redaction->cap) {
		char *held = realloc(redaction->held, cap);

		if (held == NULL)
			return false;
		redaction->held = held;
		redaction->cap = cap;
	}
	memcpy(redaction->held + redaction->len, bytes, len);
	redaction->len += len;
	return true;
}

static void
secrets_flush(struct w_redaction *redaction, const struct w_secrets *secrets,
    size_t end, struct w_buf *buf)
{
	struct secrets_walk state = {.covered = redaction->covered,
	    .is_redacting = redaction->is_redacting};

	walk(&state, secrets, redaction->held, redaction->len, end, buf);
	redaction->len -= end;
	memmove(redaction->held, redaction->held + end, redaction->len);
	redaction->covered = state.covered > end ? state.covered - end : 0;
	redaction->is_redacting = state.is_redacting;
}

bool
w_redaction_feed(struct w_redaction *redaction, const struct w_secrets *secrets,
    const char *bytes, size_t len, struct w_buf *buf)
{
	if (secrets->count == 0) {
		w_buf_add(buf, bytes, len);
		return !buf->failed;
	}
	if (len == 0)
		return true;
	if (!hold(redaction, bytes, len))
		return false;
	/* Occurrences that begin before this place are complete. */
	if (redaction->len >= secrets->longest)
		secrets_flush(redaction, secrets,
		    redaction->len - secrets->longest + 1, buf);
	return !buf->failed;
}

void
w_redaction_finish(struct w_redaction *redaction,
    const struct w_secrets *secrets, struct w_buf *buf)
{
	if (redaction->len > 0)
		secrets_flush(redaction, secrets, redaction->len, buf);
	redaction->covered = 0;
	redaction->is_redacting = false;
}
