/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_REGISTRY_MERGE_H
#define W_MODULE_REGISTRY_MERGE_H

#include "module/registry/registry_state.h"

/* Of a registry; how many there were beyond is the last one. */
#define W_REGISTRY_PROBLEMS_MAX 1000

/* Adds a problem. false: no memory. */
bool w_registry_add_problem(
    struct w_registry *registry, const char *path, const writ_error *error);

/* Makes picks of the shelves: every id once, by the order of the shelves.
 * false: no memory. */
bool w_registry_merge(struct w_registry *registry);

#endif /* W_MODULE_REGISTRY_MERGE_H */
