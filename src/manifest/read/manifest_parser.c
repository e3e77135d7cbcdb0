/* SPDX-License-Identifier: Apache-2.0 */

/* The parser: reads maps by their tables, and reports faults. */

#include "manifest/read/manifest_parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/encode.h"
#include "base/match.h"
#include "data/json_words.h"

#define STAGE "manifest"

enum {
	RAW_MAX = 1024,
	KEYS_MAX = 48,
	WORD_MAX = 64,
	SHOWN_BYTES = 60
};

/* Defaults are checked with each resource that uses them, but reported once. */
static bool
manifest_parser_is_reported(
    const struct w_faults *faults, const writ_error *fault)
{
	for (size_t i = faults->count; i > 0; i--) {
		const writ_manifest_fault *reported = &faults->items[i - 1];

		if (reported->line == fault->line &&
		    reported->column == fault->column &&
		    strcmp(reported->message, fault->message) == 0)
			return true;
	}
	return false;
}

static void
manifest_parser_add_fault(struct w_parser *parser, const writ_error *fault)
{
	struct w_faults *faults = parser->faults;
	const size_t before = faults->count;

	parser->is_refused = true;
	parser->is_suggestible = false;
	if (manifest_parser_is_reported(faults, fault))
		return;
	w_faults_add(faults, fault);
	parser->is_suggestible = faults->count > before;
	if (parser->is_suggestible && parser->resource != NULL)
		w_faults_blame(faults, parser->resource);
}

/*
 * In a manifest that another one applies, the place is where it is named, and
 * its own place is told in front.
 */
static void
manifest_parser_place(const struct w_parser *parser,
    const struct w_manifest_location *at, const char *message,
    writ_error *out_fault)
{
	const struct w_manifest *manifest =
	    parser->home != NULL ? parser->home : parser->manifest;

	if (manifest->outer == NULL) {
		(void)w_fail(
		    out_fault, WRIT_E_INVALID, STAGE, 0, "%s", message);
		w_locate(out_fault, at->line, at->column);
		return;
	}
	(void)w_fail(out_fault, WRIT_E_INVALID, STAGE, 0, "%.200s:%u:%u: %s",
	    manifest->file, at->line, at->column, message);
	w_locate(out_fault, manifest->named_at.line, manifest->named_at.column);
}

/* Foreign text may contain anything; the error formatting sanitizes it. */
__attribute__((format(printf, 3, 0))) static void
manifest_parser_refuse(struct w_parser *parser,
    const struct w_manifest_location *at, const char *fmt, va_list args)
{
	char raw[RAW_MAX];
	writ_error fault = {.status = WRIT_OK};

	if (parser->faults->count == W_FAULTS_MAX) {
		parser->faults->more++;
		parser->is_refused = true;
		parser->is_suggestible = false;
		return;
	}
	(void)vsnprintf(raw, sizeof(raw), fmt, args);
	manifest_parser_place(parser, at, raw, &fault);
	manifest_parser_add_fault(parser, &fault);
}

bool
w_parse_refuse(
    struct w_parser *parser, const yyjson_val *at, const char *fmt, ...)
{
	const struct w_manifest_location location =
	    w_parse_location(parser, at);
	va_list args;

	va_start(args, fmt);
	manifest_parser_refuse(parser, &location, fmt, args);
	va_end(args);
	return false;
}

bool
w_parse_refuse_at(struct w_parser *parser, const struct w_manifest_location *at,
    const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	manifest_parser_refuse(parser, at, fmt, args);
	va_end(args);
	return false;
}

void
w_parse_suggest(struct w_parser *parser, const char *fmt, ...)
{
	char raw[RAW_MAX];
	writ_error said = {.status = WRIT_E_INVALID};
	va_list args;

	if (!parser->is_suggestible)
		return;
	va_start(args, fmt);
	(void)vsnprintf(raw, sizeof(raw), fmt, args);
	va_end(args);
	w_suggest(&said, "%s", raw);
	w_faults_suggest(parser->faults, said.suggestion);
}

