/* SPDX-License-Identifier: Apache-2.0 */

/* Reads `limits`: durations, sizes and numbers, none of them zero. */

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <writ/run.h>

#include "base/duration.h"
#include "base/match.h"
#include "base/size.h"
#include "data/json_words.h"
#include "policy/read/policy_reader.h"

#define TMP_WORD(name, word) word,

const struct w_policy_limit_row w_policy_limit_rows[W_POLICY_LIMIT_COUNT] = {
#define ROW(name, kind, member)                              \
	{                                                    \
		name, W_POLICY_LIMIT_##kind,                 \
		    offsetof(struct w_policy_limits, member) \
	}
    ROW("timeout", DURATION, timeout_ms),
    ROW("max_timeout", DURATION, max_timeout_ms),
    ROW("idle", DURATION, idle_ms),
    ROW("output", SIZE, output),
    ROW("spill", SIZE, spill),
    ROW("max_output", SIZE, max_output),
    ROW("cpu", DURATION, cpu_ms),
    ROW("memory", SIZE, memory),
    ROW("processes", NUMBER, processes),
    ROW("open_files", NUMBER, open_files),
    ROW("file_size", SIZE, file_size),
    ROW("tmp", SIZE, tmp),
#undef ROW
};

static bool
read_limits_read_number(struct w_policy_reader *reader,
    const struct w_policy_limit_row *limit, yyjson_val *val,
    uint64_t *out_number)
{
	if (!yyjson_is_uint(val) || yyjson_get_uint(val) > UINT32_MAX)
		return w_read_refuse(reader, val,
		    "%s must be a whole number of at most %u", limit->name,
		    UINT32_MAX);
	*out_number = yyjson_get_uint(val);
	return true;
}

/* A duration or size; a plain number is parsed like its text. */
static bool
read_measure(struct w_policy_reader *reader,
    const struct w_policy_limit_row *limit, yyjson_val *val,
    uint64_t *out_number)
{
	char digits[24];
	const char *text = yyjson_get_str(val);
	writ_error err;
	writ_status status;

	if (yyjson_is_uint(val)) {
		(void)snprintf(digits, sizeof(digits), "%llu",
		    (unsigned long long)yyjson_get_uint(val));
		text = digits;
	} else if (!w_json_is_text(val)) {
		return w_read_refuse(reader, val, "%s must be a %s, not %s",
		    limit->name,
		    limit->kind == W_POLICY_LIMIT_SIZE ? "size such as 64MiB"
						       : "duration such as 90s",
		    w_json_type_words(val));
	}
	status = limit->kind == W_POLICY_LIMIT_SIZE
		     ? w_size_parse(text, out_number, &err)
		     : w_duration_parse(text, out_number, &err);
	return status == WRIT_OK ||
	       w_read_refuse_error(reader, val, limit->name, &err);
}

static void
read_limit(struct w_policy_reader *reader, struct w_policy_limits *into,
    const struct w_policy_limit_row *limit, yyjson_val *val)
{
	uint64_t number = 0;

	if (limit->kind == W_POLICY_LIMIT_NUMBER
		? !read_limits_read_number(reader, limit, val, &number)
		: !read_measure(reader, limit, val, &number))
		return;
	if (number == 0) {
		(void)w_read_refuse(
		    reader, val, "%s must not be 0", limit->name);
		w_read_suggest(reader, "leave it out for no limit");
		return;
	}
	memcpy((char *)into + limit->offset, &number, sizeof(number));
}

/* `disk`, `memory`, or the words of a size. */
static bool
read_tmp_place(struct w_policy_limits *into, yyjson_val *val)
{
	static const char *const words[] = {WRIT_TMP_MAP(TMP_WORD) NULL};
	const char *text = yyjson_get_str(val);

	for (size_t i = WRIT_TMP_MEMORY; text != NULL && words[i] != NULL;
	     i++) {
		if (strcmp(text, words[i]) == 0) {
			into->tmp_on = i;
			return true;
		}
	}
	return false;
}

/* A size, a place, or a map of both. */
static void
read_tmp(struct w_policy_reader *reader, struct w_policy_limits *into,
    const struct w_policy_limit_row *limit, yyjson_val *val)
{
	size_t i, count;
	yyjson_val *key, *item;

	if (!yyjson_is_obj(val)) {
		if (!read_tmp_place(into, val))
			read_limit(reader, into, limit, val);
		return;
	}
	yyjson_obj_foreach(val, i, count, key, item)
	{
		if (yyjson_equals_str(key, "size")) {
			read_limit(reader, into, limit, item);
		} else if (!yyjson_equals_str(key, "on")) {
			(void)w_read_refuse(reader, key,
			    "tmp has no key '%.60s'", w_read_word(key));
			w_read_suggest(reader, "tmp: {size: 20GiB, on: disk}");
		} else if (!read_tmp_place(into, item)) {
			(void)w_read_refuse(
			    reader, item, "on must be memory or disk");
		}
	}
}

static void
read_limits_refuse_name(struct w_policy_reader *reader, yyjson_val *key)
{
	const char *names[W_POLICY_LIMIT_COUNT + 1] = {NULL};
	const char *name = w_read_word(key);

	for (size_t i = 0; i < W_POLICY_LIMIT_COUNT; i++)
		names[i] = w_policy_limit_rows[i].name;
	(void)w_read_refuse(reader, key, "there is no limit '%.60s'", name);
	w_read_suggest_word(reader, w_match_nearest(name, names));
}

void
w_read_limits(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct w_policy_limits read = {.timeout_ms = 0};
	size_t i;
	size_t count;
	yyjson_val *name;
	yyjson_val *item;

	(void)target;
	(void)key;
	if (!yyjson_is_obj(val)) {
		(void)w_read_refuse(reader, val, "limits must be a map, not %s",
		    w_json_type_words(val));
		return;
	}
	yyjson_obj_foreach(val, i, count, name, item)
	{
		size_t at = 0;

		while (at < W_POLICY_LIMIT_COUNT &&
		       !yyjson_equals_str(name, w_policy_limit_rows[at].name))
			at++;
		if (at == W_POLICY_LIMIT_COUNT)
			read_limits_refuse_name(reader, name);
		else if (w_policy_limit_rows[at].offset ==
			 offsetof(struct w_policy_limits, tmp))
			read_tmp(reader, &read, &w_policy_limit_rows[at], item);
		else
			read_limit(
			    reader, &read, &w_policy_limit_rows[at], item);
	}
	if (read.max_timeout_ms != 0 && read.timeout_ms > read.max_timeout_ms)
		(void)w_read_refuse(reader, yyjson_obj_get(val, "timeout"),
		    "timeout is longer than max_timeout");
	reader->terms->limits = read;
}
