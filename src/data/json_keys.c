/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Refusing duplicate keys: two readers of the same document could otherwise
 * see different values. The cost stays below the square of the number of
 * keys, whatever the keys are.
 */

#include "data/json_keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/encode.h"

/* Up to this many keys are compared each with each, mostly by their lengths
 * alone; more are sorted, which pays later than one would think. */
#define FEW_KEYS 32

/* How much of a key a message repeats. */
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

struct twins {
	yyjson_val *first;
	yyjson_val *second; /* NULL: every key is there once */
};

static struct twins
compare_all(yyjson_val *const *keys, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		for (size_t j = 0; j < i; j++) {
			if (is_same_text(keys[i], keys[j]))
				return (struct twins){keys[j], keys[i]};
		}
	}
	return (struct twins){NULL, NULL};
}

/* Of all repetitions the one that comes first in the document, so that what
 * is reported does not depend on the order of sorting. */
static struct twins
sort_all(yyjson_val **keys, size_t count)
{
	struct twins found = {NULL, NULL};

	qsort(keys, count, sizeof(yyjson_val *), compare_keys);
	for (size_t i = 1; i < count; i++) {
		if (!is_same_text(keys[i - 1], keys[i]))
			continue;
		if (found.second == NULL || keys[i] < found.second)
			found = (struct twins){keys[i - 1], keys[i]};
	}
	return found;
}

static writ_status
refuse_twins(const struct w_json_keys_source *source, const struct twins *twins,
    writ_error *err)
{
	const char *key = yyjson_get_str(twins->second);
	size_t len = yyjson_get_len(twins->second);
	size_t shown = w_utf8_trim_end(key, len < SHOWN_MAX ? len : SHOWN_MAX);
	unsigned line = 0;
	unsigned column = 0;

	source->place(source->ctx, twins->first, &line, &column);
	(void)w_fail(err, WRIT_E_INVALID, source->stage, 0,
	    "duplicate key '%.*s%s', first at %u:%u", (int)shown, key,
	    shown < len ? "..." : "", line, column);
	source->place(source->ctx, twins->second, &line, &column);
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

	struct twins twins =
	    count > FEW_KEYS ? sort_all(keys, count) : compare_all(keys, count);
	if (twins.second != NULL)
		return refuse_twins(source, &twins, err);
	return WRIT_OK;
}

/* The values of a document lie in one array, in the order of the text. */
writ_status
w_json_keys_check(const struct w_json_keys_source *source, writ_error *err)
{
	yyjson_val *all = yyjson_doc_get_root(source->doc);
	size_t count = yyjson_doc_get_val_count(source->doc);

	for (size_t i = 0; i < count; i++) {
		if (!yyjson_is_obj(&all[i]) || yyjson_obj_size(&all[i]) < 2)
			continue;
		writ_status status = check_object(source, &all[i], err);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}
