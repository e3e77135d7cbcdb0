/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads values from text, as a command line option gives them. Sizes and
 * durations have a unit; lists take one element at a time.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/request/draft_state.h"

#define DIGITS_MAX 19 /* always fits an int64_t */

/* A sign, if allowed, and digits; nothing else. */
static int
parse_number(const char *text, int may_be_negative, int64_t *out_value)
{
	const char *digits = may_be_negative && *text == '-' ? text + 1 : text;
	size_t len = strlen(digits);

	if (len == 0 || len >= DIGITS_MAX ||
	    strspn(digits, "0123456789") != len)
		return 0;
	*out_value = strtoll(text, NULL, 10);
	return 1;
}

static writ_status
draft_text_read_number(struct writ_draft *next,
    const struct w_draft_field *field, const char *text, writ_error *err)
{
	int is_signed = field->kind == W_KIND_INTEGER;
	int64_t value;

	if (!parse_number(text, is_signed, &value)) {
		char got[W_DRAFT_SHOWN];

		(void)snprintf(
		    got, sizeof(got), "'%.*s'", (int)sizeof(got) - 3, text);
		return w_draft_fail_range(field, got, err);
	}
	if (is_signed)
		return w_draft_put_nice(next, field, value, err);
	return w_draft_put_number(next, field, (uint64_t)value, err);
}

static writ_status
draft_text_read_string(struct writ_draft *next,
    const struct w_draft_field *field, const char *text, writ_error *err)
{
	const char *copy;
	writ_status status = w_draft_copy(next, text, &copy, err);

	if (status != WRIT_OK)
		return status;
	if (field->kind == W_KIND_STRING)
		return w_draft_put_string(next, field, copy, err);
	w_draft_put_stdin(next, copy, strlen(copy));
	return WRIT_OK;
}

static writ_status
draft_text_read_switch(struct writ_draft *next,
    const struct w_draft_field *field, const char *text, writ_error *err)
{
	bool is_on = strcmp(text, "true") == 0;

	if (!is_on && strcmp(text, "false") != 0)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "%s: expected true or false, got '%.*s'", field->name,
		    W_DRAFT_SHOWN, text);
	w_draft_put_switch(next, field, is_on);
	return WRIT_OK;
}

static writ_status
draft_text_check_variable(
    const struct w_draft_field *field, const char *text, writ_error *err)
{
	const char *equals = strchr(text, '=');

	if (equals == NULL)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "%s: expected NAME=VALUE, got '%.*s'", field->name,
		    W_DRAFT_SHOWN, text);
	if (equals == text)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "%s: the name before '=' is empty in '%.*s'", field->name,
		    W_DRAFT_SHOWN, text);
	return WRIT_OK;
}

writ_status
w_draft_append_text(struct writ_draft *draft, const struct w_draft_field *field,
    const char *text, writ_error *err)
{
	struct w_draft_list *list = &draft->lists[field->list];
	const int is_map = field->kind == W_KIND_MAP;
	const char *copy;
	writ_status status =
	    is_map ? draft_text_check_variable(field, text, err)
		   : w_draft_check_item(field, list->count, text, err);

	if (status != WRIT_OK)
		return status;
	status = w_draft_copy(draft, text, &copy, err);
	if (status != WRIT_OK)
		return status;

	size_t place = list->count;
	if (is_map) {
		const size_t len = strcspn(copy, "=") + 1;

		place = 0;
		while (place < list->count &&
		       strncmp(list->items[place], copy, len) != 0)
			place++;
	}
	if (place == list->count)
		return w_draft_push(draft, field, copy, err);
	list->items[place] = copy;
	return WRIT_OK;
}

writ_status
w_draft_read_text(struct writ_draft *next, const struct w_draft_field *field,
    const char *text, writ_error *err)
{
	switch (field->kind) {
	case W_KIND_STRING:
	case W_KIND_BYTES:
		return draft_text_read_string(next, field, text, err);
	case W_KIND_DURATION:
	case W_KIND_SIZE:
		return w_draft_put_measure(next, field, text, err);
	case W_KIND_COUNT:
	case W_KIND_INTEGER:
		return draft_text_read_number(next, field, text, err);
	case W_KIND_MODE:
		return w_draft_put_mode(next, field, text, err);
	case W_KIND_WORD:
		return w_draft_put_word(next, field, text, err);
	case W_KIND_SWITCH:
		return draft_text_read_switch(next, field, text, err);
	case W_KIND_LIST:
	case W_KIND_MAP:
		break;
	}
	return w_fail(err, WRIT_E_INTERNAL, "request", 0,
	    "%s has no scalar form", field->name);
}
