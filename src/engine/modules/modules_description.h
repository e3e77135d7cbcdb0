/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_MODULES_DESCRIPTION_H
#define W_ENGINE_MODULES_DESCRIPTION_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"

/* Whether a file is a command description, by its name. */
bool w_modules_description_is(const char *file);

/* Whether a text begins like one, for files with other names. */
bool w_modules_description_begins(const struct w_buf *text);

/* Checks the text of such a file as strictly as possible. *out_count is the
 * number of modules in it. Fails with the first mistake and its location. */
writ_status w_modules_description_check(const char *file,
    const struct w_buf *text, size_t *out_count, writ_error *err);

/* Writes a valid description into a directory, unchanged. */
writ_status w_modules_description_add(const char *file,
    const struct w_buf *text, int dir_fd, bool may_replace, writ_error *err);

#endif /* W_ENGINE_MODULES_DESCRIPTION_H */
