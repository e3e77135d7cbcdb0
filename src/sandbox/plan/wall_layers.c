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

const char *const *
w_walls_lacks(enum w_walls walls)
{
	static const char *const nothing[] = {NULL};
	static const char *const in_container[] = {
	    "protected paths in the project", "other processes out of sight",
	    "a loopback of its own", "a private /tmp",
	    "modes, times and owners of files outside",
	    "local sockets, once the network is given", NULL};

	return walls == W_WALLS_CONTAINER ? in_container : nothing;
}
