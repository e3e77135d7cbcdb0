/* SPDX-License-Identifier: Apache-2.0 */

/* What file resources have, as JSON. */

#include <string.h>

#include "base/hex.h"
#include "base/sha256.h"
#include "data/json.h"
#include "manifest/resource_json.h"

/* An event has the digest of what is longer. */
#define CONTENT_MAX ((size_t)64 << 10)

static void
add_content(const struct w_showing *showing, const char *content)
{
	const size_t len = strlen(content);
	uint8_t sum[W_SHA256_SIZE];
	char hex[W_SHA256_HEX + 1] = "";

	if (showing->is_hidden) {
		w_json_add_text_member(showing->buf, "content", W_VALUE_HIDDEN);
		return;
	}
	if (len <= CONTENT_MAX) {
		w_json_add_path_member(showing->buf, "content", content);
		return;
	}
	w_sha256(content, len, sum);
	w_hex_put(hex, sum, sizeof(sum));
	w_shown_key(showing->buf, "content_bytes");
	w_buf_add_fmt(showing->buf, "%zu", len);
	w_json_add_text_member(showing->buf, "content_sha256", hex);
}

void
w_shown_file(const struct w_showing *showing, const struct w_resource *resource)
{
	const struct w_file *file = &resource->as.file;
	const struct w_filled *filled = showing->filled;
	struct w_showing open = *showing;

	open.is_hidden = false;
	if (filled != NULL && filled->content != NULL)
		add_content(showing, filled->content);
	else
		w_shown_written(showing, "content", &file->content);
	if (filled != NULL && filled->source != NULL)
		w_json_add_path_member(showing->buf, "source", filled->source);
	else
		w_shown_written(&open, "source", &file->source);
	w_shown_early(showing, "owner", &file->owner);
	w_shown_early(showing, "group", &file->group);
	if (file->has_mode) {
		w_shown_key(showing->buf, "mode");
		w_buf_add_fmt(showing->buf, "\"%04o\"", file->mode);
	}
	if (file->is_forced)
		w_json_add_bool_member(showing->buf, "force", true);
}
