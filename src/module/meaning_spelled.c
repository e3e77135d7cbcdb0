/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Where the secrets of a command stand in the shell string that it was taken
 * from: behind quotes and backslashes. Only they are hidden, for a command of
 * which nothing is left could not be told from any other.
 */

#include <string.h>

#include "module/meaning_frame.h"
#include "module/shell_speller.h"

/* A word whose bytes are known, some of which are secret. */
struct wanted {
	const char *word;
	size_t len; /* of the word */
	size_t offset;
	size_t count;
	bool is_found;
};

static void
mark_word(struct w_frame *frame, const struct w_spelled *spelled,
    const struct w_speller *speller, struct wanted *wanted, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct wanted *one = &wanted[i];

		if (one->len != speller->len ||
		    one->offset + one->count > one->len ||
		    memcmp(one->word, speller->bytes, one->len) != 0)
			continue;
		one->is_found = true;
		w_frame_shell_secret(frame, spelled->shell,
		    speller->places[one->offset],
		    speller->places[one->offset + one->count - 1] + 1);
	}
}

static size_t
list_wanted(const struct w_spelled *spelled, struct wanted *wanted)
{
	const struct w_meaning *meaning = spelled->meaning;
	const char *const *assignment = spelled->part->assignments;
	size_t count = 0;

	for (size_t i = 0; i < meaning->secret_count; i++) {
		const struct w_secret_place *place = &meaning->secrets[i];
		const char *word = meaning->argv[place->word];

		wanted[count] = (struct wanted){.word = word,
		    .len = strlen(word),
		    .offset = place->offset,
		    .count = place->len};
		count++;
	}
	for (; assignment != NULL && *assignment != NULL; assignment++) {
		size_t name = strcspn(*assignment, "=");
		size_t len = strlen(*assignment);

		if (len <= name + 1 || !w_names_a_secret(*assignment, name))
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
count_assignments(const struct w_shell_part *part)
{
	size_t count = 0;

	while (part->assignments != NULL && part->assignments[count] != NULL)
		count++;
	return count;
}

void
w_frame_spelled_secrets(struct w_frame *frame, const struct w_spelled *spelled)
{
	const size_t len = spelled->end - spelled->part->offset;
	const size_t most =
	    spelled->meaning->secret_count + count_assignments(spelled->part);
	struct w_speller speller = {.text = spelled->shell->text,
	    .between = " \t\n;|&<>",
	    .at = spelled->part->offset,
	    .end = spelled->end};

	if (most == 0)
		return;
	struct wanted *wanted = w_frame_alloc(frame, most, sizeof(*wanted));
	speller.bytes = w_frame_alloc(frame, len + 1, 1);
	speller.places = w_frame_alloc(frame, len + 1, sizeof(*speller.places));
	if (wanted == NULL || speller.bytes == NULL || speller.places == NULL)
		return;
	const size_t count = list_wanted(spelled, wanted);
	while (count > 0 && w_speller_next(&speller))
		mark_word(frame, spelled, &speller, wanted, count);
	for (size_t i = 0; i < count; i++) {
		if (wanted[i].is_found)
			continue;
		/* Spelled in a way that is not known here. */
		w_frame_shell_secret(
		    frame, spelled->shell, spelled->part->offset, spelled->end);
		return;
	}
}
