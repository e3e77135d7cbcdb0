/* SPDX-License-Identifier: Apache-2.0 */

/* Lists of strings, for argv and environments. A list always ends with a NULL,
 * even after a failed addition. */

#include "base/words.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/size.h"

void
w_words_done(struct w_words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->items[i]);
	free(words->items);
	*words = (struct w_words){0};
}

int
w_words_add(struct w_words *words, const char *text, size_t len)
{
	size_t size;

	/* For one more item and the NULL that ends the list. */
	if (!w_grow(&words->items, words->count + 1, &words->cap))
		return false;
	words->items[words->count] = NULL;
	if (!w_size_add(len, 1, &size))
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
