/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_MODULE_BUILDER_H
#define W_MODULE_MODULE_BUILDER_H

#include "module/binding/binding.h"

/* Builds a module from its element, step by step. */
struct w_module_builder {
	yyjson_val *element;
	struct w_module *module;
	yyjson_val *at; /* what an error is about */
};

#define W_MODULE_STAGE "module"

/* A member of a map; NULL also if it is null. */
yyjson_val *w_module_builder_get(yyjson_val *map, const char *name);

/* Fails for a key of a map that is not among the names; keys that begin with
 * "x-" are ignored if may_extend. */
writ_status w_module_builder_keys(struct w_module_builder *builder,
    yyjson_val *map, const char *const *names, bool may_extend,
    writ_error *err);

/* "NAME must be WANTED, not a number". */
writ_status w_module_builder_refuse_type(struct w_module_builder *builder,
    const char *name, const char *wanted, yyjson_val *val, writ_error *err);

/* The text of a member; NULL if it is missing. */
writ_status w_module_builder_text(struct w_module_builder *builder,
    yyjson_val *map, const char *name, const char **out_text, writ_error *err);

/* A member that is a map, a list, or a list of texts; NULL if it is missing. */
writ_status w_module_builder_map(struct w_module_builder *builder,
    yyjson_val *map, const char *name, yyjson_val **out_val, writ_error *err);
writ_status w_module_builder_list(struct w_module_builder *builder,
    yyjson_val *map, const char *name, yyjson_val **out_val, writ_error *err);
writ_status w_module_builder_texts(struct w_module_builder *builder,
    yyjson_val *map, const char *name, yyjson_val **out_val, writ_error *err);

/* A member that is one of the words, a NULL-ended list; *out_place is unchanged
 * if it is missing. */
writ_status w_module_builder_word(struct w_module_builder *builder,
    yyjson_val *map, const char *name, const char *const *words, int *out_place,
    writ_error *err);

/* true or false; *out_is is unchanged if it is missing. */
writ_status w_module_builder_switch(struct w_module_builder *builder,
    yyjson_val *map, const char *name, bool *out_is, writ_error *err);

/* Steps with files of their own. */
writ_status w_module_builder_command(
    struct w_module_builder *builder, writ_error *err);
writ_status w_module_builder_request(
    struct w_module_builder *builder, writ_error *err);
writ_status w_module_builder_output(
    struct w_module_builder *builder, writ_error *err);
writ_status w_module_builder_about(
    struct w_module_builder *builder, writ_error *err);

/* Compiles the schemas and validates the examples against the input schema. A
 * wrong example leaves the module usable. */
writ_status w_module_builder_check(const struct w_module *module,
    bool *out_is_usable, yyjson_val **out_at, writ_error *err);

#endif /* W_MODULE_MODULE_BUILDER_H */
