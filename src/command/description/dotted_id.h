/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_DOTTED_ID_H
#define W_COMMAND_DOTTED_ID_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"

/*
 * Module ids: "cli.git.commit". Segments of lower-case letters, digits and
 * underscores that begin with a letter, separated by dots.
 */
#define W_DOTTED_ID_MAX 192

bool w_dotted_id_valid(const char *id);

/* Fails with what is wrong, and suggests the nearest valid id. */
writ_status w_dotted_id_check(const char *id, writ_error *err);

/* Appends a text as a segment: lower case, '_' for invalid characters. */
void w_dotted_id_add_segment(struct w_buf *buf, const char *text, size_t len);

/* Appends the name of the file for a module of this id. */
void w_dotted_id_file(struct w_buf *buf, const char *id);

#endif /* W_COMMAND_DOTTED_ID_H */
