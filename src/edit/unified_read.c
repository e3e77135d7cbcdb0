/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Unified diffs, as diff -u and git print them:
 *
 *   --- a/PATH
 *   +++ b/PATH
 *   @@ -10,3 +10,4 @@
 *
 * "/dev/null" on one side adds or removes a file. Of git's own lines, those of
 * a rename say something; the others are passed over, as is any text between
 * files. Counts say where a hunk ends only if they fit: models miscount.
 */

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "edit/patch.h"

#define NOTHING "/dev/null"

struct unified_name {
	const char *text;
	size_t len;
};

struct unified_range {
	size_t line;
	size_t count;
};

/* ---- names ---- */

/* Behind the name there may be a tab and a date. */
static struct unified_name
unified_name_of(const char *line, size_t len, size_t skip)
{
	struct unified_name name = {line + skip, len - skip};
	const char *tab = memchr(name.text, '\t', name.len);

	if (tab != NULL)
		name.len = (size_t)(tab - name.text);
	while (name.len > 0 && strchr(" \r", name.text[name.len - 1]) != NULL &&
	       name.text[name.len - 1] != '\0')
		name.len--;
	return name;
}

static bool
unified_is_nothing(struct unified_name name)
{
	return name.len == strlen(NOTHING) &&
	       memcmp(name.text, NOTHING, name.len) == 0;
}

/* git puts a/ and b/ before its names. */
static void
unified_strip(struct unified_name *old, struct unified_name *new)
{
	const bool has_old = w_patch_begins(old->text, old->len, "a/");
	const bool has_new = w_patch_begins(new->text, new->len, "b/");

	if ((!has_old && !unified_is_nothing(*old)) ||
	    (!has_new && !unified_is_nothing(*new)))
		return;
	if (has_old)
		*old = (struct unified_name){old->text + 2, old->len - 2};
	if (has_new)
		*new = (struct unified_name){new->text + 2, new->len - 2};
}

static bool
unified_is_same(struct unified_name a, struct unified_name b)
{
	return a.len == b.len && memcmp(a.text, b.text, a.len) == 0;
}

static writ_status
unified_add_file(struct w_patch_reader *reader, struct unified_name old,
    struct unified_name new)
{
	unified_strip(&old, &new);
	if (unified_is_nothing(old) && unified_is_nothing(new))
		return w_patch_fail(reader, "no file is named");
	if (unified_is_nothing(old))
		return w_patch_add_file(reader, W_PATCH_ADD, new.text, new.len);
	if (unified_is_nothing(new))
		return w_patch_add_file(
		    reader, W_PATCH_REMOVE, old.text, old.len);
	writ_status status =
	    w_patch_add_file(reader, W_PATCH_CHANGE, old.text, old.len);
	if (status == WRIT_OK && !unified_is_same(old, new))
		status = w_patch_set_move(reader, new.text, new.len);
	return status;
}

/* ---- hunks ---- */

static bool
unified_read_number(const char **at, const char *end, size_t *out)
{
	size_t value = 0;
	const char *start = *at;

	while (*at < end && **at >= '0' && **at <= '9') {
		if (value > (size_t)INT_MAX)
			return false;
		value = value * 10 + (size_t)(**at - '0');
		(*at)++;
	}
	*out = value;
	return *at > start;
}

static bool
unified_read_range(
    const char **at, const char *end, char sign, struct unified_range *out)
{
	if (*at >= end || **at != sign)
		return false;
	(*at)++;
	out->count = 1;
	if (!unified_read_number(at, end, &out->line))
		return false;
	if (*at < end && **at == ',') {
		(*at)++;
		return unified_read_number(at, end, &out->count);
	}
	return true;
}

/* "@@ -1,2 +3,4 @@". false: only "@@", which says nothing. */
static bool
unified_read_ranges(const char *line, size_t len, struct unified_range *old,
    struct unified_range *new)
{
	const char *at = line + 2;
	const char *end = line + len;

	while (at < end && *at == ' ')
		at++;
	if (!unified_read_range(&at, end, '-', old))
		return false;
	while (at < end && *at == ' ')
		at++;
	return unified_read_range(&at, end, '+', new);
}

/* Whether the next file begins, rather than a line "-- x" that is removed. */
static bool
unified_is_header(const struct w_patch_reader *reader)
{
	const char *line;
	size_t len;
	struct w_patch_reader ahead = *reader;

	return w_patch_next(&ahead) &&
	       w_patch_begins(ahead.line, ahead.len, "--- ") &&
	       w_patch_next(&ahead) &&
	       w_patch_begins(ahead.line, ahead.len, "+++ ") &&
	       w_patch_peek(&ahead, &line, &len) &&
	       w_patch_begins(line, len, "@@");
}

static writ_status
unified_mark_open(struct w_patch_reader *reader)
{
	struct w_patch *patch = reader->patch;
	struct w_patch_hunk *hunk = w_patch_last_hunk(patch);

	if (hunk->count == 0)
		return w_patch_fail(reader, "there is no line before it");
	const char sign = patch->lines[patch->line_count - 1].sign;
	hunk->old_is_open |= sign != '+';
	hunk->new_is_open |= sign != '-';
	return WRIT_OK;
}

static bool
unified_is_body(const char *line, size_t len)
{
	return len == 0 || strchr(" +-\\", line[0]) != NULL ||
	       (len == 1 && line[0] == '\r');
}

