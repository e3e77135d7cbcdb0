/* SPDX-License-Identifier: Apache-2.0 */

/* The keywords of both drafts: where their subschemas are, how they are
 * compiled and where that is stored. */

#include "schema/compile/keyword.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NEW  (1U << W_SCHEMA_2020_12)
#define OLD  (1U << W_SCHEMA_DRAFT_07)
#define BOTH (NEW | OLD)

#define CORE W_VOCABULARY_CORE
#define APPL W_VOCABULARY_APPLICATOR
#define UNEV W_VOCABULARY_UNEVALUATED
#define VALI W_VOCABULARY_VALIDATION

/* Where a keyword stores its value. */
#define NONE         W_KEYWORD_HOME_NONE, 0
#define LOGIC(field) W_KEYWORD_HOME_LOGIC, offsetof(struct w_logic, field)
#define NUMBER(field) \
	W_KEYWORD_HOME_NUMBER, offsetof(struct w_number_rules, field)
#define TEXT(field) W_KEYWORD_HOME_TEXT, offsetof(struct w_text_rules, field)
#define LIST(field) W_KEYWORD_HOME_LIST, offsetof(struct w_list_rules, field)
#define OBJECT(field) \
	W_KEYWORD_HOME_OBJECT, offsetof(struct w_object_rules, field)
#define PARTS(field) W_KEYWORD_HOME_PARTS, offsetof(struct w_parts, field)

/* Sorted by name. Where drafts differ, a name has one row for each. */
static const struct w_keyword keywords[] = {
    {"$anchor", NEW, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_string, NONE},
    {"$comment", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_string, NONE},
    {"$defs", NEW, CORE, W_KEYWORD_SHAPE_MAP, w_keyword_map, NONE},
    {"$dynamicAnchor", NEW, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_string,
	NONE},
    {"$dynamicRef", NEW, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_dynamic_ref,
	LOGIC(dynamic)},
    {"$id", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_string, NONE},
    {"$ref", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_ref, LOGIC(ref)},
    {"$schema", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_string, NONE},
    {"$vocabulary", NEW, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_object, NONE},
    {"additionalItems", OLD, APPL, W_KEYWORD_SHAPE_SCHEMA,
	w_keyword_additional_items, NONE},
    {"additionalProperties", BOTH, APPL, W_KEYWORD_SHAPE_SCHEMA, w_keyword_sub,
	OBJECT(additional)},
    {"allOf", BOTH, APPL, W_KEYWORD_SHAPE_LIST, w_keyword_subs, LOGIC(all)},
    {"anyOf", BOTH, APPL, W_KEYWORD_SHAPE_LIST, w_keyword_subs, LOGIC(any)},
    {"const", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_const,
	LOGIC(constant)},
    {"contains", BOTH, APPL, W_KEYWORD_SHAPE_SCHEMA, w_keyword_sub,
	LIST(contains)},
    {"contentEncoding", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_string,
	NONE},
    {"contentMediaType", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_string,
	NONE},
    {"contentSchema", NEW, CORE, W_KEYWORD_SHAPE_SCHEMA, w_keyword_sub, NONE},
    {"definitions", BOTH, CORE, W_KEYWORD_SHAPE_MAP, w_keyword_map, NONE},
    {"dependencies", BOTH, APPL, W_KEYWORD_SHAPE_MAP, w_keyword_dependencies,
	PARTS(dependencies)},
    {"dependentRequired", NEW, VALI, W_KEYWORD_SHAPE_PLAIN,
	w_keyword_dependent_required, PARTS(dependent_required)},
    {"dependentSchemas", NEW, APPL, W_KEYWORD_SHAPE_MAP, w_keyword_map,
	PARTS(dependent_schemas)},
    {"deprecated", NEW, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_boolean, NONE},
    {"description", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_string, NONE},
    {"else", BOTH, APPL, W_KEYWORD_SHAPE_SCHEMA, w_keyword_sub,
	LOGIC(alternative)},
    {"enum", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_enum, LOGIC(choices)},
    {"examples", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_array, NONE},
    {"exclusiveMaximum", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_number,
	NUMBER(below)},
    {"exclusiveMinimum", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_number,
	NUMBER(above)},
    {"format", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_format, NONE},
    {"if", BOTH, APPL, W_KEYWORD_SHAPE_SCHEMA, w_keyword_sub, LOGIC(condition)},
    {"items", NEW, APPL, W_KEYWORD_SHAPE_SCHEMA, w_keyword_items, LIST(rest)},
    {"items", OLD, APPL, W_KEYWORD_SHAPE_SCHEMA_OR_LIST, w_keyword_items_07,
	NONE},
    {"maxContains", NEW, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_count,
	LIST(found.max)},
    {"maxItems", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_count,
	LIST(size.max)},
    {"maxLength", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_count,
	TEXT(length.max)},
    {"maxProperties", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_count,
	OBJECT(size.max)},
    {"maximum", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_number,
	NUMBER(maximum)},
    {"minContains", NEW, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_count,
	LIST(found.min)},
    {"minItems", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_count,
	LIST(size.min)},
    {"minLength", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_count,
	TEXT(length.min)},
    {"minProperties", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_count,
	OBJECT(size.min)},
    {"minimum", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_number,
	NUMBER(minimum)},
    {"multipleOf", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_multiple_of,
	NUMBER(multiple)},
    {"not", BOTH, APPL, W_KEYWORD_SHAPE_SCHEMA, w_keyword_sub, LOGIC(negated)},
    {"oneOf", BOTH, APPL, W_KEYWORD_SHAPE_LIST, w_keyword_subs, LOGIC(one)},
    {"pattern", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_pattern,
	TEXT(pattern)},
    {"patternProperties", BOTH, APPL, W_KEYWORD_SHAPE_MAP, w_keyword_map,
	PARTS(patterns)},
    {"prefixItems", NEW, APPL, W_KEYWORD_SHAPE_LIST, w_keyword_subs,
	LIST(prefix)},
    {"properties", BOTH, APPL, W_KEYWORD_SHAPE_MAP, w_keyword_map,
	PARTS(properties)},
    {"propertyNames", BOTH, APPL, W_KEYWORD_SHAPE_SCHEMA, w_keyword_sub,
	OBJECT(key)},
    {"readOnly", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_boolean, NONE},
    {"required", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_required,
	PARTS(required)},
    {"then", BOTH, APPL, W_KEYWORD_SHAPE_SCHEMA, w_keyword_sub,
	LOGIC(consequence)},
    {"title", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_string, NONE},
    {"type", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_type, NONE},
    {"unevaluatedItems", NEW, UNEV, W_KEYWORD_SHAPE_SCHEMA, w_keyword_sub,
	LIST(unevaluated)},
    {"unevaluatedProperties", NEW, UNEV, W_KEYWORD_SHAPE_SCHEMA, w_keyword_sub,
	OBJECT(unevaluated)},
    {"uniqueItems", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_unique_items,
	NONE},
    {"writeOnly", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_boolean, NONE},
};

