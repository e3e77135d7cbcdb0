/* SPDX-License-Identifier: Apache-2.0 */

/* Reads durations, numbers, modes and limits. */

#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "data/json_words.h"
#include "manifest/read/manifest_parser.h"

/* Texts may be templates, numbers may not. */
static bool
read_duration(struct w_parser *parser, yyjson_val *val, const char *what,
    uint64_t *out_ms)
{
	const struct w_manifest_location location =
	    w_parse_location(parser, val);
	struct w_property property = {.text = NULL};
	char digits[24];
	writ_error err = {.status = WRIT_OK};

	if (yyjson_is_uint(val)) {
		(void)snprintf(digits, sizeof(digits), "%llu",
		    (unsigned long long)yyjson_get_uint(val));
		property.text = digits;
	} else if (!yyjson_is_str(val)) {
		(void)w_parse_refuse(parser, val,
		    "%s: invalid duration: it must be text, not %s", what,
		    w_json_type_words(val));
		w_parse_suggest(
		    parser, "write numbers with units, such as 90s or 1h30m");
		return false;
	} else if (!w_parse_fill(parser, val, what, &property)) {
		return false;
	}
	return w_manifest_duration(property.text, out_ms, &err) == WRIT_OK ||
	       w_parse_refuse_error(parser, &location, what, &err);
}

void
w_parse_duration(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	(void)read_duration(parser, val, key->name, member);
}

static bool
manifest_number_read_number(struct w_parser *parser, yyjson_val *val,
    const char *what, uint64_t min, uint64_t max, uint64_t *out_number)
{
	if (!yyjson_is_uint(val) || yyjson_get_uint(val) < min ||
	    yyjson_get_uint(val) > max) {
		(void)w_parse_refuse(parser, val,
		    "%s must be a whole number from %llu to %llu", what,
		    (unsigned long long)min, (unsigned long long)max);
		if (yyjson_is_str(val))
			w_parse_suggest(parser, "leave the quotes out");
		return false;
	}
	*out_number = yyjson_get_uint(val);
	return true;
}

void
w_parse_tries(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	unsigned *tries = member;
	uint64_t number;

	if (manifest_number_read_number(
		parser, val, key->name, 1, W_MANIFEST_TRIES_MAX, &number))
		*tries = (unsigned)number;
}

bool
w_parse_octal(struct w_parser *parser, yyjson_val *val, const char *what,
    unsigned max, unsigned *out_mode)
{
	struct w_property property = {.text = NULL};
	char digits[24];
	char shown[W_PARSE_SHOWN_MAX];
	unsigned mode = 0;

	/* A number is taken literally: 644 is 0644. */
	if (yyjson_is_uint(val)) {
		(void)snprintf(digits, sizeof(digits), "%llu",
		    (unsigned long long)yyjson_get_uint(val));
		property.text = digits;
	} else if (!w_parse_fill(parser, val, what, &property)) {
		return false;
	}
	const char *at = property.text;
	if (*at == '\0')
		return w_parse_refuse(parser, val, "%s cannot be empty", what);
	if (strncmp(at, "0o", 2) == 0 || strncmp(at, "0O", 2) == 0)
		at += 2;
	for (; *at >= '0' && *at <= '7' && mode <= max; at++)
		mode = mode * 8 + (unsigned)(*at - '0');
	w_parse_shown(parser, property.text, shown);
	if (mode > max)
		return w_parse_refuse(parser, val,
		    "%s '%s' exceeds maximum value 0%o", what, shown, max);
	if (*at != '\0' || at[-1] == 'o' || at[-1] == 'O')
		return w_parse_refuse(parser, val,
		    "%s '%s' is not a valid octal number", what, shown);
	*out_mode = mode;
	return true;
}

/* ---- limits ---- */

static bool
refuse_zero(struct w_parser *parser, yyjson_val *val, const char *what)
{
	(void)w_parse_refuse(parser, val, "%s must not be 0", what);
	w_parse_suggest(parser, "leave it out for no limit");
	return false;
}

static void
manifest_number_read_size(struct w_parser *parser,
    const struct w_parse_key *key, void *member, yyjson_val *val)
{
	const struct w_manifest_location location =
	    w_parse_location(parser, val);
	char digits[24];
	const char *text = yyjson_get_str(val);
	uint64_t size = 0;
	writ_error err = {.status = WRIT_OK};

	if (yyjson_is_uint(val)) {
		(void)snprintf(digits, sizeof(digits), "%llu",
		    (unsigned long long)yyjson_get_uint(val));
		text = digits;
	} else if (!w_json_is_text(val)) {
		(void)w_parse_refuse(parser, val,
		    "%s must be a size such as 64MiB, not %s", key->name,
		    w_json_type_words(val));
		return;
	}
	if (w_size_parse(text, &size, &err) != WRIT_OK)
		(void)w_parse_refuse_error(parser, &location, key->name, &err);
	else if (size == 0)
		(void)refuse_zero(parser, val, key->name);
	else
		memcpy(member, &size, sizeof(size));
}

static void
read_time(struct w_parser *parser, const struct w_parse_key *key, void *member,
    yyjson_val *val)
{
	uint64_t ms = 0;

	if (!read_duration(parser, val, key->name, &ms))
		return;
	if (ms == 0)
		(void)refuse_zero(parser, val, key->name);
	else
		memcpy(member, &ms, sizeof(ms));
}

static void
read_count(struct w_parser *parser, const struct w_parse_key *key, void *member,
    yyjson_val *val)
{
	(void)manifest_number_read_number(
	    parser, val, key->name, 1, UINT32_MAX, member);
}

const struct w_parse_key w_parse_limit_keys[] = {
    {"memory", manifest_number_read_size,
	offsetof(struct w_exec_limits, memory)},
    {"cpu", read_time, offsetof(struct w_exec_limits, cpu_ms)},
    {"processes", read_count, offsetof(struct w_exec_limits, processes)},
    {"open_files", read_count, offsetof(struct w_exec_limits, open_files)},
    {"file_size", manifest_number_read_size,
	offsetof(struct w_exec_limits, file_size)},
    {"max_output", manifest_number_read_size,
	offsetof(struct w_exec_limits, max_output)},
    {"output", manifest_number_read_size,
	offsetof(struct w_exec_limits, output)},
    {"idle", read_time, offsetof(struct w_exec_limits, idle_ms)},
    {NULL, NULL, 0},
};

void
w_parse_limits(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	struct w_exec_limits *limits = member;
	struct w_exec_limits read = {.memory = 0};

	(void)key;
	if (w_parse_map(parser, val, "limits", w_parse_limit_keys, &read))
		*limits = read;
}
