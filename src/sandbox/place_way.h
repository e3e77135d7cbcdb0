/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_PLACE_WAY_H
#define W_SANDBOX_PLACE_WAY_H

#include "sandbox/place.h"

/*
 * What a path depends on: each symbolic link on the way to it, and what it
 * leads to in the end, of whatever kind (a pipe, a socket, a directory where a
 * file was meant). All of them have to be held fast for the path to stay what
 * it is.
 */
struct w_way {
	struct w_places places;
	char *absent; /* the end of the way, where nothing is yet; or NULL */
};

/* Follows an absolute path. A file that stands in the way, or a directory that
 * may not be looked into, is its end. */
writ_status w_way_find(
    const char *path, struct w_way *out_way, writ_error *err);
void w_way_done(struct w_way *way);

#endif /* W_SANDBOX_PLACE_WAY_H */
