/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_REGISTRY_CACHE_H
#define W_MODULE_REGISTRY_CACHE_H

#include "module/registry/module_index.h"

/*
 * Indexes of module directories, cached in one file each. Nothing depends on
 * them: any failure is treated as a missing cache.
 */

/* The cached index of dir, a canonical path. false: none that is usable. */
bool w_registry_cache_read(const char *cache_dir, const char *dir,
    struct w_module_index *out_module_index);

/* Caches an index. Readers see the old or the new one; if
 * another process is writing at the moment, its version stays. */
void w_registry_cache_write(const char *cache_dir, const char *dir,
    const struct w_module_index *module_index);

#endif /* W_MODULE_REGISTRY_CACHE_H */
