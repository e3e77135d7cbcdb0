/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_PROBE_H
#define W_SANDBOX_PROBE_H

#include "sandbox/plan/layer.h"
#include "sandbox/probe/host_info.h"
#include "sandbox/probe/remedy.h"

/*
 * Whether each layer is available here, tested by building it end to end: ids
 * are mapped, trees mounted, filters loaded and hit. A setting that says yes
 * proves nothing: Ubuntu lets a user namespace be made that then refuses
 * everything.
 */
struct w_probe {
	bool is_available;
	bool is_blocked;  /* not tried: what it needs is missing */
	int error;        /* 0 when available */
	const char *step; /* what failed, such as "mounting a fresh /proc" */
	char detail[120]; /* such as "ABI 7: ..."; may be empty */
};

struct w_probes {
	struct w_host_info host;
	bool needs_userns; /* namespaces need a user namespace here */
	/* Two calls that are not layers: clone3 starts processes, pivot_root
	 * gives a run its own root. */
	struct w_probe clone3;
	bool can_start; /* with clone3, or with clone if that is blocked */
	struct w_probe pivot_root;
	struct w_probe layers[W_LAYER_COUNT];
};

/*
 * Runs all probes. Each is a throwaway process that shares nothing with the
 * caller, makes only system calls, sends no SIGCHLD and ends within seconds, so
 * a threaded host may call this. Nothing is left behind: mounts die with their
 * namespace, and the cgroup made beneath our own is removed.
 */
void w_probe_all(struct w_probes *out_probes);

/* Why a layer is not available, and what to do about it. */
void w_probe_remedy(const struct w_probes *probes, enum w_layer layer,
    struct w_remedy *out_remedy);

/* The same for the two calls. */
void w_probe_clone3_remedy(
    const struct w_probes *probes, struct w_remedy *out_remedy);
void w_probe_pivot_root_remedy(
    const struct w_probes *probes, struct w_remedy *out_remedy);

#endif /* W_SANDBOX_PROBE_H */
