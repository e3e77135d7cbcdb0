/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Refuses duplicate keys: two readers of the same document could otherwise see
 * different values. The cost stays below quadratic for any keys.
 */

#include "data/json_keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/encode.h"

/* Up to this many keys are compared pairwise, mostly by their lengths alone;
 * more are sorted, which pays off late. */
#define FEW_KEYS 32

/* How much of a key a message quotes. */
#define SHOWN_MAX 60

static bool
is_same_text(yyjson_val *a, yyjson_val *b)
{
	size_t len = unsafe_yyjson_get_len(a);

	return len == unsafe_yyjson_get_len(b) &&
	       memcmp(unsafe_yyjson_get_str(a), unsafe_yyjson_get_str(b),
		   len) == 0;
}

/* By text, then by place in the document; any total order would do. */
static int
compare_keys(const void *left, const void *right)
{
	yyjson_val *const *a = left;
	yyjson_val *const *b = right;
	size_t a_len = yyjson_get_len(*a);
	size_t b_len = yyjson_get_len(*b);

	if (a_len != b_len)
		return a_len < b_len ? -1 : 1;
	int order = memcmp(yyjson_get_str(*a), yyjson_get_str(*b), a_len);
	if (order != 0)
		return order;
	return *a < *b ? -1 : *a > *b;
}

struct duplicate {
	yyjson_val *first;
	yyjson_val *second; /* NULL: no duplicates */
};

static struct duplicate
compare_all(yyjson_val *const *keys, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		for (size_t j = 0; j < i; j++) {
			if (is_same_text(keys[i], keys[j]))
				return (struct duplicate){keys[j], keys[i]};
		}
	}
	return (struct duplicate){NULL, NULL};
}

/* Of all duplicates the first in the document, so that the report does not
 * depend on the sort order. */
static struct duplicate
sort_all(yyjson_val **keys, size_t count)
{
	struct duplicate found = {NULL, NULL};

	qsort(keys, count, sizeof(yyjson_val *), compare_keys);
	for (size_t i = 1; i < count; i++) {
		if (!is_same_text(keys[i - 1], keys[i]))
			continue;
		if (found.second == NULL || keys[i] < found.second)
			found = (struct duplicate){keys[i - 1], keys[i]};
	}
	return found;
}

static writ_status
refuse_duplicate(const struct w_json_keys_source *source,
    const struct duplicate *duplicate, writ_error *err)
{
	const char *key = yyjson_get_str(duplicate->second);
	size_t len = yyjson_get_len(duplicate->second);
	size_t shown = w_utf8_trim_end(key, len < SHOWN_MAX ? len : SHOWN_MAX);
	unsigned line = 0;
	unsigned column = 0;

	source->place(source->ctx, duplicate->first, &line, &column);
	(void)w_fail(err, WRIT_E_INVALID, source->stage, 0,
	    "duplicate key '%.*s%s', first at %u:%u", (int)shown, key,
	    shown < len ? "..." : "", line, column);
	source->place(source->ctx, duplicate->second, &line, &column);
	w_locate(err, line, column);
	return WRIT_E_INVALID;
}

static writ_status
check_object(const struct w_json_keys_source *source, yyjson_val *object,
    writ_error *err)
{
	yyjson_val *few[FEW_KEYS];
	W_AUTO_FREE yyjson_val **many = NULL;
	yyjson_val **keys = few;
	size_t count = yyjson_obj_size(object);

	if (count > FEW_KEYS) {
		many = calloc(count, sizeof(yyjson_val *));
		if (many == NULL)
			return w_fail_nomem(err, source->stage);
		keys = many;
	}
	yyjson_obj_iter iter = yyjson_obj_iter_with(object);
	for (size_t i = 0; i < count; i++)
		keys[i] = yyjson_obj_iter_next(&iter);

	struct duplicate duplicate =
	    count > FEW_KEYS ? sort_all(keys, count) : compare_all(keys, count);
	if (duplicate.second != NULL)
		return refuse_duplicate(source, &duplicate, err);
	return WRIT_OK;
}

/* The values of a document are in one array, in the order of the text. */
writ_status
w_json_keys_check(const struct w_json_keys_source *source, writ_error *err)
{
	for (size_t i = 0; i < source->count; i++) {
		yyjson_val *val = &source->vals[i];

		if (!yyjson_is_obj(val) || yyjson_obj_size(val) < 2)
			continue;
		writ_status status = check_object(source, val, err);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}
