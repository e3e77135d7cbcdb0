/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_MODULES_H
#define W_ENGINE_MODULES_H

#include <writ/module.h>

#include "module/registry/registry.h"
#include "schema/schema.h"

/* What calls of a module need, made at the first call. */
struct w_compiled_module {
	const struct w_module *module; /* borrowed */
	const writ_module *about;      /* borrowed */
	struct w_schema *input;
	struct w_schema *output; /* NULL: none */
	struct w_schema *step;   /* of a sequence; NULL: none */
	yyjson_doc *step_schema; /* what step was compiled from */
	writ_parameter *parameters;
	size_t parameter_count;
	struct w_words texts; /* strings of the parameters */
};

struct writ_modules {
	struct w_registry *registry;
	writ_module *about; /* by index in the registry */
	struct w_compiled_module *
	    *compiled_modules; /* likewise; NULL: not compiled yet */
	size_t count;
	writ_module_problem *problems;
	size_t problem_count;
};

/* The modules of one file, whatever the configuration says. */
writ_status w_modules_of_file(const struct w_registry_file *file,
    writ_modules **out_modules, writ_error *err);

/* The index of a module. Fails like writ_modules_find(). */
writ_status w_modules_find_index(const writ_modules *modules, const char *id,
    size_t *out_place, writ_error *err);

/* The compiled module. Borrowed. */
writ_status w_modules_compile(writ_modules *modules, const char *id,
    struct w_compiled_module **out_compiled, writ_error *err);

void w_compiled_module_free(struct w_compiled_module *compiled);

/* Compiles the schema of sequence steps, if the module has any. */
writ_status w_compiled_module_read_steps(
    struct w_compiled_module *compiled, writ_error *err);

/* Describes the parameters of the module. */
writ_status w_compiled_module_describe(
    struct w_compiled_module *compiled, writ_error *err);

#endif /* W_ENGINE_MODULES_H */
