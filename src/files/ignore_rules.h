/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_FILES_IGNORE_RULES_H
#define W_FILES_IGNORE_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/*
 * What a search passes over: what git ignores, and what no search wants (.git,
 * node_modules). The rules of a directory, and a link to those above it.
 */
struct w_files_ignore {
	const struct w_files_ignore *above; /* NULL: none */
	struct w_buf text;                  /* of its .gitignore */
	size_t dir_len;                     /* length of its path */
};

/* Reads the .gitignore of a directory; one that cannot be read has no rules. */
void w_files_ignore_init(struct w_files_ignore *ignore, const char *dir,
    const struct w_files_ignore *above);
void w_files_ignore_done(struct w_files_ignore *ignore);

/* Whether an entry is passed over; path is in a directory of these rules. */
bool w_files_is_ignored(
    const struct w_files_ignore *ignore, const char *path, bool is_dir);

#endif /* W_FILES_IGNORE_RULES_H */
