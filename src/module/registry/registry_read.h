/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_REGISTRY_READ_H
#define W_MODULE_REGISTRY_READ_H

#include "module/registry/module_dir.h"
#include "module/registry/module_index_builder.h"

/* A sink that adds the elements of a binding file to the index. */
struct w_binding_sink w_registry_sink(struct w_module_index_builder *builder);

/* Loads a module directory from one file that has already been checked.
 * Fails if the file has changed. */
writ_status w_module_dir_load_file(struct w_module_dir *module_dir,
    const struct w_registry_file *file, writ_error *err);

/* Loads a module directory from a text in memory. */
writ_status w_module_dir_load_text(struct w_module_dir *module_dir,
    const char *text, size_t len, writ_error *err);

#endif /* W_MODULE_REGISTRY_READ_H */
