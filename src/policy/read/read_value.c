/* SPDX-License-Identifier: Apache-2.0 */

/* Reads single values of a policy and reports faults. */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/match.h"
#include "data/json_words.h"
#include "policy/read/policy_reader.h"

enum {
	RAW_MAX = 1024,
	KEYS_MAX = 32,
	WORD_MAX = 64,
	LINE_BYTES_MAX = 1000
};

/* The text may hold anything; w_fail() makes it one printable line. */
bool
w_read_refuse(
    struct w_policy_reader *reader, const yyjson_val *at, const char *fmt, ...)
{
	const struct w_policy_location location = w_read_location(reader, at);
	const size_t before = reader->faults->count;
	char raw[RAW_MAX];
	writ_error err;
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(raw, sizeof(raw), fmt, args);
	va_end(args);
	(void)w_fail(&err, WRIT_E_INVALID, "policy", 0, "%s", raw);
	reader->is_refused = true;
	if (!w_policy_faults_add(
		reader->faults, &location, false, err.message, NULL))
		reader->is_out_of_memory = true;
	reader->is_suggestible = reader->faults->count > before;
	return false;
}

void
w_read_suggest(struct w_policy_reader *reader, const char *fmt, ...)
{
	va_list args;

	if (!reader->is_suggestible)
		return;
	va_start(args, fmt);
	if (!w_policy_faults_suggest(reader->faults, fmt, args))
		reader->is_out_of_memory = true;
	va_end(args);
}

bool
w_read_refuse_error(struct w_policy_reader *reader, const yyjson_val *at,
    const char *what, const writ_error *err)
{
	if (err->status == WRIT_E_NOMEM) {
		reader->is_out_of_memory = true;
		return false;
	}
	(void)w_read_refuse(reader, at, "%s: %s", what, err->message);
	if (err->suggestion[0] != '\0')
		w_read_suggest(reader, "%s", err->suggestion);
	return false;
}

void
w_read_suggest_word(struct w_policy_reader *reader, const char *nearest)
{
	if (nearest != NULL)
		w_read_suggest(reader, "did you mean '%.64s'?", nearest);
}

const char *
w_read_word(yyjson_val *val)
{
	const char *text = yyjson_get_str(val);

	return text != NULL ? text : "";
}

struct w_policy_location
w_read_location(const struct w_policy_reader *reader, const yyjson_val *at)
{
	struct w_policy_location location = {.file = reader->document->file};

	if (at != NULL)
		w_yaml_place(reader->document->yaml, at, &location.line,
		    &location.column);
	return location;
}

void *
w_read_alloc(struct w_policy_reader *reader, size_t count, size_t size)
{
	void *memory = w_arena_alloc(&reader->policy->arena, count, size);

	if (memory == NULL)
		reader->is_out_of_memory = true;
	return memory;
}

const char *
w_read_copy(struct w_policy_reader *reader, const char *text, size_t len)
{
	const char *copy = w_arena_text(&reader->policy->arena, text, len);

	if (copy == NULL)
		reader->is_out_of_memory = true;
	return copy;
}

bool
w_read_grow(struct w_policy_reader *reader, void **items, size_t count,
    size_t *cap, size_t size)
{
	if (count < *cap)
		return true;
	const size_t more = *cap == 0 ? 8 : *cap * 2;
	void *grown = w_read_alloc(reader, more, size);

	if (grown == NULL)
		return false;
	if (count > 0)
		memcpy(grown, *items, count * size);
	*items = grown;
	*cap = more;
	return true;
}

static void
read_value_refuse_key(struct w_policy_reader *reader, yyjson_val *key,
    const char *what, const struct w_read_key *keys)
{
	const char *names[KEYS_MAX + 1] = {NULL};
	char word[WORD_MAX];

	for (size_t i = 0; i < KEYS_MAX && keys[i].name != NULL; i++)
		names[i] = keys[i].name;
	(void)snprintf(word, sizeof(word), "%s", w_read_word(key));
	(void)w_read_refuse(
	    reader, key, "%s has no key '%.60s'", what, w_read_word(key));
	w_read_suggest_word(reader, w_match_nearest(word, names));
}

