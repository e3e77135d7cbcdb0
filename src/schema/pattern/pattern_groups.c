/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Groups and their names. A reference may precede its group, so all groups are
 * found before anything is written.
 */

#include <string.h>

#include "schema/pattern/pattern_translator.h"

/* Group names are identifiers; characters beyond ASCII are not checked. */
size_t
w_pattern_name_len(const char *text, size_t len)
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

unsigned
w_pattern_find_name(
    const struct w_pattern_reader *reader, const char *name, size_t len)
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
pattern_groups_note_name(struct w_pattern_reader *reader, size_t at)
{
	const char *name = reader->text + at + 3;
	const size_t len = w_pattern_name_len(name, reader->len - at - 3);

	if (len == 0)
		return w_pattern_bad(reader, at,
		    "a group has a name of letters, digits and '_' between "
		    "'(?<' and '>'");
	if (w_pattern_find_name(reader, name, len) > 0)
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

bool
w_pattern_is_named(const struct w_pattern_reader *reader, size_t at)
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
	} else if (w_pattern_is_named(reader, at)) {
		reader->group_count++;
		return pattern_groups_note_name(reader, at);
	}
	return WRIT_OK;
}

writ_status
w_pattern_survey(struct w_pattern_reader *reader)
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
