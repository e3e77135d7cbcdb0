/* SPDX-License-Identifier: Apache-2.0 */

/* The members of an apply resource, as JSON. */

#include "data/json.h"
#include "manifest/read/resource_json.h"

void
w_resource_write_include(
    const struct w_resource_writer *writer, const struct w_resource *resource)
{
	const struct w_include_resource *include = &resource->as.include;
	struct w_buf *buf = writer->buf;

	if (include->data != NULL) {
		w_resource_write_key(buf, "data");
		if (writer->is_hidden)
			w_json_add_text(buf, W_VALUE_HIDDEN);
		else
			w_resource_write_value(writer, include->data);
	}
	if (include->is_noop)
		w_json_add_bool_member(buf, "noop", true);
	if (include->is_health_only)
		w_json_add_bool_member(buf, "health_check_only", true);
	if (!include->allows_apply)
		w_json_add_bool_member(buf, "allow_apply", false);
}
