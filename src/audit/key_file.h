/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_KEY_FILE_H
#define W_AUDIT_KEY_FILE_H

#include <stddef.h>

#include "base/error.h"

/* Longer than any key that makes sense, shorter than most files that are
 * given by mistake. */
#define W_KEY_FILE_MAX 4096

/* Reads the key of a keyed trail: all bytes of a plain file that nobody else
 * can use. Wipe what you got. */
writ_status w_key_file_read(const char *path, char out_key[W_KEY_FILE_MAX],
    size_t *out_len, writ_error *err);

#endif /* W_AUDIT_KEY_FILE_H */
