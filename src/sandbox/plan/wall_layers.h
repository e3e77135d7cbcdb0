/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_WALL_LAYERS_H
#define W_SANDBOX_WALL_LAYERS_H

#include <stdbool.h>
#include <stdint.h>

#include "sandbox/plan/layer.h"
#include "sandbox/profile/profile.h"

/*
 * The layers of these walls, as a mask. If one is unavailable a run is refused,
 * unless its caller asked for best effort. is_root: namespaces can be made
 * without a user namespace.
 */
uint32_t w_walls_layers(
    enum w_walls walls, enum w_network network, bool is_root);

/* What these walls do not hold that WORKSPACE does, in words for people;
 * NULL-ended, empty for all but CONTAINER. */
const char *const *w_walls_lacks(enum w_walls walls);

#endif /* W_SANDBOX_WALL_LAYERS_H */