/* A blank line behind the counted ones stands between files. */
static bool
unified_hunk_goes_on(const struct w_patch_reader *reader,
    const struct unified_range *old, const struct unified_range *new)
{
	const bool is_full = old->count == 0 && new->count == 0;
	const char *line;
	size_t len;

	if (!w_patch_peek(reader, &line, &len) || !unified_is_body(line, len))
		return false;
	if (len > 0 && line[0] == '\0')
		return false;
	if (is_full &&
	    (len == 0 || line[0] == '\r' || w_patch_begins(line, len, "-- ")))
		return false;
	/* Two lines that were announced are no header. */
	return (old->count == 1 && new->count == 1) ||
	       !unified_is_header(reader);
}

static writ_status
unified_read_body(struct w_patch_reader *reader, struct unified_range *old,
    struct unified_range *new)
{
	const char sign =
	    reader->len == 0 || reader->line[0] == '\r' ? ' ' : reader->line[0];

	if (sign == '\\')
		return unified_mark_open(reader);
	if (sign != '+' && old->count > 0)
		old->count--;
	if (sign != '-' && new->count > 0)
		new->count--;
	const size_t skip = reader->len == 0 || reader->line[0] == '\r' ? 0 : 1;
	return w_patch_add_line(
	    reader, sign, reader->line + skip, reader->len - skip);
}

/* In a hunk that is shorter than announced, blank lines at the end are not its
 * own: a context line begins with a blank. */
static void
unified_drop_blank(struct w_patch *patch, bool is_short)
{
	struct w_patch_hunk *hunk = w_patch_last_hunk(patch);

	while (is_short && hunk->count > 0) {
		const struct w_patch_line *line =
		    &patch->lines[patch->line_count - 1];

		if (line->sign != ' ' || line->len > 0 || line->text[-1] == ' ')
			return;
		hunk->count--;
		patch->line_count--;
	}
}

static writ_status
unified_read_hunk(struct w_patch_reader *reader)
{
	struct unified_range old = {0, 0}, new = {0, 0};
	const bool has_ranges =
	    unified_read_ranges(reader->line, reader->len, &old, &new);

	if (w_patch_last_file(reader->patch) == NULL)
		return w_patch_fail(
		    reader, "a hunk before '--- FILE' and '+++ FILE'");
	writ_status status = w_patch_add_hunk(reader);
	if (status != WRIT_OK)
		return status;
	struct w_patch_hunk *hunk = w_patch_last_hunk(reader->patch);
	/* For an empty range the number is that of the line before. */
	hunk->old_line = !has_ranges ? 0 : old.line + (old.count == 0);
	if (!has_ranges)
		old.count = new.count = SIZE_MAX;
	while (status == WRIT_OK && unified_hunk_goes_on(reader, &old, &new)) {
		(void)w_patch_next(reader);
		status = unified_read_body(reader, &old, &new);
	}
	unified_drop_blank(reader->patch, old.count > 0);
	return status;
}

/* ---- files ---- */

struct unified_state {
	struct unified_name from; /* of a rename; NULL: none */
};

static writ_status
unified_read_files(struct w_patch_reader *reader)
{
	const struct unified_name old =
	    unified_name_of(reader->line, reader->len, strlen("--- "));

	if (!w_patch_next(reader) ||
	    !w_patch_begins(reader->line, reader->len, "+++ "))
		return w_patch_fail(
		    reader, "expected '+++ FILE' behind '--- FILE'");
	const struct unified_name new =
	    unified_name_of(reader->line, reader->len, strlen("+++ "));
	/* A rename has told the names already. */
	const struct w_patch_file *file = w_patch_last_file(reader->patch);
	struct unified_name stripped[2] = {old, new};
	unified_strip(&stripped[0], &stripped[1]);
	if (file != NULL && file->moved_to != NULL && file->count == 0 &&
	    stripped[1].len == strlen(file->moved_to) &&
	    memcmp(stripped[1].text, file->moved_to, stripped[1].len) == 0)
		return WRIT_OK;
	return unified_add_file(reader, old, new);
}

static writ_status
unified_read_line(struct w_patch_reader *reader, struct unified_state *state)
{
	const char *line = reader->line;
	const size_t len = reader->len;

	if (w_patch_begins(line, len, "--- "))
		return unified_read_files(reader);
	if (w_patch_begins(line, len, "@@"))
		return unified_read_hunk(reader);
	if (w_patch_begins(line, len, "GIT binary patch") ||
	    w_patch_begins(line, len, "Binary files "))
		return w_patch_fail(
		    reader, "a binary file cannot be patched: use write");
	if (w_patch_begins(line, len, "rename from ")) {
		state->from = unified_name_of(line, len, 12);
		return WRIT_OK;
	}
	if (w_patch_begins(line, len, "rename to ") &&
	    state->from.text != NULL) {
		const struct unified_name to = unified_name_of(line, len, 10);
		writ_status status = w_patch_add_file(
		    reader, W_PATCH_CHANGE, state->from.text, state->from.len);

		state->from.text = NULL;
		return status == WRIT_OK
			   ? w_patch_set_move(reader, to.text, to.len)
			   : status;
	}
	/* A line of a hunk that has come loose would be lost silently. */
	if (len > 0 && (line[0] == '+' || line[0] == '-'))
		return w_patch_fail(reader,
		    "it is in no hunk: put '@@' before the lines of each");
	return WRIT_OK;
}

writ_status
w_patch_read_unified(struct w_patch_reader *reader)
{
	struct unified_state state = {.from = {NULL, 0}};
	writ_status status = WRIT_OK;

	while (status == WRIT_OK && w_patch_next(reader)) {
		/* The signature of a mail: "-- ". */
		if (w_patch_begins(reader->line, reader->len, "-- ") &&
		    reader->len <= 4)
			continue;
		status = unified_read_line(reader, &state);
	}
	return status;
}
