/* SPDX-License-Identifier: Apache-2.0 */

/* Lists of places: sorted by path, so that a parent comes before what lies
 * beneath it. */

#include <stdlib.h>
#include <string.h>

#include "sandbox/place.h"

enum {
	FIRST_CAP = 16
};

bool
w_place_covers(const char *parent, const char *path)
{
	size_t len = strlen(parent);

	if (strcmp(parent, "/") == 0)
		return true;
	return strncmp(parent, path, len) == 0 &&
	       (path[len] == '\0' || path[len] == '/');
}

bool
w_places_add(struct w_places *places, struct w_place *place)
{
	if (places->count == places->cap) {
		size_t cap = places->cap == 0 ? FIRST_CAP : places->cap * 2;
		struct w_place *items =
		    reallocarray(places->items, cap, sizeof(*items));

		if (items == NULL) {
			w_place_done(place);
			return false;
		}
		places->items = items;
		places->cap = cap;
	}
	places->items[places->count++] = *place;
	*place = (struct w_place){0};
	return true;
}

static int
compare(const void *a, const void *b)
{
	const struct w_place *left = a;
	const struct w_place *right = b;

	return strcmp(left->path, right->path);
}

void
w_places_sort(struct w_places *places)
{
	size_t kept = 0;

	if (places->count == 0)
		return;
	qsort(places->items, places->count, sizeof(*places->items), compare);
	for (size_t i = 1; i < places->count; i++) {
		struct w_place *last = &places->items[kept];

		if (strcmp(last->path, places->items[i].path) == 0) {
			last->may |= places->items[i].may;
			w_place_done(&places->items[i]);
		} else {
			places->items[++kept] = places->items[i];
		}
	}
	places->count = kept + 1;
}

const struct w_place *
w_places_over(const struct w_places *places, const char *path)
{
	const struct w_place *best = NULL;

	/* Sorted: of two that cover a path, the later one is the deeper. */
	for (size_t i = 0; i < places->count; i++) {
		if (w_place_covers(places->items[i].path, path))
			best = &places->items[i];
	}
	return best;
}

void
w_places_done(struct w_places *places)
{
	for (size_t i = 0; i < places->count; i++)
		w_place_done(&places->items[i]);
	free(places->items);
	*places = (struct w_places){0};
}
