/* SPDX-License-Identifier: Apache-2.0 */

/* Reads edit resources. */

#include <string.h>

#include "manifest/types/edit.h"
#include "schema/pattern/pattern.h"

static void
read_ensure(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	static const char *const words[] = {"present", "absent", NULL};

	(void)key;
	(void)w_typed_read_ensure(parser, member, val, words);
}

static void
read_pattern(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	struct w_property_list *list = member;
	struct w_pattern *pattern = NULL;
	writ_error err = {.status = WRIT_OK};

	w_typed_read_text(parser, key, member, val);
	if (list->count == 0 || list->items[0].text == NULL)
		return;
	const char *text = list->items[0].text;
	if (w_pattern_compile(text, strlen(text), &pattern, &err) != WRIT_OK)
		(void)w_parse_refuse_error(
		    parser, &list->items[0].at, key->name, &err);
	w_pattern_free(pattern);
}

const struct w_parse_key w_parse_edit_keys[] = {
    W_PARSE_COMMON_KEYS(read_ensure, w_typed_read_provider_none),
    {"path", w_typed_read_path, W_TYPED_AT(W_EDIT_PATH)},
    {"line", w_typed_read_deferred, W_TYPED_AT(W_EDIT_LINE)},
    {"match", read_pattern, W_TYPED_AT(W_EDIT_MATCH)},
    {"after", read_pattern, W_TYPED_AT(W_EDIT_AFTER)},
    {"before", read_pattern, W_TYPED_AT(W_EDIT_BEFORE)},
    {"block", w_typed_read_deferred, W_TYPED_AT(W_EDIT_BLOCK)},
    {"marker", w_typed_read_text, W_TYPED_AT(W_EDIT_MARKER)},
    {"section", w_typed_read_word, W_TYPED_AT(W_EDIT_SECTION)},
    {"key", w_typed_read_word, W_TYPED_AT(W_EDIT_KEY)},
    {"value", w_typed_read_deferred, W_TYPED_AT(W_EDIT_VALUE)},
    {"create", w_typed_read_truth, W_TYPED_AT(W_EDIT_CREATE)},
    {NULL, NULL, 0},
};

static void
edit_keys_check_map(struct w_parser *parser, yyjson_val *map)
{
	(void)parser;
	(void)map;
}

/* A line, a block or a key. */
static void
check_kind(struct w_parser *parser, const struct w_resource *resource)
{
	const bool is_absent = strcmp(resource->ensure, "absent") == 0;
	const bool has_line = w_typed_has(resource, W_EDIT_LINE);
	const bool has_match = w_typed_has(resource, W_EDIT_MATCH);
	const bool has_block = w_typed_has(resource, W_EDIT_BLOCK);
	const bool has_key = w_typed_has(resource, W_EDIT_KEY);
	const bool is_block =
	    has_block || (is_absent && w_typed_has(resource, W_EDIT_MARKER));
	const int kinds = (has_line || has_match) + is_block + has_key;

	if (kinds != 1)
		(void)w_parse_refuse_at(parser, &resource->name.at,
		    "an edit has one of 'line', 'block' and 'key'");
	else if (has_match && !has_line && !is_absent)
		(void)w_typed_refuse_with(parser, resource, W_EDIT_MATCH,
		    "'match' says which line is replaced; 'line' is missing");
	else if (has_key && !is_absent && !w_typed_has(resource, W_EDIT_VALUE))
		(void)w_typed_refuse_with(
		    parser, resource, W_EDIT_KEY, "a key needs a 'value'");
	if (has_key)
		return;
	for (int i = W_EDIT_SECTION; i <= W_EDIT_VALUE; i++) {
		if (i != W_EDIT_KEY && w_typed_has(resource, i))
			(void)w_typed_refuse_with(parser, resource, i,
			    "'section' and 'value' belong to a 'key'");
	}
}

static void
check_place(struct w_parser *parser, const struct w_resource *resource)
{
	const bool has_after = w_typed_has(resource, W_EDIT_AFTER);

	if (has_after && w_typed_has(resource, W_EDIT_BEFORE))
		(void)w_typed_refuse_with(parser, resource, W_EDIT_BEFORE,
		    "'after' and 'before' are mutually exclusive");
	if ((has_after || w_typed_has(resource, W_EDIT_BEFORE)) &&
	    (w_typed_has(resource, W_EDIT_KEY) ||
		strcmp(resource->ensure, "absent") == 0))
		(void)w_typed_refuse_with(parser, resource,
		    has_after ? W_EDIT_AFTER : W_EDIT_BEFORE,
		    "'after' and 'before' say where a new line or block goes");
}

static void
edit_keys_check(struct w_parser *parser, struct w_resource *resource)
{
	const char *marker = w_typed_early(resource, W_EDIT_MARKER);
	const char *key = w_typed_early(resource, W_EDIT_KEY);
	const char *section = w_typed_early(resource, W_EDIT_SECTION);

	check_kind(parser, resource);
	check_place(parser, resource);
	if (!w_typed_has(resource, W_EDIT_PATH) &&
	    resource->name.template.parts != NULL &&
	    resource->name.text[0] != '\0' &&
	    !w_typed_is_path(resource->name.text))
		(void)w_parse_refuse_at(parser, &resource->name.at,
		    "the name is the file to edit, and must be an absolute "
		    "path; or give 'path'");
	if (marker != NULL && (strstr(marker, W_EDIT_MARK) == NULL ||
				  strchr(marker, '\n') != NULL))
		(void)w_typed_refuse_with(parser, resource, W_EDIT_MARKER,
		    "marker must be one line with %s in it", W_EDIT_MARK);
	if (marker != NULL &&
	    (w_typed_has(resource, W_EDIT_LINE) || key != NULL))
		(void)w_typed_refuse_with(parser, resource, W_EDIT_MARKER,
		    "'marker' belongs to a 'block'");
	if (key != NULL && strpbrk(key, "=:[\n") != NULL)
		(void)w_typed_refuse_with(parser, resource, W_EDIT_KEY,
		    "key cannot have '=', ':', '[' or a new line");
	if (section != NULL && strpbrk(section, "]\n") != NULL)
		(void)w_typed_refuse_with(parser, resource, W_EDIT_SECTION,
		    "section cannot have ']' or a new line");
}

const struct w_parse_type w_parse_edit = {
    .keys = w_parse_edit_keys,
    .check_map = edit_keys_check_map,
    .check = edit_keys_check,
};
