/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_REGISTRY_ELEMENT_H
#define W_MODULE_REGISTRY_ELEMENT_H

#include "base/error.h"
#include "module/registry/module_index.h"

/* The text of a module's element, JSON: from the image, or when that has lost
 * it from the file that describes the module. *out_text is yours. */
writ_status w_registry_element(const struct w_module_index *module_index,
    const struct w_module_index_entry *module, char **out_text, size_t *out_len,
    writ_error *err);

#endif /* W_MODULE_REGISTRY_ELEMENT_H */
