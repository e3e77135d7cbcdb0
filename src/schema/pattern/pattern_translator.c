/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Translates a regular expression of ECMA-262 for PCRE2.
 *
 * Backtracking can take quadratic or exponential time. So wherever a match has
 * a choice, the result contains a callout, and the matcher counts these and
 * stops in time. Patterns with hardly any choices have no callouts.
 *
 * One difference to ECMA-262, only in patterns with back references: a repeated
 * group keeps its text from the previous iteration.
 */

#include "schema/pattern/pattern_translator.h"

#include <stdint.h>
#include <string.h>

#include "schema/code_point.h"

/* An open group; the first is the whole pattern. */
struct pattern_translator_group {
	size_t at;   /* its '(' in the pattern */
	size_t body; /* offset in the result, after the opening */
	enum w_pattern_atom atom;
	unsigned alternatives;
};

writ_status
w_pattern_bad(const struct w_pattern_reader *reader, size_t at, const char *why)
{
	size_t before = at < reader->len ? at : reader->len;
	size_t number = w_code_point_count(reader->text, before) + 1;

	return w_fail(reader->err, WRIT_E_INVALID, "schema", 0,
	    "not a regular expression: %s (character %zu)", why, number);
}

bool
w_pattern_looking_at(const struct w_pattern_reader *reader, const char *word)
{
	size_t len = strlen(word);

	return reader->len - reader->at >= len &&
	       memcmp(reader->text + reader->at, word, len) == 0;
}

static writ_status
repeat(struct w_pattern_reader *reader, enum w_pattern_atom atom, size_t from)
{
	return w_pattern_repeat(
	    reader, &(struct w_pattern_written){.atom = atom, .from = from});
}

/* "\1" and "\k<name>", after the backslash. */
static writ_status
read_reference(struct w_pattern_reader *reader)
{
	const size_t from = reader->at - 1;
	const size_t start = reader->out->len;
	uint32_t group = 0;

	if (w_pattern_looking_at(reader, "k<")) {
		const char *name = reader->text + reader->at + 2;
		const size_t len =
		    w_pattern_name_len(name, reader->len - reader->at - 2);

		group = len > 0 ? w_pattern_find_name(reader, name, len) : 0;
		reader->at += 2 + len + 1;
	} else if (!w_pattern_looking_at(reader, "k")) {
		(void)w_pattern_read_number(reader, &group);
	}
	if (group == 0 || group > reader->group_count)
		return w_pattern_bad(
		    reader, from, "it refers to a group that is not there");
	reader->has_loop = true;
	w_pattern_call_out(reader, W_CALLOUT_REFERENCE);
	w_buf_add_fmt(reader->out, "\\g{%u}", group);
	return repeat(reader, W_ATOM_REFERENCE, start);
}

/* At a backslash. */
static writ_status
read_backslash(struct w_pattern_reader *reader)
{
	const size_t start = reader->out->len;

	reader->at++;
	if (w_pattern_looking_at(reader, "b") ||
	    w_pattern_looking_at(reader, "B")) {
		w_buf_add_fmt(reader->out, "\\%c", reader->text[reader->at++]);
		return repeat(reader, W_ATOM_NONE, start);
	}
	if (w_pattern_looking_at(reader, "k") ||
	    (reader->at < reader->len && reader->text[reader->at] >= '1' &&
		reader->text[reader->at] <= '9'))
		return read_reference(reader);

	writ_status status = w_pattern_read_escape(reader);

	if (status != WRIT_OK)
		return status;
	return repeat(reader, W_ATOM_CHAR, start);
}

/* At a '('. Groups capture only if something refers to one. */
static writ_status
open_group(
    struct w_pattern_reader *reader, struct pattern_translator_group *group)
{
	static const char *const kinds[] = {
	    "(?:", "(?=", "(?!", "(?<=", "(?<!"};
	size_t kind = 0;

	*group = (struct pattern_translator_group){
	    .at = reader->at, .alternatives = 1};
	while (kind < 5 && !w_pattern_looking_at(reader, kinds[kind]))
		kind++;
	if (kind < 5) {
		group->atom = kind == 0 ? W_ATOM_GROUP : W_ATOM_NONE;
		w_buf_add_str(reader->out, kinds[kind]);
		reader->at += strlen(kinds[kind]);
	} else {
		if (w_pattern_looking_at(reader, "(?") &&
		    !w_pattern_is_named(reader, reader->at))
			return w_pattern_bad(
			    reader, reader->at, "ECMA-262 has no such group");
		group->atom = W_ATOM_GROUP;
		w_buf_add_str(reader->out, reader->captures ? "(" : "(?:");
		if (w_pattern_is_named(reader, reader->at))
			reader->at += 3 + w_pattern_name_len(
					      reader->text + reader->at + 3,
					      reader->len - reader->at - 3);
		reader->at++;
	}
	group->body = reader->out->len;
	return WRIT_OK;
}

