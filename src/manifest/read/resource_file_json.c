/* SPDX-License-Identifier: Apache-2.0 */

/* Members of file resources, as JSON. */

#include <string.h>

#include "base/hex.h"
#include "base/sha256.h"
#include "data/json.h"
#include "manifest/read/resource_json.h"

/* An event has only the digest of longer content. */
#define CONTENT_MAX ((size_t)64 << 10)

static void
add_content(const struct w_resource_writer *writer, const char *content)
{
	const size_t len = strlen(content);
	uint8_t sum[W_SHA256_SIZE];
	char hex[W_SHA256_HEX + 1] = "";

	if (writer->is_hidden) {
		w_json_add_text_member(writer->buf, "content", W_VALUE_HIDDEN);
		return;
	}
	if (len <= CONTENT_MAX) {
		w_json_add_path_member(writer->buf, "content", content);
		return;
	}
	w_sha256(content, len, sum);
	w_hex_put(hex, sum, sizeof(sum));
	w_resource_write_key(writer->buf, "content_bytes");
	w_buf_add_fmt(writer->buf, "%zu", len);
	w_json_add_text_member(writer->buf, "content_sha256", hex);
}

void
w_resource_write_file(
    const struct w_resource_writer *writer, const struct w_resource *resource)
{
	const struct w_file_resource *file = resource->as.file;
	const struct w_filled *filled = writer->filled;
	struct w_resource_writer open = *writer;

	open.is_hidden = false;
	if (filled != NULL && filled->content != NULL)
		add_content(writer, filled->content);
	else
		w_resource_write_written(writer, "content", &file->content);
	if (filled != NULL && filled->source != NULL)
		w_json_add_path_member(writer->buf, "source", filled->source);
	else
		w_resource_write_written(&open, "source", &file->source);
	w_resource_write_written(&open, "template", &file->template_file);
	w_resource_write_early(writer, "owner", &file->owner);
	w_resource_write_early(writer, "group", &file->group);
	if (file->has_mode) {
		w_resource_write_key(writer->buf, "mode");
		w_buf_add_fmt(writer->buf, "\"%04o\"", file->mode);
	}
	if (file->is_forced)
		w_json_add_bool_member(writer->buf, "force", true);
	w_resource_write_early(writer, "target", &file->target);
	w_resource_write_command(writer, "validate", &file->validate);
	w_resource_write_early(writer, "backup", &file->backup);
	if (file->is_recursive)
		w_json_add_bool_member(writer->buf, "recurse", true);
	if (file->is_purged)
		w_json_add_bool_member(writer->buf, "purge", true);
}
