/* SPDX-License-Identifier: Apache-2.0 */

/* Reads texts, which are templates, and fills in early ones. */

#include "manifest/read/manifest_parser.h"

#include <stdio.h>
#include <string.h>

#include "base/match.h"
#include "data/json_words.h"

bool
w_parse_text(struct w_parser *parser, yyjson_val *val, const char *what)
{
	if (!yyjson_is_str(val)) {
		(void)w_parse_refuse(parser, val, "%s must be text, not %s",
		    what, w_json_type_words(val));
		if (yyjson_is_num(val) || yyjson_is_bool(val))
			w_parse_suggest(parser, "put it in quotes");
		else if (yyjson_is_null(val))
			w_parse_suggest(parser, "leave the key out");
		return false;
	}
	if (!w_json_is_text(val))
		return w_parse_refuse(
		    parser, val, "%s has a NUL character in it", what);
	return true;
}

static bool
manifest_property_parse(struct w_parser *parser, yyjson_val *val,
    const char *text, const char *what, struct w_property *out_property)
{
	struct w_manifest *manifest = parser->manifest;
	struct w_property property = {.at = w_parse_location(parser, val)};
	writ_error err = {.status = WRIT_OK};

	if (w_template_parse(&manifest->arena, text, strlen(text),
		&property.template, &err) != WRIT_OK)
		return w_parse_refuse_within(
		    parser, &property.at, text, what, &err);
	manifest->uses |= property.template.uses;
	*out_property = property;
	return true;
}

bool
w_parse_template(struct w_parser *parser, yyjson_val *val, const char *what,
    struct w_property *out_property)
{
	return w_parse_text(parser, val, what) &&
	       manifest_property_parse(
		   parser, val, yyjson_get_str(val), what, out_property);
}

bool
w_parse_spend(
    struct w_parser *parser, const struct w_manifest_location *at, size_t bytes)
{
	parser->filled += bytes;
	if (parser->filled <= W_MANIFEST_FILLED_MAX)
		return true;
	return w_parse_refuse_at(
	    parser, at, "the templates make more than 256MiB of text together");
}

/* Temporary values are freed with the scratch arena. */
static bool
manifest_property_evaluate(struct w_parser *parser, const char *what,
    struct w_property *property, struct w_arena *scratch)
{
	struct w_value value;
	writ_error err = {.status = WRIT_OK};

	if (w_template_text(&property->template, parser->early, scratch, &value,
		&err) != WRIT_OK)
		return w_parse_refuse_within(
		    parser, &property->at, property->template.text, what, &err);
	if (value.is_secret) {
		(void)w_parse_refuse_at(parser, &property->at,
		    "%s cannot be secret: it is shown and recorded", what);
		w_parse_suggest(parser,
		    "secrets may be in environment, stdin and the content of a "
		    "file");
		return false;
	}
	if (!w_parse_spend(parser, &property->at, value.as.string.len))
		return false;
	property->text = scratch == &parser->manifest->arena
			     ? value.as.string.text
			     : w_parse_copy(parser, value.as.string.text,
				   value.as.string.len);
	return property->text != NULL;
}

static bool
manifest_property_fill(
    struct w_parser *parser, const char *what, struct w_property *property)
{
	struct w_arena scratch = {.chunks = NULL};
	bool is_filled;

	if (w_template_is_plain(&property->template))
		return manifest_property_evaluate(
		    parser, what, property, &parser->manifest->arena);
	if (parser->early == NULL || parser->filled > W_MANIFEST_FILLED_MAX)
		return false;
	is_filled =
	    manifest_property_evaluate(parser, what, property, &scratch);
	w_arena_done(&scratch);
	return is_filled;
}

bool
w_parse_fill(struct w_parser *parser, yyjson_val *val, const char *what,
    struct w_property *out_property)
{
	return w_parse_template(parser, val, what, out_property) &&
	       manifest_property_fill(parser, what, out_property);
}

int
w_parse_choice(struct w_parser *parser, yyjson_val *val, const char *what,
    const char *const *words)
{
	struct w_property property;
	char shown[W_PARSE_SHOWN_MAX];

	if (!w_parse_fill(parser, val, what, &property))
		return -1;
	for (int i = 0; words[i] != NULL; i++) {
		if (strcmp(property.text, words[i]) == 0)
			return i;
	}
	(void)w_parse_refuse(parser, val, "there is no %s '%s'", what,
	    w_parse_shown(parser, property.text, shown));
	w_parse_suggest_word(parser, w_match_nearest(property.text, words));
	return -1;
}

void
w_parse_early(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	(void)w_parse_fill(parser, val, key->name, member);
}

void
w_parse_early_word(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	struct w_property *property = member;
	const char *text = yyjson_get_str(val);

	/* Users and groups may be numbers. */
	if (yyjson_is_uint(val)) {
		char digits[24];
		const int len = snprintf(digits, sizeof(digits), "%llu",
		    (unsigned long long)yyjson_get_uint(val));

		text = w_parse_copy(parser, digits, (size_t)len);
	} else if (!w_parse_text(parser, val, key->name)) {
		return;
	}
	if (text == NULL ||
	    !manifest_property_parse(parser, val, text, key->name, property) ||
	    !manifest_property_fill(parser, key->name, property))
		return;
	if (property->text[0] == '\0')
		(void)w_parse_refuse(
		    parser, val, "%s cannot be empty", key->name);
}

void
w_parse_deferred(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	(void)w_parse_template(parser, val, key->name, member);
}

static bool
read_deferred_item(
    struct w_parser *parser, const char *what, void *element, yyjson_val *val)
{
	return w_parse_template(parser, val, what, element);
}

const struct w_parse_element w_parse_deferred_element = {
    sizeof(struct w_property), read_deferred_item};

void
w_parse_deferred_list(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	struct w_property_list *list = member;
	struct w_property_list made;

	made.items = w_parse_list(
	    parser, key->name, val, &w_parse_deferred_element, &made.count);
	if (made.items != NULL)
		*list = made;
}

void
w_parse_truth(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	bool *is_true = member;

	if (yyjson_is_bool(val)) {
		*is_true = yyjson_get_bool(val);
		return;
	}
	(void)w_parse_refuse(parser, val, "%s must be true or false, not %s",
	    key->name, w_json_type_words(val));
	if (yyjson_equals_str(val, "true") || yyjson_equals_str(val, "false"))
		w_parse_suggest(parser, "leave the quotes out");
	else if (yyjson_equals_str(val, "yes") || yyjson_equals_str(val, "no"))
		w_parse_suggest(parser, "write true or false");
}

static bool
read_tag(
    struct w_parser *parser, const char *what, void *element, yyjson_val *val)
{
	struct w_property *tag = element;

	if (!w_parse_fill(parser, val, what, tag))
		return false;
	return tag->text[0] != '\0' ||
	       w_parse_refuse(parser, val, "%s cannot be empty", what);
}

void
w_parse_tags(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	static const struct w_parse_element element = {
	    sizeof(struct w_property), read_tag};
	struct w_property_list *list = member;
	struct w_property_list made;

	made.items =
	    w_parse_list(parser, key->name, val, &element, &made.count);
	if (made.items != NULL)
		*list = made;
}

void
w_parse_unsupported(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	(void)member;
	(void)w_parse_refuse(parser, val, "%s is not supported yet", key->name);
}
