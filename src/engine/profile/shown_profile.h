/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_SHOWN_PROFILE_H
#define W_ENGINE_SHOWN_PROFILE_H

#include <writ/sandbox.h>

#include "sandbox/plan/layer.h"
#include "sandbox/profile/profile.h"

enum {
	W_PROFILE_DIRS = 2 /* the user's, the system's */
};

/* The directories where profiles are looked up by name. */
struct w_config_profile_dirs {
	const char *paths[W_PROFILE_DIRS + 1]; /* NULL-ended */
	char *owned[W_PROFILE_DIRS];
};

/* Sets them from the settings; a NULL config means those of the environment.
 * Nothing is inspected. */
writ_status w_config_profile_dirs_init(struct w_config_profile_dirs *dirs,
    const writ_config *config, writ_error *err);
void w_config_profile_dirs_done(struct w_config_profile_dirs *dirs);

/* A profile and what it owns. The public part comes first. */
struct w_shown_profile {
	writ_profile profile;
	struct w_profile inner;
	const char *layers[W_LAYER_COUNT + 1];
};

#endif /* W_ENGINE_SHOWN_PROFILE_H */
