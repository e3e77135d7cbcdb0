/* SPDX-License-Identifier: Apache-2.0 */

/* Words of a shell text, byte by byte. */

#include "module/shell_speller.h"

#include <string.h>

static void
take(struct w_speller *speller)
{
	speller->places[speller->len] = speller->at;
	speller->bytes[speller->len++] = speller->text[speller->at++];
}

/* What a backslash keeps as it is, in double quotes or outside of quotes. */
static void
take_escaped(struct w_speller *speller, bool is_quoted)
{
	const bool is_last = speller->at + 1 >= speller->end;
	const char next = is_last ? '\0' : speller->text[speller->at + 1];

	if (is_last || (is_quoted && strchr("$`\"\\\n", next) == NULL)) {
		take(speller);
		return;
	}
	speller->at++;
	if (next == '\n')
		speller->at++;
	else
		take(speller);
}

static void
take_quoted(struct w_speller *speller)
{
	const char quote = speller->text[speller->at++];

	while (
	    speller->at < speller->end && speller->text[speller->at] != quote) {
		if (quote == '"' && speller->text[speller->at] == '\\')
			take_escaped(speller, true);
		else
			take(speller);
	}
	if (speller->at < speller->end)
		speller->at++;
}

static bool
is_between_words(const struct w_speller *speller)
{
	const char byte = speller->text[speller->at];

	return byte != '\0' && strchr(speller->between, byte) != NULL;
}

bool
w_speller_next(struct w_speller *speller)
{
	speller->len = 0;
	while (speller->at < speller->end && is_between_words(speller))
		speller->at++;
	speller->start = speller->at;
	if (speller->at == speller->end)
		return false;
	while (speller->at < speller->end && !is_between_words(speller)) {
		const char byte = speller->text[speller->at];

		if (byte == '\'' || byte == '"')
			take_quoted(speller);
		else if (byte == '\\')
			take_escaped(speller, false);
		else
			take(speller);
	}
	return true;
}
