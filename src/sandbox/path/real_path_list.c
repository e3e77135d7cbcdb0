/* SPDX-License-Identifier: Apache-2.0 */

/* Lists of real paths, sorted so that a parent comes before what is beneath
 * it. */

#include <stdlib.h>
#include <string.h>

#include "sandbox/path/real_path.h"

#include "base/grow.h"

bool
w_real_path_covers(const char *parent, const char *path)
{
	size_t len = strlen(parent);

	if (strcmp(parent, "/") == 0)
		return true;
	return strncmp(parent, path, len) == 0 &&
	       (path[len] == '\0' || path[len] == '/');
}

bool
w_real_paths_add(struct w_real_paths *real_paths, struct w_real_path *real_path)
{
	if (!w_grow(&real_paths->items, real_paths->count, &real_paths->cap)) {
		w_real_path_done(real_path);
		return false;
	}
	real_paths->items[real_paths->count++] = *real_path;
	*real_path = (struct w_real_path){0};
	return true;
}

static int
real_path_list_compare(const void *a, const void *b)
{
	const struct w_real_path *left = a;
	const struct w_real_path *right = b;

	return strcmp(left->path, right->path);
}

void
w_real_paths_sort(struct w_real_paths *real_paths)
{
	size_t kept = 0;

	if (real_paths->count == 0)
		return;
	qsort(real_paths->items, real_paths->count, sizeof(*real_paths->items),
	    real_path_list_compare);
	for (size_t i = 1; i < real_paths->count; i++) {
		struct w_real_path *last = &real_paths->items[kept];

		if (strcmp(last->path, real_paths->items[i].path) == 0) {
			last->may |= real_paths->items[i].may;
			w_real_path_done(&real_paths->items[i]);
		} else {
			real_paths->items[++kept] = real_paths->items[i];
		}
	}
	real_paths->count = kept + 1;
}

const struct w_real_path *
w_real_paths_covering(const struct w_real_paths *real_paths, const char *path)
{
	const struct w_real_path *best = NULL;

	/* Sorted: the later of two that cover a path is the deeper one. */
	for (size_t i = 0; i < real_paths->count; i++) {
		if (w_real_path_covers(real_paths->items[i].path, path))
			best = &real_paths->items[i];
	}
	return best;
}

void
w_real_paths_done(struct w_real_paths *real_paths)
{
	for (size_t i = 0; i < real_paths->count; i++)
		w_real_path_done(&real_paths->items[i]);
	free(real_paths->items);
	*real_paths = (struct w_real_paths){0};
}
