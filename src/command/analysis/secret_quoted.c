/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Where the secrets of a command stand in the shell string that it was taken
 * from: behind quotes and backslashes. Only they are hidden, for a command of
 * which nothing is left could not be told from any other.
 */

#include <string.h>

#include "command/analysis/analyzer.h"
#include "command/shell/shell_unquoter.h"

/* A word whose bytes are known, some of which are secret. */
struct wanted {
	const char *word;
	size_t len; /* of the word */
	size_t offset;
	size_t count;
	bool is_found;
};

static void
mark_word(struct w_analyzer *analyzer, const struct w_spelled *spelled,
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
		w_analyzer_shell_secret(analyzer, spelled->shell,
		    unquoter->places[one->offset],
		    unquoter->places[one->offset + one->count - 1] + 1);
	}
}

static size_t
list_wanted(const struct w_spelled *spelled, struct wanted *wanted)
{
	const struct w_analysis *analysis = spelled->analysis;
	const char *const *assignment = spelled->part->assignments;
	size_t count = 0;

	for (size_t i = 0; i < analysis->secret_count; i++) {
		const struct w_secret_place *place = &analysis->secrets[i];
		const char *word = analysis->argv[place->word];

		wanted[count] = (struct wanted){.word = word,
		    .len = strlen(word),
		    .offset = place->offset,
		    .count = place->len};
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
		    .count = len - name - 1};
		count++;
	}
	return count;
}

static size_t
count_assignments(const struct w_simple_command *part)
{
	size_t count = 0;

	while (part->assignments != NULL && part->assignments[count] != NULL)
		count++;
	return count;
}

void
w_analyzer_spelled_secrets(
    struct w_analyzer *analyzer, const struct w_spelled *spelled)
{
	const size_t len = spelled->end - spelled->part->offset;
	const size_t most =
	    spelled->analysis->secret_count + count_assignments(spelled->part);
	struct w_shell_unquoter unquoter = {.text = spelled->shell->text,
	    .between = " \t\n;|&<>",
	    .at = spelled->part->offset,
	    .end = spelled->end};

	if (most == 0)
		return;
	struct wanted *wanted =
	    w_analyzer_alloc(analyzer, most, sizeof(*wanted));
	unquoter.bytes = w_analyzer_alloc(analyzer, len + 1, 1);
	unquoter.places =
	    w_analyzer_alloc(analyzer, len + 1, sizeof(*unquoter.places));
	if (wanted == NULL || unquoter.bytes == NULL || unquoter.places == NULL)
		return;
	const size_t count = list_wanted(spelled, wanted);
	while (count > 0 && w_shell_unquoter_next(&unquoter))
		mark_word(analyzer, spelled, &unquoter, wanted, count);
	for (size_t i = 0; i < count; i++) {
		if (wanted[i].is_found)
			continue;
		/* Spelled in a way that is not known here. */
		w_analyzer_shell_secret(analyzer, spelled->shell,
		    spelled->part->offset, spelled->end);
		return;
	}
}
