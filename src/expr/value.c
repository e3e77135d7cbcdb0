/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Values of expressions: construction, lookup and the secret mark.
 *
 * Values nest no deeper than the documents they come from (W_VALUE_DEPTH_MAX)
 * and the expressions that build them, so functions may recurse.
 */

#include "expr/value.h"

#include <string.h>

struct w_value
w_value_text(const char *text, size_t len)
{
	return (struct w_value){
	    .kind = W_VALUE_STRING, .as.string = {.text = text, .len = len}};
}

const char *
w_value_kind_words(enum w_value_kind kind)
{
	static const char *const words[] = {"null", "true or false",
	    "a whole number", "a number", "a string", "a list", "a map"};

	return words[kind];
}

static int
order_names(const struct w_value_member *member, const char *name, size_t len)
{
	if (member->len != len)
		return member->len < len ? -1 : 1;
	return len > 0 ? memcmp(member->name, name, len) : 0;
}

/* Binary search in the index that value_json.c stores after the members of a
 * large map. */
static const struct w_value *
search_index(const struct w_value *map, const char *name, size_t len)
{
	const struct w_value_member *members = map->as.map.members;
	const void *behind = members + map->as.map.count;
	const uint32_t *order = behind;
	size_t low = 0;
	size_t high = map->as.map.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct w_value_member *member = &members[order[middle]];
		int way = order_names(member, name, len);

		if (way == 0)
			return &member->value;
		if (way < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const struct w_value *
w_value_member(const struct w_value *map, const char *name, size_t len)
{
	if (map->kind != W_VALUE_MAP)
		return NULL;
	if (map->is_indexed)
		return search_index(map, name, len);
	for (size_t i = 0; i < map->as.map.count; i++) {
		const struct w_value_member *member = &map->as.map.members[i];

		if (order_names(member, name, len) == 0)
			return &member->value;
	}
	return NULL;
}

static writ_status value_hide(struct w_arena *arena,
    const struct w_value *value, struct w_value *out_value);

static writ_status
hide_list(struct w_arena *arena, struct w_value *value)
{
	size_t count = value->as.list.count;
	const struct w_value *from = value->as.list.items;
	struct w_value *items = w_arena_alloc(arena, count, sizeof(*items));
	writ_status status = items == NULL ? WRIT_E_NOMEM : WRIT_OK;

	for (size_t i = 0; status == WRIT_OK && i < count; i++)
		status = value_hide(arena, &from[i], &items[i]);
	value->as.list.items = items;
	return status;
}

static writ_status
hide_map(struct w_arena *arena, struct w_value *value)
{
	size_t count = value->as.map.count;
	const struct w_value_member *from = value->as.map.members;
	struct w_value_member *members =
	    w_arena_alloc(arena, count, sizeof(*members));
	writ_status status = members == NULL ? WRIT_E_NOMEM : WRIT_OK;

	for (size_t i = 0; status == WRIT_OK && i < count; i++) {
		members[i] = from[i];
		status = value_hide(arena, &from[i].value, &members[i].value);
	}
	value->as.map.members = members;
	value->is_indexed = false;
	return status;
}

static writ_status
value_hide(struct w_arena *arena, const struct w_value *value,
    struct w_value *out_value)
{
	struct w_value hidden = *value;
	writ_status status = WRIT_OK;

	/* A marked value has all its parts marked already. */
	if (!value->is_secret && value->kind == W_VALUE_LIST)
		status = hide_list(arena, &hidden);
	else if (!value->is_secret && value->kind == W_VALUE_MAP)
		status = hide_map(arena, &hidden);
	hidden.is_secret = true;
	if (status == WRIT_OK)
		*out_value = hidden;
	return status;
}

writ_status
w_value_hide(struct w_arena *arena, const struct w_value *value,
    struct w_value *out_value, writ_error *err)
{
	if (value_hide(arena, value, out_value) != WRIT_OK)
		return w_fail_nomem(err, "value");
	return WRIT_OK;
}

bool
w_value_has_secret(const struct w_value *value)
{
	bool has = value->is_secret;

	if (value->kind == W_VALUE_LIST) {
		for (size_t i = 0; !has && i < value->as.list.count; i++)
			has = w_value_has_secret(&value->as.list.items[i]);
	} else if (value->kind == W_VALUE_MAP) {
		for (size_t i = 0; !has && i < value->as.map.count; i++)
			has =
			    w_value_has_secret(&value->as.map.members[i].value);
	}
	return has;
}
