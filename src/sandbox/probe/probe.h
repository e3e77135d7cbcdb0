/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_PROBE_H
#define W_SANDBOX_PROBE_H

#include "sandbox/plan/layer.h"
#include "sandbox/probe/host_info.h"
#include "sandbox/probe/remedy.h"

/*
 * Whether each layer can be had here, found out by building it, end to end:
 * ids are mapped, trees mounted, filters loaded and hit. A setting that says
 * yes proves nothing, and Ubuntu lets a user namespace be made that then
 * refuses everything.
 */
struct w_probe {
	bool is_available;
	bool is_blocked;  /* not tried: what it is built in is missing */
	int error;        /* 0 when available */
	const char *step; /* what failed: "mounting a fresh /proc" */
	char detail[120]; /* what there is: "ABI 7: ..."; may be empty */
};

struct w_probes {
	struct w_host_info host;
	bool needs_userns; /* namespaces are made in a user namespace here */
	/* Two calls that are no layers: the first starts processes, the
	 * second gives a run a root of its own. */
	struct w_probe clone3;
	bool can_start; /* by clone3, or by clone where that is hidden */
	struct w_probe pivot_root;
	struct w_probe layers[W_LAYER_COUNT];
};

/*
 * Tries everything. Each trial is a throwaway process that shares nothing with
 * the caller, makes system calls only, sends no SIGCHLD and ends within
 * seconds; so this may be called from a host with threads. Nothing is left
 * behind: what is mounted dies with its namespace, and the control group made
 * beneath our own is removed.
 */
void w_probe_all(struct w_probes *out_probes);

/* Why a layer that is not available is not, and what to do. */
void w_probe_remedy(const struct w_probes *probes, enum w_layer layer,
    struct w_remedy *out_remedy);

/* The same for the calls. */
void w_probe_clone3_remedy(
    const struct w_probes *probes, struct w_remedy *out_remedy);
void w_probe_pivot_root_remedy(
    const struct w_probes *probes, struct w_remedy *out_remedy);

#endif /* W_SANDBOX_PROBE_H */
