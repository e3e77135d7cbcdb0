/* SPDX-License-Identifier: Apache-2.0 */

/* Reading limits: durations, sizes and numbers, none of them zero. */

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/match.h"
#include "base/size.h"
#include "data/json_words.h"
#include "policy/reading.h"

static const struct limit {
	const char *name;
	enum {
		DURATION,
		SIZE,
		NUMBER
	} kind;
	size_t offset;
} limits[] = {
#define LIMIT(name, kind, member)                                    \
	{                                                            \
		name, kind, offsetof(struct w_policy_limits, member) \
	}
    LIMIT("timeout", DURATION, timeout_ms),
    LIMIT("max_timeout", DURATION, max_timeout_ms),
    LIMIT("idle", DURATION, idle_ms),
    LIMIT("output", SIZE, output),
    LIMIT("spill", SIZE, spill),
    LIMIT("max_output", SIZE, max_output),
    LIMIT("cpu", DURATION, cpu_ms),
    LIMIT("memory", SIZE, memory),
    LIMIT("processes", NUMBER, processes),
    LIMIT("open_files", NUMBER, open_files),
    LIMIT("file_size", SIZE, file_size),
    LIMIT("tmp", SIZE, tmp),
#undef LIMIT
};

#define LIMIT_COUNT (sizeof(limits) / sizeof(limits[0]))

static bool
read_number(struct w_reading *reading, const struct limit *limit,
    yyjson_val *val, uint64_t *out_number)
{
	if (!yyjson_is_uint(val) || yyjson_get_uint(val) > UINT32_MAX)
		return w_read_refuse(reading, val,
		    "%s must be a whole number of at most %u", limit->name,
		    UINT32_MAX);
	*out_number = yyjson_get_uint(val);
	return true;
}

/* A duration or size: text, and a plain number as the text that it is. */
static bool
read_measure(struct w_reading *reading, const struct limit *limit,
    yyjson_val *val, uint64_t *out_number)
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
		return w_read_refuse(reading, val, "%s must be a %s, not %s",
		    limit->name,
		    limit->kind == SIZE ? "size such as 64MiB"
					: "duration such as 90s",
		    w_json_type_words(val));
	}
	status = limit->kind == SIZE ? w_size_parse(text, out_number, &err)
				     : w_duration_parse(text, out_number, &err);
	return status == WRIT_OK ||
	       w_read_refuse_error(reading, val, limit->name, &err);
}

static void
read_limit(struct w_reading *reading, struct w_policy_limits *into,
    const struct limit *limit, yyjson_val *val)
{
	uint64_t number = 0;

	if (limit->kind == NUMBER ? !read_number(reading, limit, val, &number)
				  : !read_measure(reading, limit, val, &number))
		return;
	if (number == 0) {
		(void)w_read_refuse(
		    reading, val, "%s must not be 0", limit->name);
		w_read_suggest(reading, "leave it out for no limit");
		return;
	}
	memcpy((char *)into + limit->offset, &number, sizeof(number));
}

static void
refuse_name(struct w_reading *reading, yyjson_val *key)
{
	const char *names[LIMIT_COUNT + 1] = {NULL};
	const char *name = w_read_word(key);

	for (size_t i = 0; i < LIMIT_COUNT; i++)
		names[i] = limits[i].name;
	(void)w_read_refuse(reading, key, "there is no limit '%.60s'", name);
	w_read_suggest_word(reading, w_match_nearest(name, names));
}

static const struct limit *
find_limit(yyjson_val *key)
{
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		if (yyjson_equals_str(key, limits[i].name))
			return &limits[i];
	}
	return NULL;
}

void
w_read_limits(
    struct w_reading *reading, void *target, yyjson_val *key, yyjson_val *val)
{
	struct w_policy_limits read = {.timeout_ms = 0};
	size_t i;
	size_t count;
	yyjson_val *name;
	yyjson_val *item;

	(void)target;
	(void)key;
	if (!yyjson_is_obj(val)) {
		(void)w_read_refuse(reading, val,
		    "limits must be a map, not %s", w_json_type_words(val));
		return;
	}
	yyjson_obj_foreach(val, i, count, name, item)
	{
		const struct limit *limit = find_limit(name);

		if (limit == NULL)
			refuse_name(reading, name);
		else
			read_limit(reading, &read, limit, item);
	}
	if (read.max_timeout_ms != 0 && read.timeout_ms > read.max_timeout_ms)
		(void)w_read_refuse(reading, yyjson_obj_get(val, "timeout"),
		    "timeout is longer than max_timeout");
	reading->terms->limits = read;
}
