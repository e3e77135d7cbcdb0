/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_INCLUDE_RESOURCE_H
#define W_MANIFEST_INCLUDE_RESOURCE_H

#include "manifest/apply/resource_step.h"

/*
 * The apply resource. The resources of the other manifest stand before it in
 * the list. Whether they are applied is decided before the first of them; then
 * the apply resource itself says what became of them.
 */
enum w_include_gate {
	W_GATE_UNKNOWN,
	W_GATE_OPEN,
	W_GATE_SHUT, /* require or control */
	W_GATE_CUT,  /* fail_on_error of the other manifest */
};

/* Makes the gates of a manifest that has such resources; frees them. */
writ_status w_include_init(struct w_resource_step *step, writ_error *err);
void w_include_done(struct w_resource_step *step);

/* Whether a resource may be applied, as far as the manifests around it say;
 * sets the options for it (noop, health_check_only). */
bool w_include_enter(
    struct w_resource_step *step, const struct w_resource *resource);

/* A resource has failed, and its manifest ends with that. false: it is the
 * first manifest. */
bool w_include_cut(
    struct w_resource_step *step, const struct w_resource *resource);

/* Whether the conditions of an apply resource have been looked at. */
bool w_include_is_open(
    const struct w_resource_step *step, const struct w_resource *resource);

void w_include_apply(struct w_resource_step *step);

#endif /* W_MANIFEST_INCLUDE_RESOURCE_H */
