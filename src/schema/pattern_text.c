/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads a regular expression of ECMA-262 and writes it for PCRE2.
 *
 * Matching by backtracking can take time that grows with the square of the
 * text, or exponentially. So wherever a match has a choice, the result calls
 * its matcher out, who counts and gives up in time. Patterns that have next to
 * no choices are written without.
 *
 * What differs from ECMA-262, and only where a pattern refers back to a group:
 * a group that is repeated keeps its text from the round before.
 */

#include "schema/pattern_text.h"

#include <stdint.h>
#include <string.h>

#include "schema/code_point.h"

#define PATHS_MAX    1000
#define SHORT_REPEAT 64
#define ENDLESS      UINT32_MAX

enum atom {
	ATOM_NONE, /* nothing that can be repeated */
	ATOM_CHAR,
	ATOM_GROUP,
	ATOM_REFERENCE,
};

/* A group that is still open; the first is the whole pattern. */
struct group {
	size_t at;   /* its '(' in the pattern */
	size_t body; /* in the result, behind what opens it */
	enum atom atom;
	unsigned alternatives;
};

struct quantifier {
	uint32_t min;
	uint32_t max;
	bool is_lazy;
};

writ_status
w_pattern_bad(const struct w_pattern_reader *reader, size_t at, const char *why)
{
	size_t number = 1;

	for (size_t i = 0; i < at && i < reader->len; i++)
		number += ((unsigned char)reader->text[i] & 0xc0) != 0x80;
	return w_fail(reader->err, WRIT_E_INVALID, "schema", 0,
	    "not a regular expression: %s (character %zu)", why, number);
}

static bool
looking_at(const struct w_pattern_reader *reader, const char *word)
{
	size_t len = strlen(word);

	return reader->len - reader->at >= len &&
	       memcmp(reader->text + reader->at, word, len) == 0;
}

static void
add_callout(struct w_pattern_reader *reader, enum w_pattern_callout number)
{
	if (reader->guarded)
		w_buf_add_fmt(reader->out, "(?C%d)", (int)number);
}

/* The same, before what has been written already. */
static void
insert_callout(struct w_pattern_reader *reader, size_t before,
    enum w_pattern_callout number)
{
	struct w_buf *out = reader->out;
	const size_t tail = out->len - before;
	const size_t from = out->len;

	if (!reader->guarded)
		return;
	add_callout(reader, number);
	if (out->failed)
		return;

	const size_t added = out->len - from;
	char word[16];

	memcpy(word, out->data + from, added);
	memmove(out->data + before + added, out->data + before, tail);
	memcpy(out->data + before, word, added);
}

static void
count_paths(struct w_pattern_reader *reader, uint32_t ways)
{
	if (ways > PATHS_MAX || reader->paths > PATHS_MAX)
		reader->paths = PATHS_MAX + 1;
	else if (ways > 1)
		reader->paths *= ways;
}

/* Names of groups: identifiers; those beyond ASCII are not looked into. */
static size_t
name_len(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len) {
		unsigned char c = (unsigned char)text[i];
		bool is_letter = (c >= 'a' && c <= 'z') ||
				 (c >= 'A' && c <= 'Z') || c == '_' ||
				 c == '$' || c >= 0x80;

		if (!is_letter && (i == 0 || c < '0' || c > '9'))
			break;
		i++;
	}
	return i < len && text[i] == '>' ? i : 0;
}

static unsigned
find_name(const struct w_pattern_reader *reader, const char *name, size_t len)
{
	for (unsigned i = 0; i < reader->name_count; i++) {
		if (reader->names[i].len == len &&
		    memcmp(reader->text + reader->names[i].at, name, len) == 0)
			return reader->names[i].group;
	}
	return 0;
}

