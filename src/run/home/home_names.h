/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_HOME_NAMES_H
#define W_RUN_HOME_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* The directories of HOME in which tools keep what they can get again. */
bool w_dotdirs_is_cache(const char *name);

/* Those of them that hold nothing else, neither programs nor settings: they can
 * be empty. Ends with NULL. */
extern const char *const w_dotdirs_bare[];

/* The directories that a session has even if HOME lacks them, ends with
 * NULL. */
extern const char *const w_dotdirs_made[];

#endif /* W_RUN_HOME_NAMES_H */
