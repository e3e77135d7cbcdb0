/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the properties of types that a table describes. */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/match.h"
#include "manifest/types/typed.h"

/* ---- the tables ---- */

const struct w_parse_key *
w_typed_keys(enum w_resource_type type)
{
	switch (type) {
	case W_RESOURCE_PACKAGE:
		return w_parse_package_keys;
	case W_RESOURCE_SERVICE:
		return w_parse_service_keys;
	case W_RESOURCE_USER:
		return w_parse_user_keys;
	case W_RESOURCE_GROUP:
		return w_parse_group_keys;
	case W_RESOURCE_ARCHIVE:
		return w_parse_archive_keys;
	case W_RESOURCE_EDIT:
		return w_parse_edit_keys;
	case W_RESOURCE_EXEC:
	case W_RESOURCE_FILE:
	case W_RESOURCE_APPLY:
	case W_RESOURCE_TYPES:
		break;
	}
	return NULL;
}

const struct w_property_list *
w_typed_values(const struct w_resource *resource, const struct w_parse_key *key)
{
	if (key->offset < W_TYPED_AT(0) ||
	    key->offset >= W_TYPED_AT(W_TYPED_VALUES_MAX))
		return NULL;
	return &resource->as.typed->values[(key->offset - W_TYPED_AT(0)) /
					   sizeof(struct w_property_list)];
}

bool
w_typed_is_deferred(const struct w_parse_key *key)
{
	return key->read == w_typed_read_deferred ||
	       key->read == w_typed_read_deferreds ||
	       key->read == w_typed_read_secret;
}

/* ---- readers ---- */

/* A list with room for one; NULL: no memory. */
static struct w_property *
new_property(struct w_parser *parser, struct w_property_list *list)
{
	struct w_property *items = w_parse_alloc(parser, 1, sizeof(*items));

	if (items != NULL)
		*list = (struct w_property_list){.items = items, .count = 1};
	return items;
}

/* A value that is known, as text. */
static void
set_text(struct w_parser *parser, struct w_property_list *list, yyjson_val *val,
    const char *text)
{
	struct w_property *property = new_property(parser, list);

	if (property == NULL)
		return;
	property->at = w_parse_location(parser, val);
	property->text = w_parse_copy(parser, text, strlen(text));
}

void
w_typed_read_text(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	struct w_property *property = new_property(parser, member);

	if (property != NULL)
		w_parse_early(parser, key, property, val);
}

void
w_typed_read_word(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	struct w_property *property = new_property(parser, member);

	if (property != NULL)
		w_parse_early_word(parser, key, property, val);
}

bool
w_typed_is_path(const char *path)
{
	if (path[0] != '/')
		return false;
	while (*path == '/') {
		const size_t len = strcspn(++path, "/");

		if (len == 0 || (len == 1 && path[0] == '.') ||
		    (len == 2 && path[0] == '.' && path[1] == '.'))
			return false;
		path += len;
	}
	return true;
}

void
w_typed_read_path(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	struct w_property *property = new_property(parser, member);

	if (property == NULL)
		return;
	w_parse_early_word(parser, key, property, val);
	if (property->text != NULL && property->text[0] != '\0' &&
	    !w_typed_is_path(property->text))
		(void)w_parse_refuse(parser, val,
		    "%s must be an absolute path without '.', '..' or '//'",
		    key->name);
}

void
w_typed_read_truth(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	bool is_true = false;

	w_parse_truth(parser, key, &is_true, val);
	set_text(parser, member, val, is_true ? "true" : "false");
}

void
w_typed_read_number(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	char digits[24];

	if (!yyjson_is_uint(val) || yyjson_get_uint(val) >= UINT32_MAX) {
		(void)w_parse_refuse(parser, val,
		    "%s must be a whole number from 0 to %u", key->name,
		    UINT32_MAX - 1);
		if (yyjson_is_str(val))
			w_parse_suggest(parser, "leave the quotes out");
		return;
	}
	(void)snprintf(
	    digits, sizeof(digits), "%u", (unsigned)yyjson_get_uint(val));
	set_text(parser, member, val, digits);
}

void
w_typed_read_mode(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	unsigned mode = 0;
	char digits[8];

	if (!w_parse_octal(parser, val, key->name, 0777, &mode))
		return;
	(void)snprintf(digits, sizeof(digits), "%04o", mode & 07777);
	set_text(parser, member, val, digits);
}

