/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Removes secrets from text.
 *
 * Every byte covered by any occurrence of any secret is removed, also where
 * occurrences overlap: replacing one after the other would leave the rest of
 * the second one behind. Without memory for this nothing is written at all; the
 * buffer fails.
 */

#include "audit/record/redact.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/auto.h"
#include "base/size.h"
#include "data/json.h"

#define FIRST_CAP 8

/* Parts of secret names, in upper case, by their first letter. Every
 * environment variable's name is checked for every run, so this must be
 * fast. */
static const char *const parts_of_letter[26][4] = {
    ['A' - 'A'] = {"AUTH"},
    ['C' - 'A'] = {"CREDENTIAL", "COOKIE", "CONNECTION_STRING"},
    ['D' - 'A'] = {"DATABASE_URL", "DSN"},
    ['K' - 'A'] = {"KEY"},
    ['P' - 'A'] = {"PASSW", "PASSPHRASE", "PASSCODE", "PRIVATE"},
    ['S' - 'A'] = {"SECRET", "SESSION", "SIGNATURE"},
    ['T' - 'A'] = {"TOKEN"},
    ['W' - 'A'] = {"WEBHOOK"},
};

static bool
starts_with_part(const char *at, size_t left, unsigned letter)
{
	for (size_t i = 0; i < 4; i++) {
		const char *part = parts_of_letter[letter][i];

		if (part == NULL)
			return false;
		/* Most names end here, without a call. */
		if (left < 2 || ((unsigned char)at[1] | 0x20U) !=
				    ((unsigned char)part[1] | 0x20U))
			continue;
		if (strlen(part) <= left &&
		    strncasecmp(at, part, strlen(part)) == 0)
			return true;
	}
	return false;
}

/* "AUTHOR" starts like "AUTH" and is in every repository. */
static bool
is_author(const char *at, size_t left)
{
	return left >= 6 && strncasecmp(at, "AUTHOR", 6) == 0 &&
	       (left == 6 || strncasecmp(at + 6, "I", 1) != 0);
}

