/* SPDX-License-Identifier: Apache-2.0 */

/* Reading a manifest: maps by their tables, and saying what is wrong. */

#include "manifest/intake.h"

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

/* Defaults are checked with each resource that has them, and told once. */
static bool
is_told(const struct w_faults *faults, const writ_error *fault)
{
	for (size_t i = faults->count; i > 0; i--) {
		const struct w_manifest_fault *told = &faults->items[i - 1];

		if (told->line == fault->line &&
		    told->column == fault->column &&
		    strcmp(told->message, fault->message) == 0)
			return true;
	}
	return false;
}

static void
add_fault(struct w_intake *intake, const writ_error *fault)
{
	struct w_faults *faults = intake->faults;
	const size_t before = faults->count;

	intake->is_refused = true;
	intake->is_suggestible = false;
	if (is_told(faults, fault))
		return;
	w_faults_add(faults, fault);
	intake->is_suggestible = faults->count > before;
	if (intake->is_suggestible && intake->resource != NULL)
		w_faults_blame(faults, intake->resource);
}

/* Text from outside may hold anything; an error makes one harmless line of it.
 */
__attribute__((format(printf, 3, 0))) static void
refuse(struct w_intake *intake, const struct w_spot *at, const char *fmt,
    va_list args)
{
	char raw[RAW_MAX];
	writ_error fault = {.status = WRIT_OK};

	if (intake->faults->count == W_FAULTS_MAX) {
		intake->faults->more++;
		intake->is_refused = true;
		intake->is_suggestible = false;
		return;
	}
	(void)vsnprintf(raw, sizeof(raw), fmt, args);
	(void)w_fail(&fault, WRIT_E_INVALID, STAGE, 0, "%s", raw);
	w_locate(&fault, at->line, at->column);
	add_fault(intake, &fault);
}

bool
w_intake_refuse(
    struct w_intake *intake, const yyjson_val *at, const char *fmt, ...)
{
	const struct w_spot spot = w_intake_spot(intake, at);
	va_list args;

	va_start(args, fmt);
	refuse(intake, &spot, fmt, args);
	va_end(args);
	return false;
}

bool
w_intake_refuse_at(
    struct w_intake *intake, const struct w_spot *at, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	refuse(intake, at, fmt, args);
	va_end(args);
	return false;
}

void
w_intake_suggest(struct w_intake *intake, const char *fmt, ...)
{
	char raw[RAW_MAX];
	writ_error said = {.status = WRIT_E_INVALID};
	va_list args;

	if (!intake->is_suggestible)
		return;
	va_start(args, fmt);
	(void)vsnprintf(raw, sizeof(raw), fmt, args);
	va_end(args);
	w_suggest(&said, "%s", raw);
	w_faults_suggest(intake->faults, said.suggestion);
}

void
w_intake_suggest_word(struct w_intake *intake, const char *nearest)
{
	if (nearest != NULL)
		w_intake_suggest(intake, "did you mean '%.64s'?", nearest);
}

bool
w_intake_refuse_error(struct w_intake *intake, const struct w_spot *at,
    const char *what, const writ_error *err)
{
	if (err->status == WRIT_E_NOMEM) {
		intake->is_out_of_memory = true;
		return false;
	}
	(void)w_intake_refuse_at(intake, at, "%s: %s", what, err->message);
	if (err->suggestion[0] != '\0')
		w_intake_suggest(intake, "%s", err->suggestion);
	return false;
}

bool
w_intake_refuse_within(struct w_intake *intake, const struct w_spot *at,
    const char *text, const char *what, const writ_error *err)
{
	struct w_spot spot = *at;
	writ_error placed = *err;

	w_manifest_locate(intake->manifest, at, text, &placed);
	spot.line = placed.line;
	spot.column = placed.column;
	return w_intake_refuse_error(intake, &spot, what, err);
}

