/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_REGISTRY_READ_H
#define W_MODULE_REGISTRY_READ_H

#include "module/registry/module_dir.h"
#include "module/registry/module_index_builder.h"

/* Puts what a binding file has into the image that is being made. */
struct w_binding_sink w_registry_sink(struct w_module_index_builder *builder);

/* Fills a shelf from one file, of which somebody has proved that it may be
 * used. Fails when it is not that file any more. */
writ_status w_module_dir_load_file(struct w_module_dir *module_dir,
    const struct w_registry_file *file, writ_error *err);

#endif /* W_MODULE_REGISTRY_READ_H */