/* Variables of desktops, with values like "background". */
static bool
is_of_desktop(const char *name, size_t len)
{
	static const char *const names[] = {
	    "XDG_", "DESKTOP_SESSION", "GDMSESSION"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (len >= strlen(names[i]) &&
		    strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	}
	return false;
}

bool
w_redact_is_secret_name(const char *name, size_t len)
{
	if (is_of_desktop(name, len))
		return false;
	for (size_t at = 0; at < len; at++) {
		unsigned letter = ((unsigned char)name[at] | 0x20U) - 'a';

		if (letter < 26 &&
		    starts_with_part(name + at, len - at, letter) &&
		    !is_author(name + at, len - at))
			return true;
	}
	return false;
}

void
w_redactor_done(struct w_redactor *redactor)
{
	free(redactor->values);
	free(redactor->lens);
	*redactor = (struct w_redactor){0};
}

static bool
redact_grow(struct w_redactor *redactor)
{
	size_t cap = redactor->cap == 0 ? FIRST_CAP : redactor->cap * 2;

	if (redactor->count < redactor->cap)
		return true;
	const char **values =
	    reallocarray(redactor->values, cap, sizeof(*values));
	if (values == NULL)
		return false;
	redactor->values = values;
	size_t *lens = reallocarray(redactor->lens, cap, sizeof(*lens));
	if (lens == NULL)
		return false;
	redactor->lens = lens;
	redactor->cap = cap;
	return true;
}

writ_status
w_redactor_add_len(
    struct w_redactor *redactor, const char *value, size_t len, writ_error *err)
{
	if (!redact_grow(redactor))
		return w_fail_nomem(err, "audit");
	redactor->values[redactor->count] = value;
	redactor->lens[redactor->count++] = len;
	return WRIT_OK;
}

static writ_status
redact_add_value(
    struct w_redactor *redactor, const char *value, writ_error *err)
{
	return w_redactor_add_len(redactor, value, strlen(value), err);
}

writ_status
w_redactor_add(
    struct w_redactor *redactor, const char *const *secrets, writ_error *err)
{
	writ_status status = WRIT_OK;

	for (size_t i = 0;
	     status == WRIT_OK && secrets != NULL && secrets[i] != NULL; i++) {
		if (secrets[i][0] != '\0')
			status = redact_add_value(redactor, secrets[i], err);
	}
	return status;
}

writ_status
w_redactor_add_env(
    struct w_redactor *redactor, const char *const *env, writ_error *err)
{
	writ_status status = WRIT_OK;

	for (size_t i = 0; status == WRIT_OK && env != NULL && env[i] != NULL;
	     i++) {
		size_t len = strcspn(env[i], "=");
		const char *value = env[i] + len + (env[i][len] == '=');

		if (strlen(value) >= W_REDACT_VALUE_MIN &&
		    w_redact_is_secret_name(env[i], len))
			status = redact_add_value(redactor, value, err);
	}
	return status;
}

/* Marks every byte that one value covers. *mask is allocated on first use.
 * false: no memory. */
static bool
cover(const char *text, size_t len, const char *value, size_t value_len,
    char **mask)
{
	const char *at = memmem(text, len, value, value_len);
	size_t covered = 0; /* the mask is set up to here */

	while (at != NULL) {
		size_t start = (size_t)(at - text);
		size_t end = start + value_len;
		size_t from = start > covered ? start : covered;

		if (*mask == NULL)
			*mask = calloc(1, len);
		if (*mask == NULL)
			return false;
		memset(*mask + from, 1, end - from);
		covered = end;
		at = memmem(at + 1, len - start - 1, value, value_len);
	}
	return true;
}

/* Copies uncovered bytes, and one mark for each covered stretch. */
static void
add_uncovered(
    struct w_buf *clean, const char *text, size_t len, const char *mask)
{
	for (size_t at = 0; at < len;) {
		const char is_hidden = mask[at];
		size_t start = at;

		while (at < len && mask[at] == is_hidden)
			at++;
		if (is_hidden)
			w_buf_add_str(clean, W_REDACTED);
		else
			w_buf_add(clean, text + start, at - start);
	}
}

static void
add_masked(struct w_redactor *redactor, struct w_buf *buf, const char *text,
    size_t len, const char *mask)
{
	W_AUTO_BUF struct w_buf clean;
	size_t max;

	if (!w_size_mul(len, sizeof(W_REDACTED), &max))
		max = len;
	w_buf_init(&clean, max);
	add_uncovered(&clean, text, len, mask);
	if (clean.failed)
		buf->failed = true;
	redactor->has_redacted = true;
	w_json_add_bytes(buf, clean.data, clean.len);
}

/* false: no memory. *out_mask is NULL if nothing is covered. */
static bool
cover_from(const struct w_redactor *redactor, size_t min, const char *text,
    size_t len, char **out_mask)
{
	for (size_t i = 0; i < redactor->count; i++) {
		if (redactor->lens[i] >= min &&
		    !cover(text, len, redactor->values[i], redactor->lens[i],
			out_mask))
			return false;
	}
	return true;
}

static bool
cover_all(const struct w_redactor *redactor, const char *text, size_t len,
    char **out_mask)
{
	return cover_from(redactor, 0, text, len, out_mask);
}

/* The first span of this word or of a later one. */
static size_t
first_span(const struct w_redactor *redactor, size_t word)
{
	size_t from = 0;
	size_t to = redactor->span_count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (redactor->spans[middle].word < word)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* The same for the spans of a word. */
static bool
cover_spans(
    const struct w_redactor *redactor, size_t word, size_t len, char **mask)
{
	for (size_t i = first_span(redactor, word);
	     i < redactor->span_count && redactor->spans[i].word == word; i++) {
		const struct w_redact_span *span = &redactor->spans[i];

		if (span->offset >= len)
			continue;
		if (*mask == NULL)
			*mask = calloc(1, len);
		if (*mask == NULL)
			return false;
		size_t left = len - span->offset;
		memset(*mask + span->offset, 1,
		    span->len < left ? span->len : left);
	}
	return true;
}

static void
add_covered(struct w_redactor *redactor, struct w_buf *buf, const char *text,
    size_t len, const char *mask)
{
	if (mask == NULL)
		w_json_add_bytes(buf, text, len);
	else
		add_masked(redactor, buf, text, len, mask);
}

void
w_redact_add_len(struct w_redactor *redactor, struct w_buf *buf,
    const char *text, size_t len)
{
	W_AUTO_FREE char *mask = NULL;

	if (!cover_all(redactor, text, len, &mask))
		buf->failed = true;
	else
		add_covered(redactor, buf, text, len, mask);
}

void
w_redact_add_input(struct w_redactor *redactor, struct w_buf *buf,
    const char *text, size_t len, size_t from, size_t to)
{
	W_AUTO_FREE char *mask = NULL;

	if (!cover_all(redactor, text, len, &mask) ||
	    !cover_spans(redactor, W_REDACT_STDIN, len, &mask))
		buf->failed = true;
	else
		add_covered(redactor, buf, text + from, to - from,
		    mask == NULL ? NULL : mask + from);
}

void
w_redact_add_word(struct w_redactor *redactor, struct w_buf *buf,
    const char *text, size_t word)
{
	W_AUTO_FREE char *mask = NULL;
	const size_t len = strlen(text);

	if (!cover_all(redactor, text, len, &mask) ||
	    !cover_spans(redactor, word, len, &mask))
		buf->failed = true;
	else
		add_covered(redactor, buf, text, len, mask);
}

void
w_redact_text(struct w_redactor *redactor, struct w_buf *buf, const char *text,
    size_t len)
{
	W_AUTO_FREE char *mask = NULL;

	if (!cover_all(redactor, text, len, &mask)) {
		buf->failed = true;
		return;
	}
	if (mask == NULL) {
		w_buf_add(buf, text, len);
		return;
	}
	redactor->has_redacted = true;
	add_uncovered(buf, text, len, mask);
}

void
w_redact_add(struct w_redactor *redactor, struct w_buf *buf, const char *text)
{
	if (text == NULL)
		w_buf_add_str(buf, "null");
	else
		w_redact_add_len(redactor, buf, text, strlen(text));
}

void
w_redact_add_name(
    struct w_redactor *redactor, struct w_buf *buf, const char *name)
{
	W_AUTO_FREE char *mask = NULL;
	const size_t len = name == NULL ? 0 : strlen(name);

	if (name == NULL)
		w_buf_add_str(buf, "null");
	else if (!cover_from(redactor, W_REDACT_NAME_MIN, name, len, &mask))
		buf->failed = true;
	else
		add_covered(redactor, buf, name, len, mask);
}

/* Marks prefixes of a secret, as a truncated error would show it. */
static void
cover_parts(
    const char *message, const char *value, size_t value_len, char *mask)
{
	writ_error shown;

	(void)w_fail(&shown, WRIT_E_INVALID, "audit", 0, "%.*s",
	    value_len < INT_MAX ? (int)value_len : INT_MAX, value);
	size_t whole = strlen(shown.message);
	size_t enough = whole < W_REDACT_PART_MIN ? whole : W_REDACT_PART_MIN;
	for (size_t at = 0; message[at] != '\0'; at++) {
		size_t len = 0;

		while (message[at + len] != '\0' &&
		       message[at + len] == shown.message[len])
			len++;
		if (len >= enough)
			memset(mask + at, 1, len);
	}
}

/* Whether some part of the message is covered. */
static bool
cover_message(const struct w_redactor *redactor, const char *message,
    char mask[W_REDACT_MESSAGE_MAX])
{
	memset(mask, 0, W_REDACT_MESSAGE_MAX);
	for (size_t i = 0; i < redactor->count; i++)
		cover_parts(
		    message, redactor->values[i], redactor->lens[i], mask);
	return memchr(mask, 1, W_REDACT_MESSAGE_MAX) != NULL;
}

void
w_redact_add_message(
    struct w_redactor *redactor, struct w_buf *buf, const char *message)
{
	char mask[W_REDACT_MESSAGE_MAX];
	size_t len = strnlen(message, sizeof(mask) - 1);

	if (cover_message(redactor, message, mask))
		add_masked(redactor, buf, message, len, mask);
	else
		w_json_add_bytes(buf, message, len);
}

static void
redact_clean(struct w_redactor *redactor, char *message, size_t size)
{
	char mask[W_REDACT_MESSAGE_MAX];

	if (!cover_message(redactor, message, mask))
		return;
	W_AUTO_BUF struct w_buf text;
	w_buf_init(&text, sizeof(mask) * sizeof(W_REDACTED));
	add_uncovered(&text, message, strlen(message), mask);
	/* Without memory no message is better than one with a secret. */
	(void)snprintf(
	    message, size, "%s", text.failed ? W_REDACTED : text.data);
	redactor->has_redacted = true;
}

void
w_redact_error(struct w_redactor *redactor, writ_error *error)
{
	if (error == NULL)
		return;
	redact_clean(redactor, error->message, sizeof(error->message));
	redact_clean(redactor, error->suggestion, sizeof(error->suggestion));
}
