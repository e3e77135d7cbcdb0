/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_MODULES_DESCRIPTION_H
#define W_ENGINE_MODULES_DESCRIPTION_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"

/* Whether a file is one that describes a command, by its name. */
bool w_modules_description_is(const char *file);

/* Whether a text, of a file that has another name, begins like one. */
bool w_modules_description_begins(const struct w_buf *text);

/* Reads the text of such a file as strictly as can be. *out_count is how many
 * modules the command is. Fails with what is wrong and its place. */
writ_status w_modules_description_check(const char *file,
    const struct w_buf *text, size_t *out_count, writ_error *err);

/* Puts the text of a file that is in order into a directory, as it is. */
writ_status w_modules_description_add(const char *file,
    const struct w_buf *text, int dir_fd, bool may_replace, writ_error *err);

#endif /* W_ENGINE_MODULES_DESCRIPTION_H */
