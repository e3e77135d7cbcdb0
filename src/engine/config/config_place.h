/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_CONFIG_PLACE_H
#define W_ENGINE_CONFIG_PLACE_H

#include <stdbool.h>

#include "base/error.h"

/* How a place is found when nobody says. */
struct w_config_place {
	const char *key;
	const char *env;
	const char *xdg;    /* then this variable, with /writ after it */
	const char *home;   /* then this beneath the home directory */
	const char *system; /* before both: this itself */
	bool root_only;     /* whether that is for root only */
};

/* The value of a variable; NULL when unset or empty, which mean the same. */
const char *w_config_variable(const char *name);

/* The default of a place. *out_path is yours. Fails for a user who has no
 * home, and says which variable helps. */
writ_status w_config_place_default(
    const struct w_config_place *place, char **out_path, writ_error *err);

/* dir/name, with one slash between. Yours; NULL without memory. */
char *w_config_join(const char *dir, const char *name);

#endif /* W_ENGINE_CONFIG_PLACE_H */
