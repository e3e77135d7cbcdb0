/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads references, type#name, and resolves each to the nearest earlier
 * resource. A reference to a later or unknown resource is a fault: nothing runs
 * then.
 */

#include <stdlib.h>
#include <string.h>

#include "base/match.h"
#include "data/json_words.h"
#include "manifest/read/manifest_parser.h"

/* At most this many names are compared for suggestions. */
#define COMPARISONS_MAX 20000

#define CANDIDATES_MAX  512

/* ---- reading ---- */

static bool
manifest_reference_split(struct w_parser *parser, struct w_reference *reference)
{
	const char *hash = strchr(reference->text, '#');

	reference->type = w_parse_copy(
	    parser, reference->text, (size_t)(hash - reference->text));
	reference->name = hash + 1;
	reference->target = W_NO_TARGET;
	return reference->type != NULL;
}

static bool
has_parts(const char *text)
{
	const char *hash = strchr(text, '#');

	return hash != NULL && hash != text && hash[1] != '\0';
}

static bool
read_required(
    struct w_parser *parser, const char *what, void *element, yyjson_val *val)
{
	struct w_reference *out_reference = element;
	struct w_property property;
	char shown[W_PARSE_SHOWN_MAX];

	if (!w_parse_fill(parser, val, what, &property))
		return false;
	out_reference->at = property.at;
	out_reference->text = property.text;
	if (!has_parts(out_reference->text)) {
		(void)w_parse_refuse(parser, val,
		    "invalid require properties: '%s' is not TYPE#NAME",
		    w_parse_shown(parser, out_reference->text, shown));
		w_parse_suggest(parser, "write such as exec#/bin/true");
		return false;
	}
	return manifest_reference_split(parser, out_reference);
}

static bool
read_subscribed(
    struct w_parser *parser, const char *what, void *element, yyjson_val *val)
{
	struct w_reference *out_reference = element;
	struct w_property property;
	char shown[W_PARSE_SHOWN_MAX];

	if (!w_parse_fill(parser, val, what, &property))
		return false;
	out_reference->at = property.at;
	out_reference->text = property.text;
	if (!has_parts(property.text) ||
	    strchr(strchr(property.text, '#') + 1, '#') != NULL) {
		(void)w_parse_refuse(parser, val,
		    "invalid subscribe format '%s'",
		    w_parse_shown(parser, property.text, shown));
		w_parse_suggest(
		    parser, "write TYPE#NAME, such as file#/etc/motd");
		return false;
	}
	return manifest_reference_split(parser, out_reference);
}

void
w_parse_require(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	static const struct w_parse_element element = {
	    sizeof(struct w_reference), read_required};
	struct w_reference_list *list = member;
	struct w_reference_list made;

	made.items =
	    w_parse_list(parser, key->name, val, &element, &made.count);
	if (made.items != NULL)
		*list = made;
}

void
w_parse_subscribe(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	static const struct w_parse_element element = {
	    sizeof(struct w_reference), read_subscribed};
	struct w_reference_list *list = member;
	struct w_reference_list made;

	made.items =
	    w_parse_list(parser, key->name, val, &element, &made.count);
	if (made.items != NULL)
		*list = made;
}

/* ---- resolving ---- */

/* Resolves what it can; false: not all. */
static bool
resolve_list(const struct w_parser *parser, const struct w_reference_list *list,
    size_t before)
{
	bool is_whole = true;

	for (size_t i = 0; list != NULL && i < list->count; i++) {
		struct w_reference *one = &list->items[i];

		one->target = w_manifest_find(
		    parser->manifest, one->type, one->name, before);
		if (one->target == W_NO_TARGET)
			is_whole = false;
	}
	return is_whole;
}

/* Suggests an earlier resource with a similar name. */
static void
manifest_reference_suggest(
    struct w_parser *parser, const struct w_reference *reference, size_t before)
{
	const struct w_manifest *manifest = parser->manifest;
	const char *ids[CANDIDATES_MAX + 1];
	const char *aliases[CANDIDATES_MAX + 1];
	size_t id_count = 0;
	size_t alias_count = 0;

