/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_PROJECT_DIR_H
#define W_ENGINE_PROJECT_DIR_H

#include <writ/error.h>

/* A project is a directory that contains this one, with its policy and its
 * modules. */
#define W_PROJECT_DIR ".writ"

/* The directory that contains .writ, at cwd or above it, but not at or above
 * home unless cwd is home. Both are real paths, or NULL. The caller frees
 * *out_dir; NULL: none. */
writ_status w_project_find(
    const char *cwd, const char *home, char **out_dir, writ_error *err);

/* The real path of HOME or, if that is not set, of the home in the user
 * database. The caller frees *out_home; NULL: none. */
writ_status w_home_find(char **out_home, writ_error *err);

#endif /* W_ENGINE_PROJECT_DIR_H */