const char *
w_read_text(struct w_policy_reader *reader, yyjson_val *val, const char *what)
{
	if (!yyjson_is_str(val)) {
		(void)w_read_refuse(reader, val, "%s must be text, not %s",
		    what, w_json_type_words(val));
		if (yyjson_is_num(val) || yyjson_is_bool(val))
			w_read_suggest(reader, "put it in quotes");
		return NULL;
	}
	if (!w_json_is_text(val)) {
		(void)w_read_refuse(
		    reader, val, "%s has a NUL character in it", what);
		return NULL;
	}
	if (yyjson_get_len(val) == 0) {
		(void)w_read_refuse(reader, val, "%s is empty", what);
		return NULL;
	}
	return yyjson_get_str(val);
}

static const char *
read_line(struct w_policy_reader *reader, yyjson_val *val, const char *what)
{
	const char *text = w_read_text(reader, val, what);
	const char *end = text;

	if (text == NULL)
		return NULL;
	while ((unsigned char)*end >= 0x20 && *end != 0x7f)
		end++;
	if (*end != '\0') {
		(void)w_read_refuse(reader, val,
		    "%s must be one line without control characters", what);
		if (strchr(text, '\n') != NULL)
			w_read_suggest(reader,
			    "'>-' makes one line of several: %s: >-", what);
		return NULL;
	}
	if (strlen(text) > LINE_BYTES_MAX) {
		(void)w_read_refuse(reader, val, "%s is longer than %d bytes",
		    what, LINE_BYTES_MAX);
		return NULL;
	}
	return text;
}

static const char *const placeholders[] = {
    "agent", "binary", "command", "cwd", "program", NULL};

int
w_read_find(const char *text, const char *const *words)
{
	for (int i = 0; words[i] != NULL; i++) {
		if (strcmp(text, words[i]) == 0)
			return i;
	}
	return -1;
}

static const char *
read_message(struct w_policy_reader *reader, yyjson_val *val)
{
	const char *text = read_line(reader, val, "message");
	const char *at = text;

	while (at != NULL && (at = strchr(at, '{')) != NULL) {
		static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";
		const size_t len = strspn(at + 1, letters);
		char name[32];

		if (len > 0 && len < sizeof(name) && at[len + 1] == '}') {
			memcpy(name, at + 1, len);
			name[len] = '\0';
			if (w_read_find(name, placeholders) < 0) {
				(void)w_read_refuse(reader, val,
				    "message has no name '{%s}'", name);
				w_read_suggest(reader,
				    "there are {command}, {binary}, {agent}, "
				    "{cwd} and {program}");
				return NULL;
			}
		}
		at++;
	}
	return text;
}

/* The index of the word; -1: a fault was reported. */
static int
read_choice(struct w_policy_reader *reader, yyjson_val *val, const char *what,
    const char *const *words)
{
	const char *text = w_read_text(reader, val, what);
	const int found = text != NULL ? w_read_find(text, words) : -1;
	char shown[WORD_MAX];
	char all[RAW_MAX / 2] = "";
	size_t used = 0;

	if (text == NULL || found >= 0)
		return found;
	for (size_t i = 0; words[i] != NULL && used < sizeof(all); i++)
		used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s",
		    i == 0 ? "" : ", ", words[i]);
	(void)snprintf(shown, sizeof(shown), "%s", text);
	(void)w_read_refuse(reader, val, "%s cannot be '%s'; it is one of %s",
	    what, shown, all);
	w_read_suggest_word(reader, w_match_nearest(shown, words));
	return -1;
}

/* One string, alone or from a list. */
static bool
read_entry(struct w_policy_reader *reader, yyjson_val *val, const char *what,
    w_read_check *check, const char **out_text)
{
	const char *text = w_read_text(reader, val, what);

	if (text == NULL || (check != NULL && !check(reader, val, what, text)))
		return false;
	*out_text = text;
	return true;
}

