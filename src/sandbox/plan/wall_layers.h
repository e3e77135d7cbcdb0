/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_WALL_LAYERS_H
#define W_SANDBOX_WALL_LAYERS_H

#include <stdbool.h>
#include <stdint.h>

#include "sandbox/plan/layer.h"
#include "sandbox/profile/profile.h"

/*
 * The layers that these walls consist of, as a mask. Without one of them a run
 * is refused, unless its caller asked for best effort. is_root: whether
 * namespaces can be made without a user namespace.
 */
uint32_t w_walls_layers(
    enum w_walls walls, enum w_network network, bool is_root);

#endif /* W_SANDBOX_WALL_LAYERS_H */
