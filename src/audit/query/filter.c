/* SPDX-License-Identifier: Apache-2.0 */

/* Decides which records and runs match. */

#include "audit/query/filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/auto.h"
#include "data/json.h"

/* How far to skip when the last byte of the window does not match. */
static void
prepare_skips(struct w_needle *needle)
{
	uint32_t most =
	    needle->len < UINT32_MAX ? (uint32_t)needle->len : UINT32_MAX;

	for (size_t i = 0; i < 256; i++)
		needle->skip[i] = most;
	for (size_t i = 0; i + 1 < needle->len; i++) {
		uint32_t left = (uint32_t)(needle->len - 1 - i);
		char c = needle->text[i];

		needle->skip[(uint8_t)c] = left;
		if (c >= 'a' && c <= 'z')
			needle->skip[(uint8_t)(c - 'a' + 'A')] = left;
	}
}

static bool
prepare_needle(struct w_needle *needle, const char *text, size_t len)
{
	needle->text = malloc(len + 1);
	if (needle->text == NULL)
		return false;
	for (size_t i = 0; i < len; i++)
		needle->text[i] = w_lower(text[i]);
	needle->text[len] = '\0';
	needle->len = len;
	prepare_skips(needle);
	return true;
}

/* A quote or backslash in the search text is escaped in the record. */
static bool
prepare_text(struct w_filter *filter, const char *text)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, SIZE_MAX / 2);
	w_json_add_string(&buf, text, strlen(text));
	if (buf.failed ||
	    !prepare_needle(&filter->needles[0], text, strlen(text)))
		return false;
	return buf.len - 2 == strlen(text) ||
	       prepare_needle(&filter->needles[1], buf.data + 1, buf.len - 2);
}

writ_status
w_filter_init(
    struct w_filter *filter, const writ_audit_filter *given, writ_error *err)
{
	writ_audit_filter any = WRIT_AUDIT_FILTER_INIT;

	*filter = (struct w_filter){.want = any};
	if (given != NULL)
		memcpy(&filter->want, given,
		    given->size < sizeof(any) ? given->size : sizeof(any));
	if (filter->want.text == NULL || filter->want.text[0] == '\0')
		return WRIT_OK;
	if (prepare_text(filter, filter->want.text))
		return WRIT_OK;
	w_filter_done(filter);
	return w_fail_nomem(err, "audit");
}

void
w_filter_done(struct w_filter *filter)
{
	for (int i = 0; i < 2; i++) {
		free(filter->needles[i].text);
		filter->needles[i].text = NULL;
	}
}

bool
w_filter_has_position(
    const struct w_filter *filter, uint64_t seq, uint64_t time_us)
{
	const writ_audit_filter *want = &filter->want;

	return seq > want->after_seq && time_us >= want->since_us &&
	       (want->until_us == 0 || time_us <= want->until_us);
}

bool
w_filter_has_run(const struct w_filter *filter, const char *run)
{
	const char *wanted = filter->want.run_id;

	return wanted == NULL ||
	       (run[0] != '\0' && strncmp(run, wanted, strlen(wanted)) == 0);
}

static bool
is_program(const char *wanted, const char *name)
{
	const char *slash = name == NULL ? NULL : strrchr(name, '/');

	return name != NULL &&
	       (strcmp(name, wanted) == 0 ||
		   (slash != NULL && strcmp(slash + 1, wanted) == 0));
}

bool
w_filter_has_request(const struct w_filter *filter, const struct w_entry *begin)
{
	const writ_audit_filter *want = &filter->want;

	if (want->agent != NULL &&
	    (begin->agent == NULL || strcmp(begin->agent, want->agent) != 0))
		return false;
	return want->program == NULL ||
	       is_program(want->program, begin->program) ||
	       is_program(want->program, begin->asked);
}

bool
w_filter_has_outcome(const struct w_filter *filter, writ_run_state state,
    const struct w_entry *begin, const struct w_entry *end)
{
	const char *wanted = filter->want.outcome;
	const struct w_entry *last = end != NULL ? end : begin;

	if (wanted == NULL)
		return true;
	if (strcmp(wanted, "ok") == 0)
		return state == WRIT_RUN_ENDED && w_entry_is_ok(last);
	if (strcmp(wanted, "failed") == 0)
		return state == WRIT_RUN_ENDED && !w_entry_is_ok(last);
	if (state != WRIT_RUN_ENDED &&
	    strcmp(wanted, writ_run_state_word(state)) == 0)
		return true;
	return last->outcome != NULL && strcmp(last->outcome, wanted) == 0;
}

/* Boyer-Moore-Horspool search. */
static bool
stands_in(const struct w_needle *needle, const char *bytes, size_t len)
{
	size_t at = 0;

	while (at + needle->len <= len) {
		size_t i = needle->len;

		while (
		    i > 0 && w_lower(bytes[at + i - 1]) == needle->text[i - 1])
			i--;
		if (i == 0)
			return true;
		at += needle->skip[(uint8_t)bytes[at + needle->len - 1]];
	}
	return false;
}

bool
w_filter_has_text(const struct w_filter *filter, const char *bytes, size_t len)
{
	const struct w_needle *needles = filter->needles;

	return needles[0].text == NULL || stands_in(&needles[0], bytes, len) ||
	       (needles[1].text != NULL && stands_in(&needles[1], bytes, len));
}

bool
w_filter_is_of_runs(const struct w_filter *filter)
{
	return filter->want.agent != NULL || filter->want.program != NULL ||
	       filter->want.outcome != NULL;
}