/* An element that matches one character, except escapes. */
static writ_status
read_character(struct w_pattern_reader *reader)
{
	const size_t start = reader->out->len;
	const char c = reader->text[reader->at];
	writ_status status = WRIT_OK;

	if (c == '[') {
		reader->at++;
		status = w_pattern_read_class(reader);
	} else if (c == '.') {
		reader->at++;
		w_buf_add_str(reader->out, "[^\\n\\r\\x{2028}\\x{2029}]");
	} else {
		w_pattern_add_char(
		    reader->out, w_code_point_next(reader->text, &reader->at));
	}
	if (status != WRIT_OK)
		return status;
	return repeat(reader, W_ATOM_CHAR, start);
}

/* Everything but the start and end of a group. */
static writ_status
read_atom(
    struct w_pattern_reader *reader, struct pattern_translator_group *group)
{
	const size_t start = reader->out->len;
	const char c = reader->text[reader->at];

	if (c == '\\')
		return read_backslash(reader);
	if (c != '\0' && strchr("*+?{}]", c) != NULL)
		return w_pattern_bad(reader, reader->at,
		    "this character means itself only after a backslash");
	if (c == '|') {
		reader->at++;
		group->alternatives++;
		w_buf_add_char(reader->out, '|');
		w_pattern_call_out(reader, W_CALLOUT_STEP);
		return WRIT_OK;
	}
	if (c == '^' || c == '$') {
		reader->at++;
		w_buf_add_char(reader->out, c);
		return repeat(reader, W_ATOM_NONE, start);
	}
	return read_character(reader);
}

/* The whole pattern. */
static writ_status
read_pattern(struct w_pattern_reader *reader)
{
	struct pattern_translator_group open[W_PATTERN_DEPTH_MAX];
	size_t depth = 0;
	writ_status status = WRIT_OK;

	open[0] = (struct pattern_translator_group){.alternatives = 1};
	while (reader->at < reader->len && status == WRIT_OK) {
		if (w_pattern_looking_at(reader, "(")) {
			if (depth + 1 == W_PATTERN_DEPTH_MAX)
				return w_pattern_bad(reader, reader->at,
				    "groups are nested too deeply");
			status = open_group(reader, &open[++depth]);
		} else if (w_pattern_looking_at(reader, ")")) {
			if (depth == 0)
				return w_pattern_bad(reader, reader->at,
				    "it closes a group that is not open");
			reader->at++;
			w_buf_add_char(reader->out, ')');
			w_pattern_count_paths(reader, open[depth].alternatives);
			status =
			    repeat(reader, open[depth].atom, open[depth].body);
			depth--;
		} else {
			status = read_atom(reader, &open[depth]);
		}
	}
	if (status != WRIT_OK)
		return status;
	if (depth > 0)
		return w_pattern_bad(
		    reader, open[depth].at, "the group is not closed");
	w_pattern_count_paths(reader, open[0].alternatives);
	reader->is_anchored = open[0].alternatives == 1 && reader->len > 0 &&
			      reader->text[0] == '^';
	return WRIT_OK;
}

/* Whether a match can be expensive. Without an anchor it is tried at every
 * character, so a single scan makes it quadratic. */
static bool
needs_guard(const struct w_pattern_reader *reader)
{
	if (reader->has_loop)
		return true;
	if (reader->is_anchored)
		return reader->scans > 1 || reader->paths > W_PATTERN_PATHS_MAX;
	return reader->scans > 0 || reader->paths > 16;
}

static writ_status
write_pattern(struct w_pattern_reader *reader, bool guarded)
{
	reader->at = 0;
	reader->guarded = guarded;
	reader->scans = 0;
	reader->paths = 1;
	if (reader->len > 0 && reader->text[0] != '^')
		w_pattern_call_out(reader, W_CALLOUT_STEP);

	writ_status status = read_pattern(reader);

	/* The buffer is large enough for any result, so this is no memory. */
	if (status == WRIT_OK && reader->out->failed)
		return w_fail_nomem(reader->err, "schema");
	return status;
}

writ_status
w_pattern_translate(
    const char *text, size_t len, struct w_buf *out, writ_error *err)
{
	struct w_pattern_reader reader = {
	    .text = text, .len = len, .out = out, .err = err};

	if (len > W_PATTERN_LEN_MAX)
		return w_fail(err, WRIT_E_INVALID, "schema", 0,
		    "a regular expression of %zu bytes is too long; up to %zu "
		    "are read",
		    len, W_PATTERN_LEN_MAX);

	writ_status status = w_pattern_survey(&reader);

	if (status == WRIT_OK)
		status = write_pattern(&reader, false);
	if (status != WRIT_OK || !needs_guard(&reader))
		return status;

	/* Once more with callouts: only now it is known that they are needed.
	 */
	w_buf_done(out);
	w_buf_init(out, W_PATTERN_TEXT_MAX);
	return write_pattern(&reader, true);
}
