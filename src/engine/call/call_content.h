/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_CALL_CONTENT_H
#define W_ENGINE_CALL_CONTENT_H

#include <stddef.h>

#include "module/binding/binding.h"

/* The media type of an image, a sound or a resource: by its first bytes,
 * else a default. Static. */
const char *w_call_content_type(
    enum w_output_as as, const char *bytes, size_t len);

#endif /* W_ENGINE_CALL_CONTENT_H */
