/* SPDX-License-Identifier: Apache-2.0 */

/*
 * each: one resource for every element of a list or of a map.
 *
 *   - file:
 *       - "/srv/{{ item.name }}": { each: "{{ Data.sites }}" }
 *
 * The element is item. Its name in a map, or its number in a list from 0, is
 * key. They are known in every text of the resource, early or late.
 */

#include <string.h>

#include "data/json_words.h"
#include "manifest/read/manifest_parser.h"

static bool
each_from_text(
    struct w_parser *parser, yyjson_val *val, struct w_value *out_elements)
{
	struct w_property property;
	struct w_arena scratch = {.chunks = NULL};
	struct w_value value;
	writ_error err = {.status = WRIT_OK};
	bool is_made;

	if (!w_parse_template(parser, val, "each", &property) ||
	    parser->early == NULL)
		return false;
	if (w_template_value(&property.template, parser->early, &scratch,
		&value, &err) == WRIT_OK)
		is_made = w_parse_copy_value(
		    parser, &property.at, &value, out_elements);
	else
		is_made = w_parse_refuse_within(
		    parser, &property.at, property.template.text, "each", &err);
	w_arena_done(&scratch);
	return is_made;
}

bool
w_parse_each(
    struct w_parser *parser, yyjson_val *val, struct w_value *out_elements)
{
	if (yyjson_is_str(val)) {
		if (!each_from_text(parser, val, out_elements))
			return false;
	} else if (!yyjson_is_ctn(val)) {
		return w_parse_refuse(parser, val,
		    "each must be a list or a map, not %s",
		    w_json_type_words(val));
	} else if (parser->early == NULL ||
		   !w_parse_value(parser, parser->early, val, out_elements)) {
		return false;
	}
	if (out_elements->kind == W_VALUE_LIST ||
	    out_elements->kind == W_VALUE_MAP)
		return true;
	return w_parse_refuse(parser, val,
	    "each must be a list or a map, and is %s",
	    w_value_kind_words(out_elements->kind));
}

size_t
w_parse_each_count(const struct w_value *elements)
{
	return elements->kind == W_VALUE_MAP ? elements->as.map.count
					     : elements->as.list.count;
}

bool
w_parse_each_set(struct w_parser *parser, struct w_resource *resource,
    const struct w_value *elements, size_t which)
{
	resource->item = resource->key = NULL;
	if (elements != NULL) {
		struct w_value *key = w_parse_alloc(parser, 1, sizeof(*key));

		if (key == NULL)
			return false;
		if (elements->kind == W_VALUE_MAP) {
			const struct w_value_member *member =
			    &elements->as.map.members[which];

			*key = w_value_text(member->name, member->len);
			resource->item = &member->value;
		} else {
			*key = (struct w_value){
			    .kind = W_VALUE_INT, .as.integer = (int64_t)which};
			resource->item = &elements->as.list.items[which];
		}
		key->is_secret = elements->is_secret;
		resource->key = key;
	}
	parser->scope->item = resource->item;
	parser->scope->key = resource->key;
	return true;
}