void
w_parse_warn(struct w_parser *parser, const struct w_manifest_location *at,
    const char *fmt, ...)
{
	struct w_faults *warnings = parser->input->warnings;
	char raw[RAW_MAX];
	writ_error warning = {.status = WRIT_OK};
	va_list args;

	if (warnings == NULL)
		return;
	va_start(args, fmt);
	(void)vsnprintf(raw, sizeof(raw), fmt, args);
	va_end(args);
	manifest_parser_place(parser, at, raw, &warning);
	w_faults_add(warnings, &warning);
	if (parser->resource != NULL)
		w_faults_blame(warnings, parser->resource);
}

void
w_parse_warn_suggest(struct w_parser *parser, const char *fmt, ...)
{
	char raw[RAW_MAX];
	writ_error said = {.status = WRIT_E_INVALID};
	va_list args;

	if (parser->input->warnings == NULL)
		return;
	va_start(args, fmt);
	(void)vsnprintf(raw, sizeof(raw), fmt, args);
	va_end(args);
	w_suggest(&said, "%s", raw);
	w_faults_suggest(parser->input->warnings, said.suggestion);
}

void
w_parse_suggest_word(struct w_parser *parser, const char *nearest)
{
	if (nearest != NULL)
		w_parse_suggest(parser, "did you mean '%.64s'?", nearest);
}

bool
w_parse_refuse_whole(struct w_parser *parser,
    const struct w_manifest_location *at, const writ_error *err)
{
	(void)w_parse_refuse_at(parser, at, "%s", err->message);
	if (err->suggestion[0] != '\0')
		w_parse_suggest(parser, "%s", err->suggestion);
	return false;
}

bool
w_parse_refuse_error(struct w_parser *parser,
    const struct w_manifest_location *at, const char *what,
    const writ_error *err)
{
	if (err->status == WRIT_E_NOMEM) {
		parser->is_out_of_memory = true;
		return false;
	}
	(void)w_parse_refuse_at(parser, at, "%s: %s", what, err->message);
	if (err->suggestion[0] != '\0')
		w_parse_suggest(parser, "%s", err->suggestion);
	return false;
}

bool
w_parse_refuse_within(struct w_parser *parser,
    const struct w_manifest_location *at, const char *text, const char *what,
    const writ_error *err)
{
	struct w_manifest_location location = *at;
	writ_error placed = *err;

	w_manifest_locate(
	    parser->home != NULL ? parser->home : parser->manifest, at, text,
	    &placed);
	location.line = placed.line;
	location.column = placed.column;
	return w_parse_refuse_error(parser, &location, what, err);
}

const char *
w_parse_shown(const struct w_parser *parser, const char *text,
    char out[W_PARSE_SHOWN_MAX])
{
	if (parser->is_sensitive)
		text = W_VALUE_HIDDEN;
	const size_t len =
	    w_utf8_trim_end(text, strnlen(text, (size_t)SHOWN_BYTES));

	(void)snprintf(out, W_PARSE_SHOWN_MAX, "%.*s%s", (int)len, text,
	    text[len] != '\0' ? "..." : "");
	return out;
}

struct w_manifest_location
w_parse_location(const struct w_parser *parser, const yyjson_val *at)
{
	const struct w_yaml *yaml = parser->manifest->yaml;
	struct w_manifest_location location = {
	    .offset = (unsigned)w_yaml_offset(yaml, at)};

	w_yaml_place(yaml, at, &location.line, &location.column);
	return location;
}

void *
w_parse_alloc(struct w_parser *parser, size_t count, size_t size)
{
	void *memory = w_arena_alloc(&parser->manifest->arena, count, size);

	if (memory == NULL)
		parser->is_out_of_memory = true;
	return memory;
}

