/* SPDX-License-Identifier: Apache-2.0 */

/* The table of layers for each kind of walls. */

#include "sandbox/plan/wall_layers.h"

#define BIT(name) W_LAYER_BIT(W_LAYER_##name)

enum {
	PROCESS = BIT(NO_NEW_PRIVS) | BIT(CAPABILITIES) | BIT(KEYRING) |
		  BIT(LANDLOCK) | BIT(SECCOMP),
	SPACES =
	    BIT(MOUNTNS) | BIT(PIDNS) | BIT(IPCNS) | BIT(UTSNS) | BIT(CGROUPNS),
};

uint32_t
w_walls_layers(enum w_walls walls, enum w_network network, bool is_root)
{
	const uint32_t userns = is_root ? 0 : BIT(USERNS);

	switch (walls) {
	case W_WALLS_NONE:
	case W_WALLS_ENV:
		return 0;
	case W_WALLS_CONTAINER:
		return PROCESS;
	case W_WALLS_READONLY:
	case W_WALLS_WORKSPACE:
	case W_WALLS_STRICT:
		break;
	}
	return PROCESS | userns | SPACES |
	       (network == W_NETWORK_HOST ? 0 : BIT(NETNS));
}
