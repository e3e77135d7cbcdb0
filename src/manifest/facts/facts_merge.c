/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Merges facts: maps recursively, all else is replaced. Members keep their
 * order, new ones come last.
 */

#include <string.h>

#include "base/encode.h"
#include "data/json.h"
#include "manifest/facts/facts.h"
#include "schema/hash_table.h"

static const char stage[] = "facts";

/* Up to this many members are searched linearly. */
#define FEW 8

static struct w_value_member *
facts_merge_find(struct w_value_member *members, size_t count,
    const struct w_hash_table *lookup, const struct w_value_member *wanted)
{
	if (count > FEW)
		return w_hash_table_get(lookup, wanted->name, wanted->len);
	for (size_t i = 0; i < count; i++)
		if (members[i].len == wanted->len &&
		    memcmp(members[i].name, wanted->name, wanted->len) == 0)
			return &members[i];
	return NULL;
}

static bool
fill_lookup(
    struct w_hash_table *lookup, struct w_value_member *members, size_t count)
{
	for (size_t i = 0; count > FEW && i < count; i++)
		if (w_hash_table_get(lookup, members[i].name, members[i].len) ==
			NULL &&
		    !w_hash_table_put(
			lookup, members[i].name, members[i].len, &members[i]))
			return false;
	return true;
}

static bool facts_merge(struct w_arena *arena, const struct w_value *under,
    const struct w_value *over, unsigned depth, struct w_value *out_value);

/* Merges over's members into the first count of members, which has room. */
static bool
merge_members(struct w_arena *arena, struct w_value_member *members,
    size_t *count, const struct w_value *over, unsigned depth)
{
	__attribute__((cleanup(
	    w_hash_table_done))) struct w_hash_table lookup = {.slots = NULL};
	const size_t old = *count;

	if (!fill_lookup(&lookup, members, old))
		return false;
	for (size_t i = 0; i < over->as.map.count; i++) {
		const struct w_value_member *one = &over->as.map.members[i];
		struct w_value_member *there =
		    facts_merge_find(members, old, &lookup, one);

		if (there == NULL)
			members[(*count)++] = *one;
		else if (!facts_merge(arena, &there->value, &one->value,
			     depth + 1, &there->value))
			return false;
	}
	return true;
}

static bool
facts_merge(struct w_arena *arena, const struct w_value *under,
    const struct w_value *over, unsigned depth, struct w_value *out_value)
{
	if (under->kind != W_VALUE_MAP || over->kind != W_VALUE_MAP ||
	    depth > W_VALUE_DEPTH_MAX) {
		*out_value = *over;
		return true;
	}
	size_t count = under->as.map.count;
	struct w_value_member *members = w_arena_alloc(
	    arena, count + over->as.map.count + 1, sizeof(*members));
	if (members == NULL)
		return false;
	if (count > 0)
		memcpy(
		    members, under->as.map.members, count * sizeof(*members));
	if (!merge_members(arena, members, &count, over, depth))
		return false;
	*out_value = (struct w_value){.kind = W_VALUE_MAP,
	    .is_secret = under->is_secret || over->is_secret,
	    .as.map = {.members = members, .count = count}};
	return true;
}

writ_status
w_facts_merge(struct w_arena *arena, const struct w_value *under,
    const struct w_value *over, struct w_value *out_facts, writ_error *err)
{
	if (!facts_merge(arena, under, over, 0, out_facts))
		return w_fail_nomem(err, stage);
	return WRIT_OK;
}

/* Parses a number, true or false in canonical form, else leaves the text that
 * is already there. false: no memory. */
static bool
read_scalar(struct w_arena *arena, const char *text, struct w_value *value)
{
	const struct w_json_limits limits = {.bytes_max = 64, .depth_max = 1};
	W_AUTO_BUF struct w_buf again;
	struct w_json *json = NULL;
	struct w_value read = {.kind = W_VALUE_NULL};

	w_buf_init(&again, 128);
	if (text[0] == '\0' || strchr("-0123456789tf", text[0]) == NULL)
		return true;
	writ_status status =
	    w_json_read(text, strlen(text), &limits, &json, NULL);
	if (status == WRIT_OK)
		status =
		    w_value_from_json(arena, w_json_root(json), &read, NULL);
	w_json_free(json);
	if (status != WRIT_OK)
		return status != WRIT_E_NOMEM;
	w_value_add_text(&again, &read);
	if (!again.failed && strcmp(again.data, text) == 0)
		*value = read;
	return !again.failed;
}

/* Number of names between the dots; 0: one is empty, or too many. */
static size_t
count_names(const char *path, size_t len)
{
	size_t count = 1;

	if (len == 0 || path[0] == '.' || path[len - 1] == '.')
		return 0;
	for (size_t i = 0; i + 1 < len; i++) {
		if (path[i] != '.')
			continue;
		if (path[i + 1] == '.')
			return 0;
		count++;
	}
	return count <= W_FACTS_DEPTH_MAX ? count : 0;
}

/* Wraps a value into nested maps, from the last name to the first. */
static bool
wrap(struct w_arena *arena, const char *path, size_t len,
    struct w_value *in_out_value)
{
	while (len > 0) {
		const char *dot = memrchr(path, '.', len);
		const char *name = dot != NULL ? dot + 1 : path;
		const size_t name_len = len - (size_t)(name - path);
		struct w_value_member *member =
		    w_arena_alloc(arena, 1, sizeof(*member));
		const char *copy = w_arena_text(arena, name, name_len);

		if (member == NULL || copy == NULL)
			return false;
		*member = (struct w_value_member){
		    .name = copy, .len = name_len, .value = *in_out_value};
		*in_out_value = (struct w_value){.kind = W_VALUE_MAP,
		    .as.map = {.members = member, .count = 1}};
		len = dot != NULL ? (size_t)(dot - path) : 0;
	}
	return true;
}

writ_status
w_facts_set(struct w_arena *arena, const struct w_value *under,
    const char *assignment, struct w_value *out_facts, writ_error *err)
{
	const char *equals = strchr(assignment, '=');
	const size_t len = strlen(assignment);

	if (equals == NULL || !w_utf8_valid(assignment, len) ||
	    len > W_VALUE_TEXT_MAX ||
	    count_names(assignment, (size_t)(equals - assignment)) == 0) {
		(void)w_fail(err, WRIT_E_INVALID, stage, 0,
		    "'%s' is not a fact", assignment);
		w_suggest(err, "write NAME=VALUE or NAME.NAME=VALUE");
		return WRIT_E_INVALID;
	}
	const char *text = w_arena_text(arena, equals + 1, strlen(equals + 1));
	if (text == NULL)
		return w_fail_nomem(err, stage);
	struct w_value value = w_value_text(text, strlen(text));
	if (!read_scalar(arena, text, &value) ||
	    !wrap(arena, assignment, (size_t)(equals - assignment), &value))
		return w_fail_nomem(err, stage);
	return w_facts_merge(arena, under, &value, out_facts, err);
}
