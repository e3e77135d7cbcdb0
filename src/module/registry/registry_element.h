/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_REGISTRY_ELEMENT_H
#define W_MODULE_REGISTRY_ELEMENT_H

#include "base/error.h"
#include "module/registry/module_index.h"

/* The JSON text of a module's element: from the index, or if it is damaged
 * there, from the module's file. The caller frees *out_text. */
writ_status w_registry_element(const struct w_module_index *module_index,
    const struct w_module_index_entry *module, char **out_text, size_t *out_len,
    writ_error *err);

#endif /* W_MODULE_REGISTRY_ELEMENT_H */