/* A named group, at its '('. */
static writ_status
note_name(struct w_pattern_reader *reader, size_t at)
{
	const char *name = reader->text + at + 3;
	const size_t len = name_len(name, reader->len - at - 3);

	if (len == 0)
		return w_pattern_bad(reader, at,
		    "a group has a name of letters, digits and '_' between "
		    "'(?<' and '>'");
	if (find_name(reader, name, len) > 0)
		return w_pattern_bad(
		    reader, at, "two groups have the same name");
	if (reader->name_count == W_PATTERN_NAMES_MAX)
		return w_pattern_bad(reader, at, "too many groups have names");
	reader->names[reader->name_count].at = at + 3;
	reader->names[reader->name_count].len = len;
	reader->names[reader->name_count].group = reader->group_count;
	reader->name_count++;
	return WRIT_OK;
}

static bool
is_named(const struct w_pattern_reader *reader, size_t at)
{
	const char *text = reader->text + at;

	return reader->len - at > 3 && memcmp(text, "(?<", 3) == 0 &&
	       text[3] != '=' && text[3] != '!';
}

static writ_status
note_group(struct w_pattern_reader *reader, size_t at)
{
	if (reader->len - at > 1 && reader->text[at + 1] != '?') {
		reader->group_count++;
	} else if (is_named(reader, at)) {
		reader->group_count++;
		return note_name(reader, at);
	}
	return WRIT_OK;
}

/* Groups can be referred to before they come: finds them all, and whether any
 * is referred to. */
static writ_status
survey(struct w_pattern_reader *reader)
{
	bool in_class = false;
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < reader->len && status == WRIT_OK; i++) {
		char c = reader->text[i];

		if (c == '\\' && i + 1 < reader->len) {
			char next = reader->text[++i];

			if (!in_class &&
			    (next == 'k' || (next >= '1' && next <= '9')))
				reader->captures = true;
		} else if (in_class) {
			in_class = c != ']';
		} else if (c == '[') {
			in_class = true;
		} else if (c == '(') {
			status = note_group(reader, i);
		}
	}
	return status;
}

/* Takes a number; too large ones stay above every bound. */
static bool
read_number(struct w_pattern_reader *reader, uint32_t *out_number)
{
	const size_t from = reader->at;
	uint32_t number = 0;

	while (reader->at < reader->len) {
		char c = reader->text[reader->at];

		if (c < '0' || c > '9')
			break;
		if (number < 10000000)
			number = number * 10 + (uint32_t)(c - '0');
		reader->at++;
	}
	*out_number = number;
	return reader->at > from;
}

/* After the '{'. */
static bool
read_bounds(struct w_pattern_reader *reader, struct quantifier *quantifier)
{
	if (!read_number(reader, &quantifier->min))
		return false;
	quantifier->max = quantifier->min;
	if (looking_at(reader, ",")) {
		reader->at++;
		if (!read_number(reader, &quantifier->max))
			quantifier->max = ENDLESS;
	}
	if (!looking_at(reader, "}"))
		return false;
	reader->at++;
	return true;
}

/* false: there is none here. */
static bool
read_quantifier(struct w_pattern_reader *reader, struct quantifier *quantifier,
    writ_status *out_status)
{
	const size_t from = reader->at;
	const char c = from < reader->len ? reader->text[from] : '\0';

	*out_status = WRIT_OK;
	if (c != '*' && c != '+' && c != '?' && c != '{')
		return false;
	reader->at++;
	*quantifier = (struct quantifier){.min = c == '+', .max = ENDLESS};
	if (c == '?')
		quantifier->max = 1;
	if (c == '{' && !read_bounds(reader, quantifier))
		*out_status = w_pattern_bad(reader, from,
		    "a repetition is '{3}', '{3,}' or '{3,5}'; a brace that "
		    "means itself is written as '\\{'");
	else if (quantifier->min > quantifier->max)
		*out_status = w_pattern_bad(
		    reader, from, "the bounds of the repetition are swapped");
	quantifier->is_lazy = looking_at(reader, "?");
	reader->at += quantifier->is_lazy;
	return true;
}

static void
add_quantifier(struct w_buf *out, const struct quantifier *quantifier)
{
	if (quantifier->max == ENDLESS)
		w_buf_add_fmt(out, "{%u,}", quantifier->min);
	else
		w_buf_add_fmt(out, "{%u,%u}", quantifier->min, quantifier->max);
	if (quantifier->is_lazy)
		w_buf_add_char(out, '?');
}