	/* Nearest in the file first: it is the likeliest. */
	for (size_t i = parser->is_suggestible ? before : 0;
	     i > 0 && id_count < CANDIDATES_MAX &&
	     parser->comparisons < COMPARISONS_MAX;
	     i--) {
		const struct w_resource *other = &manifest->resources[i - 1];

		parser->comparisons++;
		ids[id_count++] = other->id;
		if (other->extras->alias.text != NULL &&
		    strcmp(reference->type, w_resource_word(other->type)) == 0)
			aliases[alias_count++] = other->extras->alias.text;
	}
	ids[id_count] = NULL;
	aliases[alias_count] = NULL;
	const char *alias = w_match_nearest(reference->name, aliases);
	if (alias != NULL)
		w_parse_suggest(parser, "did you mean '%.60s#%.64s'?",
		    reference->type, alias);
	else
		w_parse_suggest_word(
		    parser, w_match_nearest(reference->text, ids));
}

static void
manifest_reference_refuse_type(
    struct w_parser *parser, const struct w_reference *reference)
{
	const char *words[W_RESOURCE_TYPES + 1] = {NULL};

	for (size_t i = 0; i < W_RESOURCE_TYPES; i++)
		words[i] = w_resource_word((enum w_resource_type)i);
	(void)w_parse_refuse_at(parser, &reference->at,
	    "unknown resource type '%.60s'", reference->type);
	w_parse_suggest_word(parser, w_match_nearest(reference->type, words));
}

static bool
is_type(const char *word)
{
	for (size_t i = 0; i < W_RESOURCE_TYPES; i++) {
		if (strcmp(word, w_resource_word((enum w_resource_type)i)) == 0)
			return true;
	}
	return false;
}

static void
refuse_reference(
    struct w_parser *parser, const struct w_reference *reference, size_t index)
{
	const struct w_manifest *manifest = parser->manifest;
	const size_t later = w_manifest_find(
	    manifest, reference->type, reference->name, manifest->count);

	if (later == index) {
		(void)w_parse_refuse_at(parser, &reference->at,
		    "'%.128s' refers to itself", reference->text);
	} else if (later != W_NO_TARGET) {
		(void)w_parse_refuse_at(parser, &reference->at,
		    "'%.128s' comes later in the file, in line %u",
		    reference->text, manifest->resources[later].at.line);
		w_parse_suggest(parser, "resources are applied in the order "
					"of the file: move it up");
	} else if (!is_type(reference->type)) {
		manifest_reference_refuse_type(parser, reference);
	} else {
		(void)w_parse_refuse_at(parser, &reference->at,
		    "there is no resource '%.128s'", reference->text);
		manifest_reference_suggest(parser, reference, index);
	}
}

static void
manifest_reference_check_list(
    struct w_parser *parser, const struct w_reference_list *list, size_t index)
{
	const struct w_manifest_input *input = parser->input;

	for (size_t i = 0; list != NULL && i < list->count; i++) {
		const struct w_reference *reference = &list->items[i];

		if (reference->target != W_NO_TARGET)
			continue;
		if (input->knows != NULL &&
		    input->knows(
			input->knows_ctx, reference->type, reference->name))
			continue;
		refuse_reference(parser, reference, index);
	}
}

void
w_parse_link(struct w_parser *parser)
{
	struct w_manifest *manifest = parser->manifest;
	bool is_whole = true;

	for (size_t i = 0; i < manifest->count; i++) {
		struct w_resource *resource = &manifest->resources[i];

		is_whole &= resolve_list(parser, &resource->require, i);
		is_whole &=
		    resolve_list(parser, w_resource_subscriptions(resource), i);
		if (!w_manifest_add_id(manifest, i)) {
			parser->is_out_of_memory = true;
			return;
		}
	}
	for (size_t i = 0; !is_whole && i < manifest->count; i++) {
		struct w_resource *resource = &manifest->resources[i];

		parser->resource = resource->id;
		parser->home = resource->home;
		parser->is_sensitive = resource->is_sensitive;
		manifest_reference_check_list(parser, &resource->require, i);
		manifest_reference_check_list(
		    parser, w_resource_subscriptions(resource), i);
	}
	parser->resource = NULL;
	parser->home = NULL;
	parser->is_sensitive = false;
}
