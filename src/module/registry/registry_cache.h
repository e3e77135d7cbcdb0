/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_REGISTRY_CACHE_H
#define W_MODULE_REGISTRY_CACHE_H

#include "module/registry/module_index.h"

/*
 * Images of directories, kept in files of a cache directory, one for each.
 * Nothing depends on them: whatever goes wrong is as if there were none.
 */

/* The image of dir, a canonical path, as it was kept; its texts are still in
 * the file. false: there is none that could be used. */
bool w_registry_cache_read(const char *cache_dir, const char *dir,
    struct w_module_index *out_module_index);

/* Keeps one that has its texts. Readers see the old or the new one; when
 * another process is just writing, that one's stays. */
void w_registry_cache_write(const char *cache_dir, const char *dir,
    const struct w_module_index *module_index);

#endif /* W_MODULE_REGISTRY_CACHE_H */
