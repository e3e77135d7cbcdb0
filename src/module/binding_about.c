/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a module says about itself: texts, tags, annotations, examples and what
 * the scanner that made it left behind.
 */

#include <string.h>

#include "module/binding_maker.h"

/* As others write them, in their order. */
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
read_texts(struct w_maker *maker, writ_error *err)
{
	struct w_module *module = maker->module;
	yyjson_val *display = NULL;
	writ_status status = w_maker_text(
	    maker, maker->element, "description", &module->description, err);

	if (status == WRIT_OK)
		status = w_maker_text(maker, maker->element, "documentation",
		    &module->documentation, err);
	if (status == WRIT_OK)
		status = w_maker_text(
		    maker, maker->element, "version", &module->version, err);
	if (status == WRIT_OK)
		status = w_maker_texts(
		    maker, maker->element, "tags", &module->tags, err);
	if (status == WRIT_OK)
		status = w_maker_map(
		    maker, maker->element, "display", &display, err);
	if (status == WRIT_OK && module->description == NULL)
		module->description = "";
	return status;
}

static writ_status
read_switches(struct w_maker *maker, yyjson_val *map, writ_error *err)
{
	struct w_annotations *to = &maker->module->annotations;
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
		writ_status status =
		    w_maker_switch(maker, map, rows[i].name, rows[i].to, err);

		if (status != WRIT_OK)
			return status;
	}
	to->requires_approval = to->is_destructive;
	writ_status status = w_maker_switch(
	    maker, map, "requires_approval", &to->requires_approval, err);
	to->is_approval_said = to->requires_approval &&
			       w_maker_get(map, "requires_approval") != NULL;
	return status;
}

static writ_status
check_cache(struct w_maker *maker, yyjson_val *map, writ_error *err)
{
	yyjson_val *fields = NULL;
	yyjson_val *extra = NULL;
	yyjson_val *ttl = w_maker_get(map, "cache_ttl");
	const char *style = NULL;
	writ_status status =
	    w_maker_texts(maker, map, "cache_key_fields", &fields, err);

	if (status == WRIT_OK)
		status =
		    w_maker_text(maker, map, "pagination_style", &style, err);
	if (status == WRIT_OK)
		status = w_maker_map(maker, map, "extra", &extra, err);
	if (status == WRIT_OK && ttl != NULL && !yyjson_is_uint(ttl))
		status = w_maker_refuse_type(
		    maker, "cache_ttl", "a number of seconds", ttl, err);
	return status;
}

static writ_status
read_annotations(struct w_maker *maker, writ_error *err)
{
	struct w_annotations *to = &maker->module->annotations;
	yyjson_val *map = NULL;
	writ_status status =
	    w_maker_map(maker, maker->element, "annotations", &map, err);

	/* Who says nothing is taken to be able to do anything. */
	to->is_open_world = true;
	to->requires_approval = true;
	if (status != WRIT_OK || map == NULL)
		return status;
	status = w_maker_keys(maker, map, annotation_names, true, err);
	if (status == WRIT_OK)
		status = read_switches(maker, map, err);
	if (status == WRIT_OK)
		status = check_cache(maker, map, err);
	if (status != WRIT_OK || !to->is_readonly || !to->is_destructive)
		return status;
	maker->at = w_maker_get(map, "destructive");
	return w_fail(err, WRIT_E_INVALID, W_MAKER_STAGE, 0,
	    "annotations say both readonly and destructive");
}

static writ_status
check_example(struct w_maker *maker, yyjson_val *example, writ_error *err)
{
	const char *text = NULL;
	yyjson_val *inputs = NULL;

	if (!yyjson_is_obj(example))
		return w_maker_refuse_type(
		    maker, "an example", "a map", example, err);
	writ_status status =
	    w_maker_keys(maker, example, example_names, true, err);
	if (status == WRIT_OK)
		status = w_maker_text(maker, example, "title", &text, err);
	if (status == WRIT_OK)
		status =
		    w_maker_text(maker, example, "description", &text, err);
	if (status == WRIT_OK)
		status = w_maker_map(maker, example, "inputs", &inputs, err);
	return status;
}

static writ_status
read_examples(struct w_maker *maker, writ_error *err)
{
	yyjson_val *list = NULL;
	yyjson_val *item;
	size_t i;
	size_t count;
	writ_status status =
	    w_maker_list(maker, maker->element, "examples", &list, err);

	yyjson_arr_foreach(list, i, count, item)
	{
		if (status == WRIT_OK)
			status = check_example(maker, item, err);
	}
	if (status == WRIT_OK)
		maker->module->examples = list;
	return status;
}

static writ_status
read_metadata(struct w_maker *maker, writ_error *err)
{
	struct w_module *module = maker->module;
	writ_status status = w_maker_map(
	    maker, maker->element, "metadata", &module->metadata, err);

	if (status == WRIT_OK)
		status = w_maker_keys(
		    maker, module->metadata, metadata_names, true, err);
	return status;
}

writ_status
w_maker_about(struct w_maker *maker, writ_error *err)
{
	writ_status status = read_texts(maker, err);

	if (status == WRIT_OK)
		status = read_annotations(maker, err);
	if (status == WRIT_OK)
		status = read_examples(maker, err);
	if (status == WRIT_OK)
		status = read_metadata(maker, err);
	return status;
}
