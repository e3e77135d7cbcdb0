/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_CONFIG_PLACE_H
#define W_ENGINE_CONFIG_PLACE_H

#include <stdbool.h>

#include "base/error.h"

/* How the default of a directory is found. */
struct w_config_place {
	const char *key;
	const char *env;
	const char *xdg;    /* this variable, with /writ appended */
	const char *home;   /* else this beneath the home directory */
	const char *system; /* before both: this path */
	bool root_only;     /* system is for root only */
};

/* The value of a variable; NULL: unset or empty, which mean the same. */
const char *w_config_variable(const char *name);

/* The default of a directory. The caller frees *out_path. Fails for a user
 * without a home, and says which variable helps. */
writ_status w_config_place_default(
    const struct w_config_place *place, char **out_path, writ_error *err);

/* dir/name, with one slash between. The caller frees it; NULL: out of
 * memory. */
char *w_config_join(const char *dir, const char *name);

#endif /* W_ENGINE_CONFIG_PLACE_H */
