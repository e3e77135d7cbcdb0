/* SPDX-License-Identifier: Apache-2.0 */

/*
 * YAML documents: what is accepted keeps every limit and has no key twice,
 * every value has a place inside the text and in its order, and what is
 * refused says why.
 */

#include "data/yaml.h"

#include "check.h"

#define DEPTH_MAX 8

static const struct w_json_limits limits = {
    .bytes_max = 4096, .depth_max = DEPTH_MAX};

struct place {
	unsigned line;
	unsigned column;
};

static void
check_place(
    const struct w_yaml *yaml, yyjson_val *val, size_t size, struct place *last)
{
	struct place place = {0, 0};

	w_yaml_place(yaml, val, &place.line, &place.column);
	CHECK(place.line > 0 && place.line <= size + 1);
	CHECK(place.column > 0 && place.column <= size + 1);
	CHECK(place.line > last->line ||
	      (place.line == last->line && place.column >= last->column));
	*last = place;
}

/* Recursion is bounded: the depth is what is being checked. */
static void
check_value(const struct w_yaml *yaml, yyjson_val *val, size_t depth,
    size_t size, struct place *last)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *item;

	check_place(yaml, val, size, last);
	if (yyjson_is_str(val))
		CHECK(w_utf8_valid(yyjson_get_str(val), yyjson_get_len(val)));
	if (yyjson_is_ctn(val))
		CHECK(depth < DEPTH_MAX);
	yyjson_arr_foreach(val, i, count, item)
	{
		check_value(yaml, item, depth + 1, size, last);
	}
	yyjson_obj_foreach(val, i, count, key, item)
	{
		CHECK(yyjson_is_str(key));
		check_place(yaml, key, size, last);
		/* A lookup finds the first of its name: this very one. */
		CHECK(yyjson_obj_getn(val, yyjson_get_str(key),
			  yyjson_get_len(key)) == item);
		check_value(yaml, item, depth + 1, size, last);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = copy_exact(data, size);
	struct w_yaml *yaml = NULL;
	writ_error err = {.status = WRIT_OK};
	writ_status status = w_yaml_read(text, size, &limits, &yaml, &err);

	if (status == WRIT_OK) {
		struct place last = {0, 0};

		CHECK(size <= limits.bytes_max);
		check_value(yaml, w_yaml_root(yaml), 0, size, &last);
		w_yaml_free(yaml);
	} else {
		CHECK(yaml == NULL);
		check_error(&err, status);
	}
	free(text);
	return 0;
}