w_globs
w_read_list(struct w_policy_reader *reader, yyjson_val *val, const char *what,
    w_read_check *check, bool may_be_empty)
{
	const bool is_list = yyjson_is_arr(val);
	const size_t count = is_list ? yyjson_arr_size(val) : 1;
	size_t i;
	size_t max;
	yyjson_val *item;

	if (!is_list && !yyjson_is_str(val)) {
		(void)w_read_refuse(reader, val,
		    "%s must be text or a list of texts, not %s", what,
		    w_json_type_words(val));
		return NULL;
	}
	if (count == 0 && !may_be_empty) {
		(void)w_read_refuse(reader, val, "%s is an empty list", what);
		return NULL;
	}
	const char **list = w_read_alloc(reader, count + 1, sizeof(*list));
	bool is_fine = list != NULL;
	if (is_fine && !is_list)
		is_fine = read_entry(reader, val, what, check, list);
	yyjson_arr_foreach(val, i, max, item)
	{
		if (list != NULL &&
		    !read_entry(reader, item, what, check, &list[i]))
			is_fine = false;
	}
	return is_fine ? list : NULL;
}

void
w_read_member(struct w_policy_reader *reader, const struct w_read_key *row,
    void *target, yyjson_val *key, yyjson_val *val)
{
	void *member = (char *)target + row->offset;
	const char *what = row->what != NULL ? row->what : row->name;
	w_globs words;
	int which;

	switch (row->kind) {
	case W_READ_BY:
		if (row->read != NULL)
			row->read(reader, target, key, val);
		break;
	case W_READ_LIST:
	case W_READ_ANY_LIST:
		*(w_globs *)member = w_read_list(reader, val, what, row->check,
		    row->kind == W_READ_ANY_LIST);
		break;
	case W_READ_BITS:
		*(unsigned *)member = 0;
		words = w_read_list(reader, val, what, row->check, false);
		for (; words != NULL && *words != NULL; words++)
			*(unsigned *)member |= row->bits(*words);
		break;
	case W_READ_TEXT:
		*(const char **)member = w_read_text(reader, val, what);
		break;
	case W_READ_LINE:
		*(const char **)member = read_line(reader, val, what);
		break;
	case W_READ_MESSAGE:
		*(const char **)member = read_message(reader, val);
		break;
	case W_READ_WORD:
		which = read_choice(reader, val, what, row->words);
		if (which >= 0)
			*(const char **)member = row->words[which];
		break;
	case W_READ_CHOICE:
		*(int *)member = read_choice(reader, val, what, row->words);
		break;
	case W_READ_TRUTH:
		if (yyjson_is_bool(val))
			*(bool *)member = yyjson_is_true(val);
		else
			(void)w_read_refuse(reader, val,
			    "%s must be true or false, not %s", what,
			    w_json_type_words(val));
		break;
	}
}

bool
w_read_map(struct w_policy_reader *reader, yyjson_val *val, const char *what,
    const struct w_read_key *keys, void *target)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *item;

	if (!yyjson_is_obj(val))
		return w_read_refuse(reader, val, "%s must be a map, not %s",
		    what, w_json_type_words(val));
	yyjson_obj_foreach(val, i, count, key, item)
	{
		const struct w_read_key *found = keys;

		while (
		    found->name != NULL && !yyjson_equals_str(key, found->name))
			found++;
		if (found->name == NULL)
			read_value_refuse_key(reader, key, what, keys);
		else
			w_read_member(reader, found, target, key, item);
	}
	return true;
}

void
w_read_short(struct w_policy_reader *reader, yyjson_val *key, yyjson_val *val,
    const struct w_read_key *keys, void *target)
{
	if (yyjson_is_obj(val))
		(void)w_read_map(reader, val, w_read_word(key), keys, target);
	else
		w_read_member(reader, keys, target, key, val);
}
