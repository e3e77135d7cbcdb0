/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Merges data over data. Values are immutable: what is merged is made anew,
 * and shares its parts. The depth is that of the values.
 */

#include <string.h>

#include "manifest/read/manifest_parser.h"

static bool merge_value(struct w_parser *parser, const struct w_value *under,
    const struct w_value *over, bool is_deep, struct w_value *out_value);

static bool
join_lists(struct w_parser *parser, const struct w_value *under,
    const struct w_value *over, struct w_value *out_value)
{
	const size_t first = under->as.list.count;
	const size_t count = first + over->as.list.count;
	struct w_value *items = w_parse_alloc(parser, count, sizeof(*items));

	if (items == NULL)
		return false;
	for (size_t i = 0; i < count; i++)
		items[i] = i < first ? under->as.list.items[i]
				     : over->as.list.items[i - first];
	*out_value = (struct w_value){.kind = W_VALUE_LIST,
	    .is_secret = under->is_secret || over->is_secret,
	    .as.list = {.items = items, .count = count}};
	return true;
}

/* Members keep their order, new ones come last. */
static bool
merge_maps(struct w_parser *parser, const struct w_value *under,
    const struct w_value *over, bool is_deep, struct w_value *out_value)
{
	const size_t old = under->as.map.count;
	struct w_value_member *members = w_value_new_members(
	    &parser->manifest->arena, old + over->as.map.count);
	size_t count = old;

	if (members == NULL) {
		parser->is_out_of_memory = true;
		return false;
	}
	if (old > 0)
		memcpy(members, under->as.map.members, old * sizeof(*members));
	for (size_t i = 0; i < over->as.map.count; i++) {
		const struct w_value_member *one = &over->as.map.members[i];
		const struct w_value *there =
		    w_value_member(under, one->name, one->len);
		size_t at = 0;

		if (there == NULL) {
			members[count++] = *one;
			continue;
		}
		while (&under->as.map.members[at].value != there)
			at++;
		if (!merge_value(parser, there, &one->value, is_deep,
			&members[at].value))
			return false;
	}
	*out_value = w_value_map(members, count);
	out_value->is_secret = under->is_secret || over->is_secret;
	return true;
}

static bool
merge_value(struct w_parser *parser, const struct w_value *under,
    const struct w_value *over, bool is_deep, struct w_value *out_value)
{
	if (is_deep && under->kind == W_VALUE_MAP && over->kind == W_VALUE_MAP)
		return merge_maps(parser, under, over, true, out_value);
	if (is_deep && under->kind == W_VALUE_LIST &&
	    over->kind == W_VALUE_LIST)
		return join_lists(parser, under, over, out_value);
	*out_value = *over;
	return true;
}

bool
w_parse_merge(struct w_parser *parser, const struct w_value *over, bool is_deep,
    struct w_value *io_data)
{
	struct w_value merged;

	if (!merge_maps(parser, io_data, over, is_deep, &merged))
		return false;
	*io_data = merged;
	return true;
}
