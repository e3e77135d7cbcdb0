/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_FILES_PATH_GLOB_H
#define W_FILES_PATH_GLOB_H

#include <stdbool.h>

/*
 * Matches a path by a glob: '*' and '?' stay within a name, '**' crosses
 * slashes, '**' and a slash also stand for nothing; [a-z], [!a-z], {one,two}.
 * A backslash takes the next character as it is. Takes a bounded time: what
 * would take longer does not match.
 */
bool w_files_glob(const char *glob, const char *path);

/* The same for a glob of a caller: one without a slash matches the last name.
 */
bool w_files_glob_any(const char *glob, const char *path);

#endif /* W_FILES_PATH_GLOB_H */