const char *
w_intake_shown(const struct w_intake *intake, const char *text,
    char out[W_INTAKE_SHOWN_MAX])
{
	if (intake->is_sensitive)
		text = W_VALUE_HIDDEN;
	const size_t len =
	    w_utf8_trim_end(text, strnlen(text, (size_t)SHOWN_BYTES));

	(void)snprintf(out, W_INTAKE_SHOWN_MAX, "%.*s%s", (int)len, text,
	    text[len] != '\0' ? "..." : "");
	return out;
}

struct w_spot
w_intake_spot(const struct w_intake *intake, const yyjson_val *at)
{
	const struct w_yaml *yaml = intake->manifest->yaml;
	struct w_spot spot = {.offset = (unsigned)w_yaml_offset(yaml, at)};

	w_yaml_place(yaml, at, &spot.line, &spot.column);
	return spot;
}

void *
w_intake_alloc(struct w_intake *intake, size_t count, size_t size)
{
	void *memory = w_arena_alloc(&intake->manifest->arena, count, size);

	if (memory == NULL)
		intake->is_out_of_memory = true;
	return memory;
}

const char *
w_intake_copy(struct w_intake *intake, const char *text, size_t len)
{
	const char *copy = w_arena_text(&intake->manifest->arena, text, len);

	if (copy == NULL)
		intake->is_out_of_memory = true;
	return copy;
}

const char *
w_intake_word(yyjson_val *val)
{
	const char *text = yyjson_get_str(val);

	return text != NULL ? text : "";
}

void
w_intake_refuse_key(struct w_intake *intake, yyjson_val *key, const char *what,
    const struct w_intake_key *keys)
{
	const char *names[KEYS_MAX + 1] = {NULL};
	char word[WORD_MAX];

	for (size_t i = 0; i < KEYS_MAX && keys[i].name != NULL; i++)
		names[i] = keys[i].name;
	const char *name = w_intake_word(key);

	(void)snprintf(word, sizeof(word), "%s", name);
	(void)w_intake_refuse(intake, key, "%s has no key '%.60s'", what, name);
	if (intake->is_suggestible)
		w_intake_suggest_word(intake, w_match_nearest(word, names));
}

static const struct w_intake_key *
find_key(const struct w_intake_key *keys, yyjson_val *key)
{
	const char first = w_intake_word(key)[0];

	for (; keys->name != NULL; keys++) {
		if (keys->name[0] == first &&
		    yyjson_equals_str(key, keys->name))
			return keys;
	}
	return NULL;
}

bool
w_intake_map(struct w_intake *intake, yyjson_val *val, const char *what,
    const struct w_intake_key *keys, void *target)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *item;

	if (!yyjson_is_obj(val))
		return w_intake_refuse(intake, val, "%s must be a map, not %s",
		    what, w_json_type_words(val));
	yyjson_obj_foreach(val, i, count, key, item)
	{
		const struct w_intake_key *found = find_key(keys, key);

		if (found == NULL)
			w_intake_refuse_key(intake, key, what, keys);
		else if (found->read != NULL)
			found->read(intake, found,
			    (char *)target + found->offset, item);
	}
	return true;
}

bool
w_intake_items(struct w_intake *intake, yyjson_val *val, const char *what,
    struct w_intake_items *out_items)
{
	const size_t count = yyjson_is_arr(val) ? yyjson_arr_size(val) : 1;

	*out_items = (struct w_intake_items){.count = 0};
	if (count > W_MANIFEST_LIST_MAX)
		return w_intake_refuse(intake, val,
		    "%s has %zu items, the limit is %d", what, count,
		    W_MANIFEST_LIST_MAX);
	out_items->count = count;
	if (!yyjson_arr_iter_init(val, &out_items->list))
		out_items->single = val;
	return true;
}

yyjson_val *
w_intake_next(struct w_intake_items *items)
{
	yyjson_val *single = items->single;

	if (single == NULL)
		return yyjson_arr_iter_next(&items->list);
	items->single = NULL;
	return single;
}
