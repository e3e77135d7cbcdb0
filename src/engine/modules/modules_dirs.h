/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_MODULES_DIRS_H
#define W_ENGINE_MODULES_DIRS_H

#include <writ/module.h>

#include "base/words.h"
#include "engine/config/config_state.h"
#include "module/registry/registry.h"

/* Where modules are looked up, highest precedence first. */
struct w_modules_dirs {
	struct w_registry_dir *dirs;
	size_t count;
	size_t cap;
	struct w_words paths; /* strings of dirs */
};

void w_modules_dirs_done(struct w_modules_dirs *dirs);

/* opts has its full size. *out_dirs must be all zero. */
writ_status w_modules_dirs_find(const writ_modules_options *opts,
    const writ_config *config, struct w_modules_dirs *out_dirs,
    writ_error *err);

#endif /* W_ENGINE_MODULES_DIRS_H */
