/* SPDX-License-Identifier: Apache-2.0 */

/* What a module's output is, and which ends of it are good ones. */

#include <string.h>

#include "module/binding_maker.h"

static const char *const kinds[] = {
    [W_OUTPUT_TEXT] = "text",
    [W_OUTPUT_JSON] = "json",
    [W_OUTPUT_IMAGE] = "image",
    [W_OUTPUT_AUDIO] = "audio",
    [W_OUTPUT_RESOURCE] = "resource",
    NULL,
};

static writ_status
refuse(struct w_maker *maker, yyjson_val *at, const char *why, writ_error *err)
{
	maker->at = at;
	return w_fail(err, WRIT_E_INVALID, W_MAKER_STAGE, 0, "output: %s", why);
}

static writ_status
check_parts(struct w_maker *maker, yyjson_val *output, writ_error *err)
{
	const struct w_module *module = maker->module;
	const bool is_media = module->output_as == W_OUTPUT_IMAGE ||
			      module->output_as == W_OUTPUT_AUDIO;
	const bool is_resource = module->output_as == W_OUTPUT_RESOURCE;

	if (!is_media && !is_resource && module->mime_type != NULL)
		return refuse(maker, w_maker_get(output, "mime_type"),
		    "mime_type goes with image, audio and resource", err);
	if (!is_resource && module->uri != NULL)
		return refuse(maker, w_maker_get(output, "uri"),
		    "uri goes with resource", err);
	if (module->mime_type != NULL && strchr(module->mime_type, '/') == NULL)
		return refuse(maker, w_maker_get(output, "mime_type"),
		    "a mime_type is like image/png", err);
	return WRIT_OK;
}

static writ_status
read_output(struct w_maker *maker, writ_error *err)
{
	static const char *const names[] = {"as", "mime_type", "uri", NULL};
	struct w_module *module = maker->module;
	yyjson_val *output = NULL;
	int place = module->json_flag.count > 0 ? W_OUTPUT_JSON : W_OUTPUT_TEXT;
	writ_status status =
	    w_maker_map(maker, maker->element, "output", &output, err);

	if (status == WRIT_OK)
		status = w_maker_keys(maker, output, names, false, err);
	if (status == WRIT_OK)
		status = w_maker_word(maker, output, "as", kinds, &place, err);
	if (status == WRIT_OK)
		status = w_maker_text(
		    maker, output, "mime_type", &module->mime_type, err);
	if (status == WRIT_OK)
		status = w_maker_text(maker, output, "uri", &module->uri, err);
	if (status != WRIT_OK)
		return status;
	module->output_as = (enum w_output_as)place;
	return check_parts(maker, output, err);
}

static writ_status
read_success(struct w_maker *maker, writ_error *err)
{
	struct w_module *module = maker->module;
	yyjson_val *list = NULL;
	yyjson_val *item;
	size_t i;
	size_t count;
	writ_status status =
	    w_maker_list(maker, maker->element, "success", &list, err);

	if (status != WRIT_OK)
		return status;
	if (list == NULL)
		module->success[0] = 1;
	maker->at = list;
	if (list != NULL && yyjson_arr_size(list) == 0)
		return w_fail(err, WRIT_E_INVALID, W_MAKER_STAGE, 0,
		    "success is empty: no end would be a good one");
	yyjson_arr_foreach(list, i, count, item)
	{
		uint64_t code = yyjson_get_uint(item);

		maker->at = item;
		if (!yyjson_is_uint(item) || code > 255)
			return w_fail(err, WRIT_E_INVALID, W_MAKER_STAGE, 0,
			    "success[%zu] must be an exit code from 0 to 255",
			    i);
		module->success[code / 8] |= (uint8_t)(1U << (code % 8));
	}
	return WRIT_OK;
}

writ_status
w_maker_output(struct w_maker *maker, writ_error *err)
{
	writ_status status = read_output(maker, err);

	if (status == WRIT_OK)
		status = read_success(maker, err);
	return status;
}
