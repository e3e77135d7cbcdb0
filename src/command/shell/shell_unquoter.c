/* SPDX-License-Identifier: Apache-2.0 */

/* Unquotes the words of a shell text, byte by byte. */

#include "command/shell/shell_unquoter.h"

#include <string.h>

static void
shell_unquoter_take(struct w_shell_unquoter *unquoter)
{
	unquoter->places[unquoter->len] = unquoter->at;
	unquoter->bytes[unquoter->len++] = unquoter->text[unquoter->at++];
}

/* The byte after a backslash, in double quotes or unquoted. */
static void
shell_unquoter_take_escaped(struct w_shell_unquoter *unquoter, bool is_quoted)
{
	const bool is_last = unquoter->at + 1 >= unquoter->end;
	const char next = is_last ? '\0' : unquoter->text[unquoter->at + 1];

	if (is_last || (is_quoted && strchr("$`\"\\\n", next) == NULL)) {
		shell_unquoter_take(unquoter);
		return;
	}
	unquoter->at++;
	if (next == '\n')
		unquoter->at++;
	else
		shell_unquoter_take(unquoter);
}

static void
take_quoted(struct w_shell_unquoter *unquoter)
{
	const char quote = unquoter->text[unquoter->at++];

	while (unquoter->at < unquoter->end &&
	       unquoter->text[unquoter->at] != quote) {
		if (quote == '"' && unquoter->text[unquoter->at] == '\\')
			shell_unquoter_take_escaped(unquoter, true);
		else
			shell_unquoter_take(unquoter);
	}
	if (unquoter->at < unquoter->end)
		unquoter->at++;
}

static bool
is_between_words(const struct w_shell_unquoter *unquoter)
{
	const char byte = unquoter->text[unquoter->at];

	return byte != '\0' && strchr(unquoter->between, byte) != NULL;
}

bool
w_shell_unquoter_next(struct w_shell_unquoter *unquoter)
{
	unquoter->len = 0;
	while (unquoter->at < unquoter->end && is_between_words(unquoter))
		unquoter->at++;
	unquoter->start = unquoter->at;
	if (unquoter->at == unquoter->end)
		return false;
	while (unquoter->at < unquoter->end && !is_between_words(unquoter)) {
		const char byte = unquoter->text[unquoter->at];

		if (byte == '\'' || byte == '"')
			take_quoted(unquoter);
		else if (byte == '\\')
			shell_unquoter_take_escaped(unquoter, false);
		else
			shell_unquoter_take(unquoter);
	}
	return true;
}
