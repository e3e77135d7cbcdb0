/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_REGISTRY_MERGE_H
#define W_MODULE_REGISTRY_MERGE_H

#include "module/registry/registry_state.h"

/* Per registry; the last one is the number of those left out. */
#define W_REGISTRY_PROBLEMS_MAX 1000

/* Adds a problem. false: no memory. */
bool w_registry_add_problem(
    struct w_registry *registry, const char *path, const writ_error *error);

/* Fills picks from the module directories: every id once, by precedence. false:
 * no memory. */
bool w_registry_merge(struct w_registry *registry);

#endif /* W_MODULE_REGISTRY_MERGE_H */
