/* SPDX-License-Identifier: Apache-2.0 */

/* Which records and runs are meant; see filter.h. */

#include "audit/filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "data/json.h"

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static char *
lower_copy(const char *text, size_t len)
{
	char *copy = malloc(len + 1);

	if (copy == NULL)
		return NULL;
	for (size_t i = 0; i < len; i++)
		copy[i] = lower(text[i]);
	copy[len] = '\0';
	return copy;
}

/* A quote or a backslash that is looked for stands escaped in the record. */
static bool
prepare_text(struct w_filter *filter, const char *text)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, SIZE_MAX / 2);
	w_json_add_string(&buf, text, strlen(text));
	filter->text = lower_copy(text, strlen(text));
	if (buf.failed || filter->text == NULL)
		return false;
	if (buf.len - 2 == strlen(text))
		return true;
	filter->escaped = lower_copy(buf.data + 1, buf.len - 2);
	return filter->escaped != NULL;
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
	free(filter->text);
	free(filter->escaped);
	filter->text = NULL;
	filter->escaped = NULL;
}

bool
w_filter_has_place(
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

/* The last part of a path. */
static const char *
last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

static bool
is_program(const char *wanted, const char *name)
{
	return name != NULL && (strcmp(name, wanted) == 0 ||
				   strcmp(last_part(name), wanted) == 0);
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

/* needle is in lower case. */
static bool
stands_in(const char *needle, const char *bytes, size_t len)
{
	size_t needle_len = strlen(needle);
	char first = needle[0];

	for (size_t at = 0; at + needle_len <= len; at++) {
		size_t i = 1;

		if (lower(bytes[at]) != first)
			continue;
		while (i < needle_len && lower(bytes[at + i]) == needle[i])
			i++;
		if (i == needle_len)
			return true;
	}
	return false;
}

bool
w_filter_has_text(const struct w_filter *filter, const char *bytes, size_t len)
{
	return filter->text == NULL || stands_in(filter->text, bytes, len) ||
	       (filter->escaped != NULL &&
		   stands_in(filter->escaped, bytes, len));
}

bool
w_filter_is_of_runs(const struct w_filter *filter)
{
	return filter->want.agent != NULL || filter->want.program != NULL ||
	       filter->want.outcome != NULL;
}
