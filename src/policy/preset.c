/* SPDX-License-Identifier: Apache-2.0 */

/* The built-in presets: files of data/policies, compiled into a table by
 * tools/compile_presets.c, sorted by name. */

#include <string.h>

#include "policy/policy.h"

const struct w_preset *
w_preset_find(const char *name)
{
	for (size_t i = 0; i < w_presets_count; i++) {
		if (strcmp(w_presets[i].name, name) == 0)
			return &w_presets[i];
	}
	return NULL;
}

const struct w_preset *
w_preset_all(size_t *out_count)
{
	*out_count = w_presets_count;
	return w_presets;
}
