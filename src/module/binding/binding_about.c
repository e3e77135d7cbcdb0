/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a module says about itself: texts, tags, annotations, examples and the
 * metadata of the scanner that made it.
 */

#include <string.h>

#include "module/binding/module_builder.h"

/* As other tools write them, in their order. */
static const char *const annotation_names[] = {"readonly", "destructive",
    "idempotent", "requires_approval", "open_world", "streaming", "cacheable",
    "cache_ttl", "cache_key_fields", "paginated", "pagination_style",
    "discoverable", "extra", NULL};

static const char *const metadata_names[] = {"scan_tier", "help_format",
    "binary_path", "suggested_alias", "command_path", "json_flag", "display",
    NULL};

static const char *const example_names[] = {
    "title", "description", "inputs", "output", NULL};

static writ_status
read_texts(struct w_module_builder *builder, writ_error *err)
{
	struct w_module *module = builder->module;
	yyjson_val *display = NULL;
	writ_status status = w_module_builder_text(builder, builder->element,
	    "description", &module->description, err);

	if (status == WRIT_OK)
		status = w_module_builder_text(builder, builder->element,
		    "documentation", &module->documentation, err);
	if (status == WRIT_OK)
		status = w_module_builder_text(builder, builder->element,
		    "version", &module->version, err);
	if (status == WRIT_OK)
		status = w_module_builder_texts(
		    builder, builder->element, "tags", &module->tags, err);
	if (status == WRIT_OK)
		status = w_module_builder_map(
		    builder, builder->element, "display", &display, err);
	if (status == WRIT_OK && module->description == NULL)
		module->description = "";
	return status;
}

static writ_status
read_switches(
    struct w_module_builder *builder, yyjson_val *map, writ_error *err)
{
	struct w_annotations *to = &builder->module->annotations;
	bool unused = false;
	const struct {
		const char *name;
		bool *to;
	} rows[] = {
	    {"readonly", &to->is_readonly},
	    {"destructive", &to->is_destructive},
	    {"idempotent", &to->is_idempotent},
	    {"open_world", &to->is_open_world},
	    {"streaming", &unused},
	    {"cacheable", &unused},
	    {"paginated", &unused},
	    {"discoverable", &unused},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		writ_status status = w_module_builder_switch(
		    builder, map, rows[i].name, rows[i].to, err);

		if (status != WRIT_OK)
			return status;
	}
	to->requires_approval = to->is_destructive;
	writ_status status = w_module_builder_switch(
	    builder, map, "requires_approval", &to->requires_approval, err);
	to->is_approval_said =
	    to->requires_approval &&
	    w_module_builder_get(map, "requires_approval") != NULL;
	return status;
}

static writ_status
check_cache(struct w_module_builder *builder, yyjson_val *map, writ_error *err)
{
	yyjson_val *fields = NULL;
	yyjson_val *extra = NULL;
	yyjson_val *ttl = w_module_builder_get(map, "cache_ttl");
	const char *style = NULL;
	writ_status status = w_module_builder_texts(
	    builder, map, "cache_key_fields", &fields, err);

	if (status == WRIT_OK)
		status = w_module_builder_text(
		    builder, map, "pagination_style", &style, err);
	if (status == WRIT_OK)
		status =
		    w_module_builder_map(builder, map, "extra", &extra, err);
	if (status == WRIT_OK && ttl != NULL && !yyjson_is_uint(ttl))
		status = w_module_builder_refuse_type(
		    builder, "cache_ttl", "a number of seconds", ttl, err);
	return status;
}

static writ_status
read_annotations(struct w_module_builder *builder, writ_error *err)
{
	struct w_annotations *to = &builder->module->annotations;
	yyjson_val *map = NULL;
	writ_status status = w_module_builder_map(
	    builder, builder->element, "annotations", &map, err);

	/* Without annotations a module may do anything. */
	to->is_open_world = true;
	to->requires_approval = true;
	if (status != WRIT_OK || map == NULL)
		return status;
	status =
	    w_module_builder_keys(builder, map, annotation_names, true, err);
	if (status == WRIT_OK)
		status = read_switches(builder, map, err);
	if (status == WRIT_OK)
		status = check_cache(builder, map, err);
	if (status != WRIT_OK || !to->is_readonly || !to->is_destructive)
		return status;
	builder->at = w_module_builder_get(map, "destructive");
	return w_fail(err, WRIT_E_INVALID, W_MODULE_STAGE, 0,
	    "annotations say both readonly and destructive");
}

static writ_status
check_example(
    struct w_module_builder *builder, yyjson_val *example, writ_error *err)
{
	const char *text = NULL;
	yyjson_val *inputs = NULL;

	if (!yyjson_is_obj(example))
		return w_module_builder_refuse_type(
		    builder, "an example", "a map", example, err);
	writ_status status =
	    w_module_builder_keys(builder, example, example_names, true, err);
	if (status == WRIT_OK)
		status = w_module_builder_text(
		    builder, example, "title", &text, err);
	if (status == WRIT_OK)
		status = w_module_builder_text(
		    builder, example, "description", &text, err);
	if (status == WRIT_OK)
		status = w_module_builder_map(
		    builder, example, "inputs", &inputs, err);
	return status;
}

static writ_status
read_examples(struct w_module_builder *builder, writ_error *err)
{
	yyjson_val *list = NULL;
	yyjson_val *item;
	size_t i;
	size_t count;
	writ_status status = w_module_builder_list(
	    builder, builder->element, "examples", &list, err);

	yyjson_arr_foreach(list, i, count, item)
	{
		if (status == WRIT_OK)
			status = check_example(builder, item, err);
	}
	if (status == WRIT_OK)
		builder->module->examples = list;
	return status;
}

writ_status
w_module_builder_about(struct w_module_builder *builder, writ_error *err)
{
	writ_status status = read_texts(builder, err);

	if (status == WRIT_OK)
		status = read_annotations(builder, err);
	if (status == WRIT_OK)
		status = read_examples(builder, err);
	if (status == WRIT_OK)
		status = w_module_builder_map(builder, builder->element,
		    "metadata", &builder->module->metadata, err);
	if (status == WRIT_OK)
		status = w_module_builder_keys(builder,
		    builder->module->metadata, metadata_names, true, err);
	return status;
}
