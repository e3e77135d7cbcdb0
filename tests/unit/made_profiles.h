/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_MADE_PROFILES_H
#define W_TEST_MADE_PROFILES_H

/* Confinements put together by hand. */

#include <stdbool.h>
#include <string.h>

#include "sandbox/path/real_path.h"
#include "sandbox/profile/resolved_profile.h"

static inline void
places_add(
    struct w_real_paths *places, const char *path, bool is_dir, unsigned may)
{
	struct w_real_path place = {
	    .path = strdup(path), .is_dir = is_dir, .may = may};

	assert_non_null(place.path);
	assert_true(w_real_paths_add(places, &place));
	w_real_paths_sort(places);
}

/* Everything readable and executable. */
static inline void
places_open(struct w_resolved_profile *resolved, enum w_walls walls)
{
	*resolved = (struct w_resolved_profile){.walls = walls};
	places_add(&resolved->grants, "/", true, W_MAY_READ | W_MAY_EXECUTE);
}

static inline void
places_close(struct w_resolved_profile *resolved)
{
	w_real_paths_done(&resolved->grants);
	w_real_paths_done(&resolved->hidden);
	w_real_paths_done(&resolved->guarded);
}

#endif /* W_TEST_MADE_PROFILES_H */