static void
repeat_char(struct w_pattern_reader *reader, size_t from,
    const struct quantifier *quantifier)
{
	bool is_long = quantifier->max > SHORT_REPEAT;

	if (is_long)
		insert_callout(reader, from, W_CALLOUT_SCAN);
	add_quantifier(reader->out, quantifier);
	if (is_long) {
		reader->scans++;
		add_callout(reader, W_CALLOUT_SCANNED);
	} else if (quantifier->min != quantifier->max) {
		count_paths(reader, quantifier->max - quantifier->min + 1);
		add_callout(reader, W_CALLOUT_STEP);
	}
}

/* What follows an atom that was written from the given place on; body is
 * that of a group. */
static writ_status
repeat(
    struct w_pattern_reader *reader, enum atom atom, size_t from, size_t body)
{
	const size_t at = reader->at;
	struct quantifier quantifier;
	writ_status status;

	if (!read_quantifier(reader, &quantifier, &status))
		return WRIT_OK;
	if (status != WRIT_OK)
		return status;
	if (atom == ATOM_NONE)
		return w_pattern_bad(reader, at, "nothing to repeat");
	if (quantifier.min > W_PATTERN_REPEAT_MAX ||
	    (quantifier.max > W_PATTERN_REPEAT_MAX &&
		quantifier.max != ENDLESS))
		return w_pattern_bad(
		    reader, at, "more than 65535 repetitions are not counted");
	if (atom == ATOM_CHAR) {
		repeat_char(reader, from, &quantifier);
		return WRIT_OK;
	}
	reader->has_loop |= quantifier.max > 1;
	count_paths(reader, 2);
	if (atom == ATOM_GROUP)
		insert_callout(reader, body, W_CALLOUT_STEP);
	add_quantifier(reader->out, &quantifier);
	return WRIT_OK;
}

/* "\1" and "\k<name>", after the backslash. */
static writ_status
read_reference(struct w_pattern_reader *reader)
{
	const size_t from = reader->at - 1;
	const size_t start = reader->out->len;
	uint32_t group = 0;

	if (looking_at(reader, "k<")) {
		const char *name = reader->text + reader->at + 2;
		const size_t len = name_len(name, reader->len - reader->at - 2);

		group = len > 0 ? find_name(reader, name, len) : 0;
		reader->at += 2 + len + 1;
	} else if (!looking_at(reader, "k")) {
		(void)read_number(reader, &group);
	}
	if (group == 0 || group > reader->group_count)
		return w_pattern_bad(
		    reader, from, "it refers to a group that is not there");
	reader->has_loop = true;
	add_callout(reader, W_CALLOUT_REFERENCE);
	w_buf_add_fmt(reader->out, "\\g{%u}", group);
	return repeat(reader, ATOM_REFERENCE, start, start);
}

/* At a backslash. */
static writ_status
read_backslash(struct w_pattern_reader *reader)
{
	const size_t start = reader->out->len;

	reader->at++;
	if (looking_at(reader, "b") || looking_at(reader, "B")) {
		w_buf_add_fmt(reader->out, "\\%c", reader->text[reader->at++]);
		return repeat(reader, ATOM_NONE, start, start);
	}
	if (looking_at(reader, "k") ||
	    (reader->at < reader->len && reader->text[reader->at] >= '1' &&
		reader->text[reader->at] <= '9'))
		return read_reference(reader);

	writ_status status = w_pattern_read_escape(reader);

	if (status != WRIT_OK)
		return status;
	return repeat(reader, ATOM_CHAR, start, start);
}

