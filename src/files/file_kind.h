/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_FILES_FILE_KIND_H
#define W_FILES_FILE_KIND_H

#include <stdbool.h>
#include <stddef.h>

#define W_FILES_KIND_BYTES 8192 /* of its beginning that say what a file is */

/* What a file is that is no text: "PNG image", "ELF program", "binary". NULL:
 * text, or nothing at all. *out_is_image: an image that models can see. */
const char *w_files_kind(const char *head, size_t len, bool *out_is_image);

#endif /* W_FILES_FILE_KIND_H */