void
w_typed_read_time(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	uint64_t ms = 0;
	char text[32];

	w_parse_duration(parser, key, &ms, val);
	(void)snprintf(text, sizeof(text), "%llums", (unsigned long long)ms);
	set_text(parser, member, val, text);
}

static bool
typed_keys_read_item(
    struct w_parser *parser, const char *what, void *element, yyjson_val *val)
{
	const struct w_parse_key key = {what, NULL, 0};

	w_parse_early_word(parser, &key, element, val);
	return true;
}

void
w_typed_read_words(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	static const struct w_parse_element element = {
	    sizeof(struct w_property), typed_keys_read_item};
	struct w_property_list *list = member;
	struct w_property_list made;

	made.items =
	    w_parse_list(parser, key->name, val, &element, &made.count);
	if (made.items != NULL)
		*list = made;
}

void
w_typed_read_deferred(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	struct w_property *property = new_property(parser, member);

	if (property != NULL)
		w_parse_deferred(parser, key, property, val);
}

void
w_typed_read_secret(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	w_typed_read_deferred(parser, key, member, val);
}

void
w_typed_read_deferreds(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	w_parse_deferred_list(parser, key, member, val);
}

void
w_typed_read_provider_none(struct w_parser *parser,
    const struct w_parse_key *key, void *member, yyjson_val *val)
{
	static const char *const words[] = {"posix", NULL};

	(void)member;
	(void)w_parse_choice(parser, val, key->name, words);
}

void
w_typed_read_choice(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val, const char *const *words)
{
	const int which = w_parse_choice(parser, val, key->name, words);

	if (which >= 0)
		set_text(parser, member, val, words[which]);
}

/* "'present', 'absent' or 'latest'" */
static void
list_words(const char *const *words, char *out, size_t size)
{
	size_t len = 0;

	for (size_t i = 0; words[i] != NULL && len < size; i++) {
		const char *before = i == 0                 ? ""
				     : words[i + 1] == NULL ? " or "
							    : ", ";
		const int added =
		    snprintf(out + len, size - len, "%s'%s'", before, words[i]);

		len += added < 0 ? 0 : (size_t)added;
	}
}

bool
w_typed_read_ensure(struct w_parser *parser, struct w_resource *resource,
    yyjson_val *val, const char *const *words)
{
	struct w_property property = {.text = NULL};
	char list[128] = "";

	if (!w_parse_fill(parser, val, "ensure", &property))
		return false;
	for (size_t i = 0; words[i] != NULL; i++) {
		if (strcmp(words[i], property.text) == 0) {
			resource->ensure = words[i];
			return true;
		}
	}
	list_words(words, list, sizeof(list));
	if (property.text[0] == '\0')
		(void)w_parse_refuse(
		    parser, val, "ensure is required, and this one is empty");
	else
		(void)w_parse_refuse(parser, val,
		    "invalid ensure value: must be one of %s", list);
	w_parse_suggest_word(parser, w_match_nearest(property.text, words));
	return false;
}

bool
w_typed_has(const struct w_resource *resource, int index)
{
	return resource->as.typed->values[index].count > 0;
}

const char *
w_typed_early(const struct w_resource *resource, int index)
{
	const struct w_property_list *list = &resource->as.typed->values[index];

	return list->count == 0 ? NULL : list->items[0].text;
}

bool
w_typed_is_true(const struct w_resource *resource, int index, bool standard)
{
	const char *text = w_typed_early(resource, index);

	return text == NULL ? standard : strcmp(text, "true") == 0;
}

bool
w_typed_refuse_with(struct w_parser *parser, const struct w_resource *resource,
    int index, const char *fmt, ...)
{
	const struct w_property_list *list = &resource->as.typed->values[index];
	char text[256];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return w_parse_refuse_at(parser,
	    list->count > 0 ? &list->items[0].at : &resource->name.at, "%s",
	    text);
}

bool
w_typed_is_name(const char *text, const char *more)
{
	if (text[0] == '\0' || text[0] == '-')
		return false;
	for (; *text != '\0'; text++) {
		const char c = *text;

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			(c >= '0' && c <= '9') || strchr(more, c) != NULL))
			return false;
	}
	return true;
}
