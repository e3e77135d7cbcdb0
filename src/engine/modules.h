/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_MODULES_H
#define W_ENGINE_MODULES_H

#include <writ/module.h>

#include "module/registry.h"
#include "schema/schema.h"

/* What calls of a module need, made at the first of them. */
struct w_module_kit {
	const struct w_module *module; /* borrowed */
	const writ_module *about;      /* borrowed */
	struct w_schema *input;
	struct w_schema *output; /* NULL: it says nothing about its output */
	struct w_schema *step;   /* of a sequence; NULL: it has none */
	yyjson_doc *step_schema; /* what that was made from */
	writ_parameter *parameters;
	size_t parameter_count;
	struct w_words texts; /* what the parameters point to */
};

struct writ_modules {
	struct w_registry *registry;
	writ_module *about;         /* by place in the registry */
	struct w_module_kit **kits; /* likewise; NULL: not made yet */
	size_t count;
	writ_module_problem *problems;
	size_t problem_count;
};

/* The place of a module. Fails like writ_modules_find(). */
writ_status w_modules_place(const writ_modules *modules, const char *id,
    size_t *out_place, writ_error *err);

/* All that a call needs. Borrowed. */
writ_status w_modules_kit(writ_modules *modules, const char *id,
    struct w_module_kit **out_kit, writ_error *err);

void w_module_kit_free(struct w_module_kit *kit);

/* Makes what judges the steps of sequences, if the module has any. */
writ_status w_module_kit_read_steps(struct w_module_kit *kit, writ_error *err);

/* Describes the parameters of the kit's module. */
writ_status w_module_kit_describe(struct w_module_kit *kit, writ_error *err);

#endif /* W_ENGINE_MODULES_H */
