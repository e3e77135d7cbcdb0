/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_REMEDY_H
#define W_SANDBOX_REMEDY_H

#include "base/error.h"
#include "sandbox/plan/layer.h"
#include "sandbox/probe/host_info.h"

/* Why a layer is unavailable, and what to do about it. */
struct w_remedy {
	char cause[160];   /* one sentence, never empty */
	char setting[160]; /* the setting at fault, such as
			      "user.max_user_namespaces=0"; "": none */
	char remedy[200]; /* what to do, as a literal command if possible; never
			     empty */
};

/* Finds the cause from the errno of building the layer (0: unknown) and the
 * host's settings. A pure function. */
void w_remedy_find(const struct w_host_info *host, enum w_layer layer,
    int error, struct w_remedy *out_remedy);

/*
 * Fills the error of a run that is refused because of a layer: "cannot build
 * the sandbox: landlock: ...", the layer's word as its stage, the remedy as its
 * suggestion. Reads the host's settings. Always returns WRIT_E_SANDBOX.
 */
writ_status w_probe_explain(enum w_layer layer, int error, writ_error *err);

#endif /* W_SANDBOX_REMEDY_H */
