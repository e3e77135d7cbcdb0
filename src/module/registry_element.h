/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_REGISTRY_ELEMENT_H
#define W_MODULE_REGISTRY_ELEMENT_H

#include "base/error.h"
#include "module/registry_image.h"

/* The text of a module's element, JSON: from the image, or when that has lost
 * it from the file that describes the module. *out_text is yours. */
writ_status w_registry_element(const struct w_image *image,
    const struct w_image_module *module, char **out_text, size_t *out_len,
    writ_error *err);

#endif /* W_MODULE_REGISTRY_ELEMENT_H */
