/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_PLACES_H
#define W_TEST_PLACES_H

/* Confinements put together by hand. */

#include <stdbool.h>
#include <string.h>

#include "sandbox/confine.h"
#include "sandbox/place.h"

static inline void
places_add(struct w_places *places, const char *path, bool is_dir, unsigned may)
{
	struct w_place place = {
	    .path = strdup(path), .is_dir = is_dir, .may = may};

	assert_non_null(place.path);
	assert_true(w_places_add(places, &place));
	w_places_sort(places);
}

/* Everything readable and executable. */
static inline void
places_open(struct w_confine *confine, enum w_walls walls)
{
	*confine = (struct w_confine){.walls = walls};
	places_add(&confine->grants, "/", true, W_MAY_READ | W_MAY_EXECUTE);
}

static inline void
places_close(struct w_confine *confine)
{
	w_places_done(&confine->grants);
	w_places_done(&confine->hidden);
	w_places_done(&confine->guarded);
}

#endif /* W_TEST_PLACES_H */
