/* SPDX-License-Identifier: Apache-2.0 */

/* The output of a module, and which exit codes mean success. */

#include <string.h>

#include "module/binding/module_builder.h"

static const char *const kinds[] = {
    [W_OUTPUT_TEXT] = "text",
    [W_OUTPUT_JSON] = "json",
    [W_OUTPUT_IMAGE] = "image",
    [W_OUTPUT_AUDIO] = "audio",
    [W_OUTPUT_RESOURCE] = "resource",
    NULL,
};

static writ_status
binding_output_refuse(struct w_module_builder *builder, yyjson_val *at,
    const char *why, writ_error *err)
{
	builder->at = at;
	return w_fail(
	    err, WRIT_E_INVALID, W_MODULE_STAGE, 0, "output: %s", why);
}

static writ_status
check_parts(
    struct w_module_builder *builder, yyjson_val *output, writ_error *err)
{
	const struct w_module *module = builder->module;
	const bool is_media = module->output_as == W_OUTPUT_IMAGE ||
			      module->output_as == W_OUTPUT_AUDIO;
	const bool is_resource = module->output_as == W_OUTPUT_RESOURCE;

	if (!is_media && !is_resource && module->mime_type != NULL)
		return binding_output_refuse(builder,
		    w_module_builder_get(output, "mime_type"),
		    "mime_type goes with image, audio and resource", err);
	if (!is_resource && module->uri != NULL)
		return binding_output_refuse(builder,
		    w_module_builder_get(output, "uri"),
		    "uri goes with resource", err);
	if (module->mime_type != NULL && strchr(module->mime_type, '/') == NULL)
		return binding_output_refuse(builder,
		    w_module_builder_get(output, "mime_type"),
		    "a mime_type is like image/png", err);
	return WRIT_OK;
}

static writ_status
read_output(struct w_module_builder *builder, writ_error *err)
{
	static const char *const names[] = {"as", "mime_type", "uri", NULL};
	struct w_module *module = builder->module;
	yyjson_val *output = NULL;
	int place = module->json_flag.count > 0 ? W_OUTPUT_JSON : W_OUTPUT_TEXT;
	writ_status status = w_module_builder_map(
	    builder, builder->element, "output", &output, err);

	if (status == WRIT_OK)
		status =
		    w_module_builder_keys(builder, output, names, false, err);
	if (status == WRIT_OK)
		status = w_module_builder_word(
		    builder, output, "as", kinds, &place, err);
	if (status == WRIT_OK)
		status = w_module_builder_text(
		    builder, output, "mime_type", &module->mime_type, err);
	if (status == WRIT_OK)
		status = w_module_builder_text(
		    builder, output, "uri", &module->uri, err);
	if (status != WRIT_OK)
		return status;
	module->output_as = (enum w_output_as)place;
	return check_parts(builder, output, err);
}

static writ_status
read_success(struct w_module_builder *builder, writ_error *err)
{
	struct w_module *module = builder->module;
	yyjson_val *list = NULL;
	yyjson_val *item;
	size_t i;
	size_t count;
	writ_status status = w_module_builder_list(
	    builder, builder->element, "success", &list, err);

	if (status != WRIT_OK)
		return status;
	if (list == NULL)
		module->success[0] = 1;
	builder->at = list;
	if (list != NULL && yyjson_arr_size(list) == 0)
		return w_fail(err, WRIT_E_INVALID, W_MODULE_STAGE, 0,
		    "success is empty: no end would be a good one");
	yyjson_arr_foreach(list, i, count, item)
	{
		uint64_t code = yyjson_get_uint(item);

		builder->at = item;
		if (!yyjson_is_uint(item) || code > 255)
			return w_fail(err, WRIT_E_INVALID, W_MODULE_STAGE, 0,
			    "success[%zu] must be an exit code from 0 to 255",
			    i);
		module->success[code / 8] |= (uint8_t)(1U << (code % 8));
	}
	return WRIT_OK;
}

writ_status
w_module_builder_output(struct w_module_builder *builder, writ_error *err)
{
	writ_status status = read_output(builder, err);

	if (status == WRIT_OK)
		status = read_success(builder, err);
	return status;
}
