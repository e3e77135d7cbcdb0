/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_HOST_INFO_H
#define W_SANDBOX_HOST_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "sandbox/plan/layer.h"

/*
 * What this machine reports about itself: the settings that decide whether
 * walls can be built. Nothing is tried here; probe.h does that. The settings
 * only explain a failure, they never cause one.
 */

#define W_CONTAINER_MAP(X)          \
	X(NONE, "")                 \
	X(DOCKER, "docker")         \
	X(PODMAN, "podman")         \
	X(KUBERNETES, "kubernetes") \
	X(OTHER, "container")

enum w_container {
#define X(name, word) W_CONTAINER_##name,
	W_CONTAINER_MAP(X)
#undef X
};

#define W_CI_MAP(X)         \
	X(NONE, "")         \
	X(GITHUB, "github") \
	X(GITLAB, "gitlab") \
	X(OTHER, "ci")

enum w_ci {
#define X(name, word) W_CI_##name,
	W_CI_MAP(X)
#undef X
};

enum {
	W_HOST_INFO_UNKNOWN = -1
};

struct w_host_info {
	bool is_root;          /* effective uid 0 */
	uint64_t capabilities; /* effective set */
	bool is_filtered;      /* we run under a seccomp filter */
	bool is_no_new_privs;  /* set from outside */
	bool is_in_userns;     /* not the initial user namespace */
	bool is_chroot;        /* our root is not a mount */
	bool is_proc_missing;  /* no procfs at /proc */
	bool is_proc_covered;  /* mounts hide parts of /proc */
	enum w_container container;
	enum w_ci ci;
	long userns_clone;      /* kernel.unprivileged_userns_clone */
	long apparmor_restrict; /* kernel.apparmor_restrict_unpriv... */
	long max_namespaces[W_LAYER_COUNT]; /* user.max_..., by layer */
	unsigned kernel_major;
	unsigned kernel_minor;
	char kernel[80]; /* its release */
	char lsm[128];   /* security modules; "": unknown */
};

/* Reads what it can; the rest stays unknown. */
void w_probe_host(struct w_host_info *out_host);

/*
 * Whether namespaces can be made without a user namespace. Being root is not
 * enough: the root of most containers lacks CAP_SYS_ADMIN, or has it without
 * CAP_NET_ADMIN, and needs a user namespace of its own.
 */
bool w_probe_can_make_namespaces(const struct w_host_info *host);

/* The same for the calling thread, with one system call. */
bool w_thread_can_make_namespaces(void);

/* "max_user_namespaces"; NULL for a layer that is not a namespace. */
const char *w_probe_limit_name(enum w_layer layer);

const char *w_container_word(enum w_container container);
const char *w_ci_word(enum w_ci ci);

#endif /* W_SANDBOX_HOST_INFO_H */
