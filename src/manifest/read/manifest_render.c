/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Writes a manifest after the early step as a document that reads back to the
 * same resources, except for secrets.
 */

#include <stdlib.h>
#include <string.h>

#include "data/json.h"
#include "data/yaml_write.h"
#include "manifest/read/resource_json.h"

#define JSON_MAX ((size_t)1 << 30)

static void
manifest_render_add_list(
    const struct w_resource_writer *writer, const struct w_value *list)
{
	w_buf_add_char(writer->buf, '[');
	for (size_t i = 0; i < list->as.list.count; i++) {
		w_buf_add_str(writer->buf, i > 0 ? "," : "");
		w_resource_write_value(writer, &list->as.list.items[i]);
	}
	w_buf_add_char(writer->buf, ']');
}

static void
manifest_render_add_map(
    const struct w_resource_writer *writer, const struct w_value *map)
{
	w_buf_add_char(writer->buf, '{');
	for (size_t i = 0; i < map->as.map.count; i++) {
		const struct w_value_member *member = &map->as.map.members[i];

		w_buf_add_str(writer->buf, i > 0 ? "," : "");
		w_json_add_string(writer->buf, member->name, member->len);
		w_buf_add_char(writer->buf, ':');
		w_resource_write_value(writer, &member->value);
	}
	w_buf_add_char(writer->buf, '}');
}

/* Recursion is bounded by the depth limit of values. */
void
w_resource_write_value(
    const struct w_resource_writer *writer, const struct w_value *value)
{
	if (value->is_secret)
		w_json_add_text(writer->buf, W_VALUE_HIDDEN);
	else if (value->kind == W_VALUE_STRING)
		w_resource_write_filled(writer, value->as.string.text);
	else if (value->kind == W_VALUE_LIST)
		manifest_render_add_list(writer, value);
	else if (value->kind == W_VALUE_MAP)
		manifest_render_add_map(writer, value);
	else
		w_value_add_json(writer->buf, value, false);
}

static void
add_body(
    const struct w_resource_writer *writer, const struct w_manifest *manifest)
{
	struct w_buf *buf = writer->buf;

	w_buf_add_char(buf, '{');
	w_resource_write_early(writer, "pre_message", &manifest->pre_message);
	w_resource_write_early(writer, "post_message", &manifest->post_message);
	if (manifest->is_fail_on_error)
		w_json_add_bool_member(buf, "fail_on_error", true);
	if (manifest->sensitive != NULL)
		w_json_add_list_member(buf, "sensitive", manifest->sensitive);
	w_resource_write_key(buf, "resources");
	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < manifest->count; i++) {
		const struct w_resource *resource = &manifest->resources[i];
		struct w_resource_writer one = *writer;

		/* Those of other manifests come with their apply resource. */
		if (resource->parent != W_NO_TARGET)
			continue;
		one.is_hidden = resource->is_sensitive;
		w_buf_add_str(buf, w_buf_last(buf) == '[' ? "" : ",");
		w_buf_add_fmt(buf, "{\"%s\":", w_resource_word(resource->type));
		w_resource_write_resource(&one, resource);
		w_buf_add_char(buf, '}');
	}
	w_buf_add_str(buf, "]}");
}

static void
manifest_render_add_json(struct w_buf *buf, const struct w_manifest *manifest)
{
	const struct w_resource_writer writer = {
	    .buf = buf, .is_manifest = true};

	w_buf_add_char(buf, '{');
	if (manifest->data.as.map.count > 0) {
		w_resource_write_key(buf, "data");
		manifest_render_add_map(&writer, &manifest->data);
	}
	w_resource_write_key(buf, "ccm");
	add_body(&writer, manifest);
	w_buf_add_char(buf, '}');
}

void
w_manifest_render(
    struct w_buf *buf, const struct w_manifest *manifest, bool is_json)
{
	if (is_json) {
		manifest_render_add_json(buf, manifest);
		return;
	}
	W_AUTO_BUF struct w_buf json;
	w_buf_init(&json, JSON_MAX);
	manifest_render_add_json(&json, manifest);
	yyjson_doc *doc =
	    json.failed ? NULL : yyjson_read(json.data, json.len, 0);
	if (doc != NULL)
		w_yaml_add(buf, yyjson_doc_get_root(doc));
	else
		buf->failed = true;
	yyjson_doc_free(doc);
}
