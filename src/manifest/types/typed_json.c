/* SPDX-License-Identifier: Apache-2.0 */

/* Members of the types that a table describes, as JSON: the reader of a key
 * says what its value is. */

#include "data/json.h"
#include "manifest/read/resource_json.h"
#include "manifest/types/typed.h"

static void
write_words(const struct w_resource_writer *writer, const char *name,
    const struct w_property_list *list)
{
	w_resource_write_key(writer->buf, name);
	w_buf_add_char(writer->buf, '[');
	for (size_t i = 0; i < list->count; i++) {
		const char *text = list->items[i].text;

		w_buf_add_str(writer->buf, i > 0 ? "," : "");
		w_resource_write_filled(writer, text == NULL ? "" : text);
	}
	w_buf_add_char(writer->buf, ']');
}

static void
write_value(const struct w_resource_writer *writer,
    const struct w_parse_key *key, const struct w_property_list *list)
{
	const char *text = list->items[0].text;
	struct w_resource_writer hiding = *writer;

	hiding.is_hidden = true;
	if (key->read == w_typed_read_secret) {
		w_resource_write_written(&hiding, key->name, &list->items[0]);
	} else if (key->read == w_typed_read_deferred) {
		w_resource_write_written(writer, key->name, &list->items[0]);
	} else if (key->read == w_typed_read_deferreds) {
		w_resource_write_key(writer->buf, key->name);
		if (writer->is_hidden)
			w_buf_add_str(writer->buf, "[\"" W_VALUE_HIDDEN "\"]");
		else
			w_resource_write_templates(writer, list);
	} else if (key->read == w_typed_read_words) {
		write_words(writer, key->name, list);
	} else if (text != NULL && (key->read == w_typed_read_truth ||
				       key->read == w_typed_read_number)) {
		w_resource_write_key(writer->buf, key->name);
		w_buf_add_str(writer->buf, text);
	} else if (text != NULL) {
		w_resource_write_key(writer->buf, key->name);
		w_resource_write_filled(writer, text);
	}
}

void
w_resource_write_typed(
    const struct w_resource_writer *writer, const struct w_resource *resource)
{
	const struct w_parse_key *key = w_typed_keys(resource->type);

	for (; key != NULL && key->name != NULL; key++) {
		const struct w_property_list *list =
		    w_typed_values(resource, key);

		if (list != NULL && list->count > 0)
			write_value(writer, key, list);
	}
	w_resource_write_references(
	    writer, "subscribe", &resource->as.typed->subscribe);
}
