/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_LAYER_H
#define W_SANDBOX_LAYER_H

#include <stdint.h>

/*
 * The layers of a sandbox, each a kernel mechanism. The words appear in
 * results, in errors and in `writ doctor`.
 */
#define W_LAYER_MAP(X)                  \
	X(NO_NEW_PRIVS, "no_new_privs") \
	X(CAPABILITIES, "capabilities") \
	X(KEYRING, "keyring")           \
	X(LANDLOCK, "landlock")         \
	X(SECCOMP, "seccomp")           \
	X(USERNS, "userns")             \
	X(MOUNTNS, "mountns")           \
	X(PIDNS, "pidns")               \
	X(NETNS, "netns")               \
	X(IPCNS, "ipcns")               \
	X(UTSNS, "utsns")               \
	X(CGROUPNS, "cgroupns")         \
	X(CGROUP, "cgroup")

enum w_layer {
#define X(name, word) W_LAYER_##name,
	W_LAYER_MAP(X)
#undef X
	W_LAYER_COUNT
};

/* A set of layers is a mask of these. */
#define W_LAYER_BIT(layer) (UINT32_C(1) << (layer))

const char *w_layer_word(enum w_layer layer);

#endif /* W_SANDBOX_LAYER_H */
