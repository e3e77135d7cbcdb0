/* SPDX-License-Identifier: Apache-2.0 */

/* The keywords of both drafts, with the place of their subschemas and their
 * compile functions. */

#include "schema/compile/keyword.h"

#include <stdlib.h>
#include <string.h>

#define NEW  (1U << W_SCHEMA_2020_12)
#define OLD  (1U << W_SCHEMA_DRAFT_07)
#define BOTH (NEW | OLD)

#define CORE W_VOCABULARY_CORE
#define APPL W_VOCABULARY_APPLICATOR
#define UNEV W_VOCABULARY_UNEVALUATED
#define VALI W_VOCABULARY_VALIDATION

/* Sorted by name. Where drafts differ, a name has one row for each. */
static const struct w_keyword keywords[] = {
    {"$anchor", NEW, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_string},
    {"$comment", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_string},
    {"$defs", NEW, CORE, W_KEYWORD_SHAPE_MAP, w_keyword_definitions},
    {"$dynamicAnchor", NEW, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_string},
    {"$dynamicRef", NEW, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_dynamic_ref},
    {"$id", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_string},
    {"$ref", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_ref},
    {"$schema", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_string},
    {"$vocabulary", NEW, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_object},
    {"additionalItems", OLD, APPL, W_KEYWORD_SHAPE_SCHEMA,
	w_keyword_additional_items},
    {"additionalProperties", BOTH, APPL, W_KEYWORD_SHAPE_SCHEMA,
	w_keyword_additional_properties},
    {"allOf", BOTH, APPL, W_KEYWORD_SHAPE_LIST, w_keyword_all_of},
    {"anyOf", BOTH, APPL, W_KEYWORD_SHAPE_LIST, w_keyword_any_of},
    {"const", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_const},
    {"contains", BOTH, APPL, W_KEYWORD_SHAPE_SCHEMA, w_keyword_contains},
    {"contentEncoding", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_string},
    {"contentMediaType", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_string},
    {"contentSchema", NEW, CORE, W_KEYWORD_SHAPE_SCHEMA,
	w_keyword_content_schema},
    {"definitions", BOTH, CORE, W_KEYWORD_SHAPE_MAP, w_keyword_definitions},
    {"dependencies", BOTH, APPL, W_KEYWORD_SHAPE_MAP, w_keyword_dependencies},
    {"dependentRequired", NEW, VALI, W_KEYWORD_SHAPE_PLAIN,
	w_keyword_dependent_required},
    {"dependentSchemas", NEW, APPL, W_KEYWORD_SHAPE_MAP,
	w_keyword_dependent_schemas},
    {"deprecated", NEW, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_boolean},
    {"description", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_string},
    {"else", BOTH, APPL, W_KEYWORD_SHAPE_SCHEMA, w_keyword_else},
    {"enum", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_enum},
    {"examples", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_array},
    {"exclusiveMaximum", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN,
	w_keyword_exclusive_maximum},
    {"exclusiveMinimum", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN,
	w_keyword_exclusive_minimum},
    {"format", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_format},
    {"if", BOTH, APPL, W_KEYWORD_SHAPE_SCHEMA, w_keyword_if},
    {"items", NEW, APPL, W_KEYWORD_SHAPE_SCHEMA, w_keyword_items},
    {"items", OLD, APPL, W_KEYWORD_SHAPE_SCHEMA_OR_LIST, w_keyword_items_07},
    {"maxContains", NEW, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_max_contains},
    {"maxItems", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_max_items},
    {"maxLength", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_max_length},
    {"maxProperties", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN,
	w_keyword_max_properties},
    {"maximum", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_maximum},
    {"minContains", NEW, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_min_contains},
    {"minItems", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_min_items},
    {"minLength", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_min_length},
    {"minProperties", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN,
	w_keyword_min_properties},
    {"minimum", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_minimum},
    {"multipleOf", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_multiple_of},
    {"not", BOTH, APPL, W_KEYWORD_SHAPE_SCHEMA, w_keyword_not},
    {"oneOf", BOTH, APPL, W_KEYWORD_SHAPE_LIST, w_keyword_one_of},
    {"pattern", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_pattern},
    {"patternProperties", BOTH, APPL, W_KEYWORD_SHAPE_MAP,
	w_keyword_pattern_properties},
    {"prefixItems", NEW, APPL, W_KEYWORD_SHAPE_LIST, w_keyword_prefix_items},
    {"properties", BOTH, APPL, W_KEYWORD_SHAPE_MAP, w_keyword_properties},
    {"propertyNames", BOTH, APPL, W_KEYWORD_SHAPE_SCHEMA,
	w_keyword_property_names},
    {"readOnly", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_boolean},
    {"required", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_required},
    {"then", BOTH, APPL, W_KEYWORD_SHAPE_SCHEMA, w_keyword_then},
    {"title", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_string},
    {"type", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_type},
    {"unevaluatedItems", NEW, UNEV, W_KEYWORD_SHAPE_SCHEMA,
	w_keyword_unevaluated_items},
    {"unevaluatedProperties", NEW, UNEV, W_KEYWORD_SHAPE_SCHEMA,
	w_keyword_unevaluated_properties},
    {"uniqueItems", BOTH, VALI, W_KEYWORD_SHAPE_PLAIN, w_keyword_unique_items},
    {"writeOnly", BOTH, CORE, W_KEYWORD_SHAPE_PLAIN, w_keyword_boolean},
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
