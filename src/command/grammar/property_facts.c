/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Which types the values of a property can have, as far as the schema is
 * simple: type, enum, const, and through $ref, anyOf, oneOf, allOf and items.
 *
 * This is for choosing a spelling, not for validation, so it may be generous:
 * the answer contains every type that the schema accepts, and perhaps more.
 * References may be circular and branches may multiply, so depth and the number
 * of visited schemas are limited.
 */

#include "command/grammar/property_facts.h"

#include <string.h>

#include "command/grammar/grammar.h"

#define DEPTH_MAX   16
#define SCHEMAS_MAX 512

struct property_facts_search {
	yyjson_val *root;
	unsigned left;     /* schemas that may still be visited */
	bool is_ref_alone; /* draft-07: everything beside $ref is ignored */
};

const struct w_type_name w_type_names[] = {
    {"null", W_TYPE_NULL},
    {"boolean", W_TYPE_BOOLEAN},
    {"integer", W_TYPE_INTEGER},
    {"number", W_TYPE_NUMBER},
    {"string", W_TYPE_STRING},
    {"array", W_TYPE_ARRAY},
    {"object", W_TYPE_OBJECT},
    {NULL, 0},
};

static unsigned
named_type(yyjson_val *name)
{
	for (size_t i = 0; w_type_names[i].name != NULL; i++) {
		if (yyjson_equals_str(name, w_type_names[i].name))
			return w_type_names[i].bit;
	}
	return W_TYPE_ANY;
}

static unsigned
type_of_value(yyjson_val *val)
{
	switch (yyjson_get_type(val)) {
	case YYJSON_TYPE_NULL:
		return W_TYPE_NULL;
	case YYJSON_TYPE_BOOL:
		return W_TYPE_BOOLEAN;
	case YYJSON_TYPE_NUM:
		return yyjson_is_int(val) ? W_TYPE_INTEGER : W_TYPE_NUMBER;
	case YYJSON_TYPE_RAW:
		return W_TYPE_NUMBER;
	case YYJSON_TYPE_STR:
		return W_TYPE_STRING;
	case YYJSON_TYPE_ARR:
		return W_TYPE_ARRAY;
	case YYJSON_TYPE_OBJ:
		return W_TYPE_OBJECT;
	default:
		return W_TYPE_ANY;
	}
}

/* "number" includes the integers, so both sides get that bit for the
 * comparison. */
static unsigned
both(unsigned a, unsigned b)
{
	if ((a & W_TYPE_NUMBER) != 0)
		a |= W_TYPE_INTEGER;
	if ((b & W_TYPE_NUMBER) != 0)
		b |= W_TYPE_INTEGER;

	unsigned common = a & b;
	if (common != W_TYPE_ANY && (common & W_TYPE_NUMBER) != 0)
		common &= ~(unsigned)W_TYPE_INTEGER;
	return common;
}

static void
narrow(struct w_property_facts *facts, const struct w_property_facts *more)
{
	facts->types = both(facts->types, more->types);
	facts->item_types = both(facts->item_types, more->item_types);
	facts->is_path |= more->is_path;
}

static void
narrow_types(struct w_property_facts *facts, yyjson_val *names)
{
	unsigned types = 0;
	size_t i;
	size_t count;
	yyjson_val *name;

	if (yyjson_is_str(names))
		types = named_type(names);
	yyjson_arr_foreach(names, i, count, name)
	{
		types |= named_type(name);
	}
	if (types != 0)
		facts->types = both(facts->types, types);
}

static void
narrow_values(struct w_property_facts *facts, yyjson_val *list)
{
	unsigned types = 0;
	size_t i;
	size_t count;
	yyjson_val *val;

	yyjson_arr_foreach(list, i, count, val)
	{
		types |= type_of_value(val);
	}
	if (types != 0)
		facts->types = both(facts->types, types);
}

static struct w_property_facts property_facts_look(
    struct property_facts_search *search, yyjson_val *schema, unsigned depth);

