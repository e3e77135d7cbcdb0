/* SPDX-License-Identifier: Apache-2.0 */

/* Lists of strings, for argv and environments. A list always ends with a NULL,
 * even after a failed addition. */

#include "base/words.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"

#define FIRST_CAP 8

void
w_words_done(struct w_words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->items[i]);
	free(words->items);
	*words = (struct w_words){0};
}

/* Makes room for one more item and the NULL that ends the list. */
static bool
words_list_grow(struct w_words *words)
{
	size_t cap;
	size_t size;

	if (words->count + 1 < words->cap)
		return true;
	if (!w_size_mul(words->cap, 2, &cap))
		return false;
	if (cap < FIRST_CAP)
		cap = FIRST_CAP;
	if (!w_size_mul(cap, sizeof(*words->items), &size))
		return false;

	char **items = realloc(words->items, size);
	if (items == NULL)
		return false;
	words->items = items;
	words->cap = cap;
	items[words->count] = NULL;
	return true;
}

int
w_words_add(struct w_words *words, const char *text, size_t len)
{
	size_t size;

	if (!words_list_grow(words) || !w_size_add(len, 1, &size))
		return false;
	char *copy = malloc(size);
	if (copy == NULL)
		return false;
	if (len > 0)
		memcpy(copy, text, len);
	copy[len] = '\0';

	char **slot = words->items + words->count++;
	slot[0] = copy;
	slot[1] = NULL;
	return true;
}