#define KEYWORD_COUNT (sizeof(keywords) / sizeof(keywords[0]))

struct sought {
	const char *name;
	size_t len;
};

static int
compare_name(const void *key, const void *row)
{
	const struct sought *sought = key;
	const struct w_keyword *keyword = row;
	int order = strncmp(sought->name, keyword->name, sought->len);

	if (order == 0 && keyword->name[sought->len] != '\0')
		return -1;
	return order;
}

const struct w_keyword *
w_keyword_find(
    const struct w_schema_resource *resource, const char *name, size_t len)
{
	const struct sought sought = {name, len};

	if (memchr(name, '\0', len) != NULL)
		return NULL;
	const struct w_keyword *found = bsearch(&sought, keywords,
	    KEYWORD_COUNT, sizeof(keywords[0]), compare_name);
	if (found == NULL)
		return NULL;
	if (found > keywords && strcmp(found[-1].name, found->name) == 0)
		found--;
	for (; found < keywords + KEYWORD_COUNT; found++) {
		if (compare_name(&sought, found) != 0)
			return NULL;
		if ((found->drafts & 1U << resource->draft) != 0 &&
		    (found->vocabulary & resource->vocabularies) != 0)
			return found;
	}
	return NULL;
}

/* Rules are created on first use; NULL: no memory. */

static struct w_list_rules *
list_rules(struct w_arena *arena, struct w_node *node)
{
	if (node->list != NULL)
		return node->list;
	node->list = w_arena_alloc(arena, 1, sizeof(*node->list));
	if (node->list != NULL) {
		node->list->size.max = SIZE_MAX;
		node->list->found = (struct w_size_range){1, SIZE_MAX};
		node->list->marks_found =
		    node->resource->draft != W_SCHEMA_DRAFT_07;
	}
	return node->list;
}

static struct w_object_rules *
object_rules(struct w_arena *arena, struct w_node *node)
{
	if (node->object != NULL)
		return node->object;
	node->object = w_arena_alloc(arena, 1, sizeof(*node->object));
	if (node->object != NULL)
		node->object->size.max = SIZE_MAX;
	return node->object;
}

static struct w_text_rules *
text_rules(struct w_arena *arena, struct w_node *node)
{
	if (node->text != NULL)
		return node->text;
	node->text = w_arena_alloc(arena, 1, sizeof(*node->text));
	if (node->text != NULL)
		node->text->length.max = SIZE_MAX;
	return node->text;
}

void *
w_keyword_rules(
    struct w_compiler *compiler, struct w_node *node, enum w_keyword_home home)
{
	struct w_arena *arena = &compiler->schema->arena;

	switch (home) {
	case W_KEYWORD_HOME_LOGIC:
		if (node->logic == NULL)
			node->logic =
			    w_arena_alloc(arena, 1, sizeof(*node->logic));
		return node->logic;
	case W_KEYWORD_HOME_NUMBER:
		if (node->number == NULL)
			node->number =
			    w_arena_alloc(arena, 1, sizeof(*node->number));
		return node->number;
	case W_KEYWORD_HOME_TEXT:
		return text_rules(arena, node);
	case W_KEYWORD_HOME_LIST:
		return list_rules(arena, node);
	case W_KEYWORD_HOME_OBJECT:
		return object_rules(arena, node);
	case W_KEYWORD_HOME_PARTS:
		return object_rules(arena, node) != NULL ? &compiler->parts
							 : NULL;
	case W_KEYWORD_HOME_NONE:
		break;
	}
	return NULL;
}

writ_status
w_keyword_compile(const struct w_keyword *keyword, struct w_compiler *compiler,
    struct w_node *node, yyjson_val *value)
{
	if (keyword->home == W_KEYWORD_HOME_NONE)
		return keyword->compile(compiler, node, value, NULL);
	char *home = w_keyword_rules(compiler, node, keyword->home);
	if (home == NULL)
		return w_compile_nomem(compiler);
	return keyword->compile(compiler, node, value, home + keyword->offset);
}