/* At a '('. Groups hold their text only where something refers to it. */
static writ_status
open_group(struct w_pattern_reader *reader, struct group *group)
{
	static const char *const kinds[] = {
	    "(?:", "(?=", "(?!", "(?<=", "(?<!"};
	size_t kind = 0;

	*group = (struct group){.at = reader->at, .alternatives = 1};
	while (kind < 5 && !looking_at(reader, kinds[kind]))
		kind++;
	if (kind < 5) {
		group->atom = kind == 0 ? ATOM_GROUP : ATOM_NONE;
		w_buf_add_str(reader->out, kinds[kind]);
		reader->at += strlen(kinds[kind]);
	} else {
		if (looking_at(reader, "(?") && !is_named(reader, reader->at))
			return w_pattern_bad(
			    reader, reader->at, "ECMA-262 has no such group");
		group->atom = ATOM_GROUP;
		w_buf_add_str(reader->out, reader->captures ? "(" : "(?:");
		if (is_named(reader, reader->at))
			reader->at +=
			    3 + name_len(reader->text + reader->at + 3,
				    reader->len - reader->at - 3);
		reader->at++;
	}
	group->body = reader->out->len;
	return WRIT_OK;
}

/* A ')' in the pattern. */
static writ_status
close_group(struct w_pattern_reader *reader, const struct group *group)
{
	reader->at++;
	w_buf_add_char(reader->out, ')');
	count_paths(reader, group->alternatives);
	return repeat(reader, group->atom, group->body, group->body);
}

/* Everything that neither opens nor closes a group. */
static writ_status
read_atom(struct w_pattern_reader *reader, struct group *group)
{
	const size_t start = reader->out->len;
	const char c = reader->text[reader->at];
	writ_status status = WRIT_OK;

	if (c == '\\')
		return read_backslash(reader);
	if (memchr("*+?{}]", c, 6) != NULL)
		return w_pattern_bad(reader, reader->at,
		    "this character means itself only after a backslash");
	if (c == '|') {
		reader->at++;
		group->alternatives++;
		w_buf_add_char(reader->out, '|');
		add_callout(reader, W_CALLOUT_STEP);
		return WRIT_OK;
	}
	if (c == '^' || c == '$') {
		reader->at++;
		w_buf_add_char(reader->out, c);
		return repeat(reader, ATOM_NONE, start, start);
	}
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
	return repeat(reader, ATOM_CHAR, start, start);
}

/* The whole pattern. */
static writ_status
read_pattern(struct w_pattern_reader *reader)
{
	struct group open[W_PATTERN_DEPTH_MAX];
	size_t depth = 0;
	writ_status status = WRIT_OK;

	open[0] = (struct group){.alternatives = 1};
	while (reader->at < reader->len && status == WRIT_OK) {
		if (looking_at(reader, "(")) {
			if (depth + 1 == W_PATTERN_DEPTH_MAX)
				return w_pattern_bad(reader, reader->at,
				    "groups are nested too deeply");
			status = open_group(reader, &open[++depth]);
		} else if (looking_at(reader, ")")) {
			if (depth == 0)
				return w_pattern_bad(reader, reader->at,
				    "it closes a group that is not open");
			status = close_group(reader, &open[depth--]);
		} else {
			status = read_atom(reader, &open[depth]);
		}
	}
	if (status != WRIT_OK)
		return status;
	if (depth > 0)
		return w_pattern_bad(
		    reader, open[depth].at, "the group is not closed");
	count_paths(reader, open[0].alternatives);
	reader->is_anchored = open[0].alternatives == 1 && reader->len > 0 &&
			      reader->text[0] == '^';
	return WRIT_OK;
}

/* Whether a match can be much work. Without an anchor it is tried at every
 * character, so a single scan makes it the square. */
static bool
needs_guard(const struct w_pattern_reader *reader)
{
	if (reader->has_loop)
		return true;
	if (reader->is_anchored)
		return reader->scans > 1 || reader->paths > PATHS_MAX;
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
		add_callout(reader, W_CALLOUT_STEP);

	writ_status status = read_pattern(reader);

	/* The buffer has room for the longest result. */
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
		    "a regular expression of %zu bytes is too long; up to %d "
		    "are read",
		    len, W_PATTERN_LEN_MAX);

	writ_status status = survey(&reader);

	if (status == WRIT_OK)
		status = write_pattern(&reader, false);
	if (status != WRIT_OK || !needs_guard(&reader))
		return status;

	/* Once more, with callouts: only now it is known that they pay. */
	w_buf_done(out);
	w_buf_init(out, W_PATTERN_TEXT_MAX);
	return write_pattern(&reader, true);
}
