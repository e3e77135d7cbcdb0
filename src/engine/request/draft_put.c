/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Stores checked values in a request. JSON and text both come through here, so
 * both accept the same values. Nothing is stored unless it passes.
 */

#include "engine/request/draft_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/match.h"
#include "base/size.h"
#include "run/resolve/request_check.h"

#define UMASK_MAX  0777U
#define UMASK_LONG 4

_Static_assert(sizeof(writ_env_mode) == sizeof(unsigned), "enum size");
_Static_assert(sizeof(writ_background) == sizeof(unsigned), "enum size");
_Static_assert(sizeof(writ_tmp) == sizeof(unsigned), "enum size");
_Static_assert(sizeof(writ_undo) == sizeof(unsigned), "enum size");
_Static_assert(sizeof(writ_hold) == sizeof(unsigned), "enum size");
_Static_assert(sizeof(writ_network) == sizeof(unsigned), "enum size");

static void
draft_put_store(struct writ_draft *draft, const struct w_draft_field *field,
    const void *value, size_t len)
{
	memcpy((char *)&draft->request + field->offset, value, len);
}

static int
is_printable(const char *text, uint64_t max)
{
	size_t len = strlen(text);

	for (size_t i = 0; i < len; i++) {
		if (text[i] < 0x20 || text[i] > 0x7e)
			return 0;
	}
	return len <= max;
}

/* Parses octal digits, at most UMASK_LONG; -1: anything else. */
static int
parse_octal(const char *text)
{
	size_t len = strlen(text);
	int value = 0;

	if (len == 0 || len > UMASK_LONG || strspn(text, "01234567") != len)
		return -1;
	for (size_t i = 0; i < len; i++)
		value = value * 8 + (text[i] - '0');
	return value;
}

writ_status
w_draft_fail_range(
    const struct w_draft_field *field, const char *got, writ_error *err)
{
	if (field->kind == W_KIND_INTEGER)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "%s: expected a whole number from %d to %" PRIu64
		    ", got %.*s",
		    field->name, W_REQUEST_NICE_MIN, field->max, W_DRAFT_SHOWN,
		    got);
	return w_fail(err, WRIT_E_INVALID, "request", 0,
	    "%s: expected a whole number from %" PRIu64 " to %" PRIu64
	    ", got %.*s",
	    field->name, w_draft_field_min(field), field->max, W_DRAFT_SHOWN,
	    got);
}

writ_status
w_draft_put_string(struct writ_draft *draft, const struct w_draft_field *field,
    const char *text, writ_error *err)
{
	if (text[0] == '\0')
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "%s must not be empty", field->name);
	if (field->max != 0 && !is_printable(text, field->max))
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "%s must be 1 to %" PRIu64 " printable ASCII characters",
		    field->name, field->max);
	if ((field->flags & W_FIELD_STDIN) != 0) {
		w_draft_put_stdin(draft, NULL, 0);
		draft->request.stdin_kind = WRIT_STDIN_FILE;
	}
	draft_put_store(draft, field, &text, sizeof(text));
	return WRIT_OK;
}

writ_status
w_draft_put_word(struct writ_draft *draft, const struct w_draft_field *field,
    const char *word, writ_error *err)
{
	for (unsigned value = 0; field->words[value] != NULL; value++) {
		if (strcmp(field->words[value], word) != 0)
			continue;
		draft_put_store(draft, field, &value, sizeof(value));
		return WRIT_OK;
	}

	const char *nearest = w_match_nearest(word, field->words);
	/* Other tools call it "none". */
	if (strcmp(field->name, "network") == 0 && strcmp(word, "none") == 0)
		nearest = "off";
	(void)w_fail(err, WRIT_E_INVALID, "request", 0, "unknown %s '%.*s'",
	    field->noun, W_DRAFT_SHOWN, word);
	if (nearest != NULL)
		w_match_suggest(nearest, err);
	else
		w_suggest(err, "%s", field->choice);
	return WRIT_E_INVALID;
}

void
w_draft_put_switch(
    struct writ_draft *draft, const struct w_draft_field *field, bool value)
{
	draft_put_store(draft, field, &value, sizeof(value));
}

writ_status
w_draft_put_number(struct writ_draft *draft, const struct w_draft_field *field,
    uint64_t value, writ_error *err)
{
	if (value == 0 && (field->flags & W_FIELD_NOT_ZERO) != 0)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "%s must be at least 1; leave it out for no limit",
		    field->name);
	if (value > field->max) {
		char got[24];

		(void)snprintf(got, sizeof(got), "%" PRIu64, value);
		return w_draft_fail_range(field, got, err);
	}
	if (value == 0 && (field->flags & W_FIELD_ZERO_REAL) != 0)
		value = WRIT_ZERO;
	if ((field->flags & W_FIELD_SMALL) != 0) {
		const unsigned small = (unsigned)value;

		draft_put_store(draft, field, &small, sizeof(small));
		return WRIT_OK;
	}
	draft_put_store(draft, field, &value, sizeof(value));
	return WRIT_OK;
}

writ_status
w_draft_put_measure(struct writ_draft *draft, const struct w_draft_field *field,
    const char *text, writ_error *err)
{
	writ_error inner;
	uint64_t value;
	writ_status status = field->kind == W_KIND_SIZE
				 ? w_size_parse(text, &value, &inner)
				 : w_duration_parse(text, &value, &inner);

	if (status != WRIT_OK) {
		(void)w_fail(err, status, "request", 0, "%s: %s", field->name,
		    inner.message);
		if (inner.suggestion[0] != '\0')
			w_suggest(err, "%s", inner.suggestion);
		return status;
	}
	return w_draft_put_number(draft, field, value, err);
}

writ_status
w_draft_put_mode(struct writ_draft *draft, const struct w_draft_field *field,
    const char *text, writ_error *err)
{
	int mask = parse_octal(text);

	if (mask < 0 || (unsigned)mask > UMASK_MAX)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "%s: expected octal digits from 000 to 777, got '%.*s'",
		    field->name, W_DRAFT_SHOWN, text);
	const unsigned value = WRIT_UMASK(mask);
	draft_put_store(draft, field, &value, sizeof(value));
	return WRIT_OK;
}

writ_status
w_draft_put_nice(struct writ_draft *draft, const struct w_draft_field *field,
    int64_t value, writ_error *err)
{
	if (value < W_REQUEST_NICE_MIN || value > (int64_t)field->max) {
		char got[24];

		(void)snprintf(got, sizeof(got), "%" PRId64, value);
		return w_draft_fail_range(field, got, err);
	}
	const int nice = (int)value;
	draft_put_store(draft, field, &nice, sizeof(nice));
	return WRIT_OK;
}

void
w_draft_put_stdin(struct writ_draft *draft, const void *bytes, size_t len)
{
	draft->request.stdin_kind = WRIT_STDIN_DATA;
	draft->request.stdin_data = bytes;
	draft->request.stdin_len = len;
	draft->request.stdin_path = NULL;
}