const char *
w_parse_copy(struct w_parser *parser, const char *text, size_t len)
{
	const char *copy = w_arena_text(&parser->manifest->arena, text, len);

	if (copy == NULL)
		parser->is_out_of_memory = true;
	return copy;
}

const char *
w_parse_word(yyjson_val *val)
{
	const char *text = yyjson_get_str(val);

	return text != NULL ? text : "";
}

void
w_parse_refuse_key(struct w_parser *parser, yyjson_val *key, const char *what,
    const struct w_parse_key *keys)
{
	const char *names[KEYS_MAX + 1] = {NULL};
	char word[WORD_MAX];

	for (size_t i = 0; i < KEYS_MAX && keys[i].name != NULL; i++)
		names[i] = keys[i].name;
	const char *name = w_parse_word(key);

	(void)snprintf(word, sizeof(word), "%s", name);
	(void)w_parse_refuse(parser, key, "%s has no key '%.60s'", what, name);
	if (!parser->is_suggestible)
		return;
	const char *here = w_parse_foreign_word(word);
	if (here != NULL)
		w_parse_suggest(parser, "%s", here);
	else
		w_parse_suggest_word(parser, w_match_nearest(word, names));
}

static const struct w_parse_key *
manifest_parser_find_key(const struct w_parse_key *keys, yyjson_val *key)
{
	const char first = w_parse_word(key)[0];

	for (; keys->name != NULL; keys++) {
		if (keys->name[0] == first &&
		    yyjson_equals_str(key, keys->name))
			return keys;
	}
	return NULL;
}

/* Notes which part of a resource a key writes to. */
static void
note_part(struct w_resource_draft *draft, size_t offset)
{
	static const struct {
		size_t from;
		size_t end;
	} parts[W_PARTS] = {
#define PART(member)                                \
	{offsetof(struct w_resource_draft, member), \
	    offsetof(struct w_resource_draft, member) + sizeof(draft->member)}
	    [W_PART_EXTRAS] = PART(extras),
	    [W_PART_GUARDS] = PART(guards),
	    [W_PART_SETTINGS] = PART(settings),
#undef PART
	};

	for (size_t i = 0; i < W_PARTS; i++) {
		if (offset >= parts[i].from && offset < parts[i].end)
			draft->is_own[i] = true;
	}
}

bool
w_parse_map(struct w_parser *parser, yyjson_val *val, const char *what,
    const struct w_parse_key *keys, void *target)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *item;

	if (!yyjson_is_obj(val))
		return w_parse_refuse(parser, val, "%s must be a map, not %s",
		    what, w_json_type_words(val));
	yyjson_obj_foreach(val, i, count, key, item)
	{
		const struct w_parse_key *found =
		    manifest_parser_find_key(keys, key);

		if (found == NULL)
			w_parse_refuse_key(parser, key, what, keys);
		if (found == NULL || found->read == NULL)
			continue;
		if (target == parser->draft && target != NULL)
			note_part(target, found->offset);
		found->read(
		    parser, found, (char *)target + found->offset, item);
	}
	return true;
}

void *
w_parse_list(struct w_parser *parser, const char *what, yyjson_val *val,
    const struct w_parse_element *element, size_t *out_count)
{
	const size_t max = yyjson_is_arr(val) ? yyjson_arr_size(val) : 1;
	yyjson_arr_iter iter = yyjson_arr_iter_with(val);
	size_t count = 0;

	if (max > W_MANIFEST_LIST_MAX) {
		(void)w_parse_refuse(parser, val,
		    "%s has %zu items, the limit is %d", what, max,
		    W_MANIFEST_LIST_MAX);
		return NULL;
	}
	char *items = w_parse_alloc(parser, max, element->size);
	for (size_t i = 0; items != NULL && i < max; i++) {
		yyjson_val *item =
		    yyjson_is_arr(val) ? yyjson_arr_iter_next(&iter) : val;
		if (element->read(
			parser, what, items + count * element->size, item))
			count++;
	}
	*out_count = count;
	return items;
}