/* "#", "#/$defs/name". Other references can be any type. */
static yyjson_val *
referred(const struct property_facts_search *search, yyjson_val *ref)
{
	const char *text = yyjson_get_str(ref);

	if (text == NULL || text[0] != '#' ||
	    strlen(text) != yyjson_get_len(ref))
		return NULL;
	return yyjson_ptr_get(search->root, text + 1);
}

static void
narrow_one_of(struct property_facts_search *search,
    struct w_property_facts *facts, yyjson_val *branches, unsigned depth)
{
	struct w_property_facts sum = {0};
	size_t i;
	size_t count;
	yyjson_val *branch;

	if (!yyjson_is_arr(branches) || yyjson_arr_size(branches) == 0)
		return;
	yyjson_arr_foreach(branches, i, count, branch)
	{
		struct w_property_facts one =
		    property_facts_look(search, branch, depth);

		sum.types |= one.types;
		sum.item_types |= one.item_types;
		sum.is_path |= one.is_path;
	}
	narrow(facts, &sum);
}

static void
narrow_all_of(struct property_facts_search *search,
    struct w_property_facts *facts, yyjson_val *branches, unsigned depth)
{
	size_t i;
	size_t count;
	yyjson_val *branch;

	yyjson_arr_foreach(branches, i, count, branch)
	{
		struct w_property_facts one =
		    property_facts_look(search, branch, depth);

		narrow(facts, &one);
	}
}

static void
look_at_items(struct property_facts_search *search,
    struct w_property_facts *facts, yyjson_val *schema, unsigned depth)
{
	yyjson_val *items = yyjson_obj_get(schema, "items");

	if (!yyjson_is_obj(items))
		return;
	struct w_property_facts one = property_facts_look(search, items, depth);
	facts->is_path |= one.is_path;
	if (yyjson_obj_get(schema, "prefixItems") == NULL)
		facts->item_types = both(facts->item_types, one.types);
}

/* What the schema says besides a reference. */
static void
narrow_by_own(struct property_facts_search *search,
    struct w_property_facts *facts, yyjson_val *schema, unsigned depth)
{
	yyjson_val *only = yyjson_obj_get(schema, "const");

	narrow_types(facts, yyjson_obj_get(schema, "type"));
	narrow_values(facts, yyjson_obj_get(schema, "enum"));
	if (only != NULL)
		facts->types = both(facts->types, type_of_value(only));
	narrow_one_of(search, facts, yyjson_obj_get(schema, "anyOf"), depth);
	narrow_one_of(search, facts, yyjson_obj_get(schema, "oneOf"), depth);
	narrow_all_of(search, facts, yyjson_obj_get(schema, "allOf"), depth);
	look_at_items(search, facts, schema, depth);
}

static struct w_property_facts
property_facts_look(
    struct property_facts_search *search, yyjson_val *schema, unsigned depth)
{
	struct w_property_facts facts = {
	    .types = W_TYPE_ANY, .item_types = W_TYPE_ANY};
	yyjson_val *ref = yyjson_obj_get(schema, "$ref");

	if (!yyjson_is_obj(schema) || depth == DEPTH_MAX || search->left == 0)
		return facts;
	search->left--;

	facts.is_path =
	    yyjson_is_true(yyjson_obj_get(schema, "x-apexe-path")) ||
	    yyjson_equals_str(yyjson_obj_get(schema, "format"), "path");

	yyjson_val *target = referred(search, ref);
	if (target != NULL) {
		struct w_property_facts there =
		    property_facts_look(search, target, depth + 1);

		narrow(&facts, &there);
	}
	if (ref == NULL || !search->is_ref_alone)
		narrow_by_own(search, &facts, schema, depth + 1);
	if ((facts.types & W_TYPE_ARRAY) == 0)
		facts.item_types = 0;
	return facts;
}

struct w_property_facts
w_property_facts(yyjson_val *root, yyjson_val *schema)
{
	const char *dialect = yyjson_get_str(yyjson_obj_get(root, "$schema"));
	struct property_facts_search search = {
	    .root = root, .left = SCHEMAS_MAX};

	search.is_ref_alone =
	    dialect != NULL && strstr(dialect, "draft-07") != NULL;
	return property_facts_look(&search, schema, 0);
}
