/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Finds the secrets of a command in its shell string, behind quotes and
 * backslashes. Only they are hidden: if all of it were, the command could not
 * be told from any other.
 */

#include <stdint.h>
#include <string.h>

#include "command/analysis/analyzer.h"
#include "command/shell/shell_unquoter.h"

/* A word whose bytes are known, some of them secret. */
struct wanted {
	const char *word;
	size_t len; /* of the word */
	size_t offset;
	size_t count;
	size_t place; /* the word of the argv */
	bool is_found;
};

static void
mark_word(struct w_analyzer *analyzer, const struct w_quoted_command *quoted,
    const struct w_shell_unquoter *unquoter, struct wanted *wanted,
    size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct wanted *one = &wanted[i];

		if (one->len != unquoter->len ||
		    one->offset + one->count > one->len ||
		    memcmp(one->word, unquoter->bytes, one->len) != 0)
			continue;
		one->is_found = true;
		const size_t from = unquoter->places[one->offset];
		const size_t to =
		    unquoter->places[one->offset + one->count - 1] + 1;
		/* What runs is shown. */
		w_analyzer_shell_secret(analyzer, quoted->shell, from,
		    from + w_shell_plain_len(
			       quoted->shell->text + from, to - from));
	}
}

static size_t
list_wanted(const struct w_quoted_command *quoted, struct wanted *wanted)
{
	const struct w_analysis *analysis = quoted->analysis;
	const char *const *assignment = quoted->assignments;
	size_t count = 0;

	for (size_t i = 0; i < analysis->secret_count; i++) {
		const struct w_secret_place *place = &analysis->secrets[i];
		const char *word = analysis->argv[place->word];

		wanted[count] = (struct wanted){.word = word,
		    .len = strlen(word),
		    .offset = place->offset,
		    .count = place->len,
		    .place = place->word};
		count++;
	}
	for (; assignment != NULL && *assignment != NULL; assignment++) {
		size_t name = strcspn(*assignment, "=");
		size_t len = strlen(*assignment);

		if (len <= name + 1 ||
		    !w_analyzer_is_secret_name(*assignment, name))
			continue;
		wanted[count] = (struct wanted){.word = *assignment,
		    .len = len,
		    .offset = name + 1,
		    .count = len - name - 1,
		    .place = SIZE_MAX};
		count++;
	}
	return count;
}

/* Its quoting is not understood here, or something was expanded: the whole word
 * is hidden, or all of the command; but never what runs. */
static void
hide_unfound(struct w_analyzer *analyzer, const struct w_quoted_command *quoted,
    const struct wanted *one)
{
	const struct w_shell_word *word = quoted->words;
	size_t from = quoted->begin;
	size_t to = quoted->end;

	for (size_t i = 0;
	     word != NULL && one->place != SIZE_MAX && i < one->place; i++)
		word = word->next;
	if (one->place == SIZE_MAX)
		to = from +
		     w_shell_plain_len(quoted->shell->text + from, to - from);
	else if (word != NULL) {
		from = word->offset;
		to = from + w_shell_plain_len(
				quoted->shell->text + from, word->end - from);
	}
	w_analyzer_shell_secret(analyzer, quoted->shell, from, to);
}

bool
w_analyzer_quoted_secrets(
    struct w_analyzer *analyzer, const struct w_quoted_command *quoted)
{
	const size_t len = quoted->end - quoted->begin;
	const char *const *assignments = quoted->assignments;
	size_t most = quoted->analysis->secret_count;
	struct w_shell_unquoter unquoter = {.text = quoted->shell->text,
	    .between = " \t\n;|&<>",
	    .at = quoted->begin,
	    .end = quoted->end};

	for (size_t i = 0; assignments != NULL && assignments[i] != NULL; i++)
		most++;
	if (most == 0)
		return true;
	struct wanted *wanted =
	    w_analyzer_alloc(analyzer, most, sizeof(*wanted));
	unquoter.bytes = w_analyzer_alloc(analyzer, len + 1, 1);
	unquoter.places =
	    w_analyzer_alloc(analyzer, len + 1, sizeof(*unquoter.places));
	if (wanted == NULL || unquoter.bytes == NULL || unquoter.places == NULL)
		return true;
	const size_t count = list_wanted(quoted, wanted);
	bool are_found = true;
	while (count > 0 && w_shell_unquoter_next(&unquoter))
		mark_word(analyzer, quoted, &unquoter, wanted, count);
	for (size_t i = 0; i < count; i++) {
		if (wanted[i].is_found)
			continue;
		are_found = false;
		hide_unfound(analyzer, quoted, &wanted[i]);
	}
	return are_found;
}
