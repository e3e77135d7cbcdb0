/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Compares values, and finds duplicates in an array. Items are grouped by a
 * hash first, so that a long array does not take quadratic time.
 */

#include "schema/equal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "schema/hash.h"
#include "schema/number.h"

/* Up to this many items are compared pairwise. */
#define FEW_ITEMS 8

static enum w_equal_answer equal_compare(
    yyjson_val *a, yyjson_val *b, size_t *steps, unsigned depth);

static enum w_equal_answer
compare_arrays(yyjson_val *a, yyjson_val *b, size_t *steps, unsigned depth)
{
	yyjson_arr_iter left = yyjson_arr_iter_with(a);
	yyjson_arr_iter right = yyjson_arr_iter_with(b);
	yyjson_val *item = yyjson_arr_iter_next(&left);

	for (; item != NULL; item = yyjson_arr_iter_next(&left)) {
		enum w_equal_answer answer = equal_compare(
		    item, yyjson_arr_iter_next(&right), steps, depth + 1);
		if (answer != W_EQUAL_YES)
			return answer;
	}
	return W_EQUAL_YES;
}

static enum w_equal_answer
compare_objects(yyjson_val *a, yyjson_val *b, size_t *steps, unsigned depth)
{
	yyjson_obj_iter left = yyjson_obj_iter_with(a);
	yyjson_obj_iter right = yyjson_obj_iter_with(b);
	yyjson_val *key = yyjson_obj_iter_next(&left);

	/* The iterator continues from its last position: objects with the same
	 * key order are compared in one pass. */
	for (; key != NULL; key = yyjson_obj_iter_next(&left)) {
		size_t before = right.idx;
		yyjson_val *other = yyjson_obj_iter_getn(
		    &right, yyjson_get_str(key), yyjson_get_len(key));
		if (other == NULL)
			return W_EQUAL_NO;
		if (right.idx != before + 1) {
			size_t search = yyjson_obj_size(b) / 4;
			if (*steps <= search)
				return W_EQUAL_LIMIT;
			*steps -= search;
		}
		enum w_equal_answer answer = equal_compare(
		    yyjson_obj_iter_get_val(key), other, steps, depth + 1);
		if (answer != W_EQUAL_YES)
			return answer;
	}
	return W_EQUAL_YES;
}

/* Recursion is bounded by W_EQUAL_DEPTH_MAX. */
static enum w_equal_answer
equal_compare(yyjson_val *a, yyjson_val *b, size_t *steps, unsigned depth)
{
	yyjson_type type = yyjson_get_type(a);

	if (w_number_is(a) && w_number_is(b))
		return w_number_compare(a, b) == 0 ? W_EQUAL_YES : W_EQUAL_NO;
	if (type != yyjson_get_type(b))
		return W_EQUAL_NO;
	switch (type) {
	case YYJSON_TYPE_STR:
		return yyjson_get_len(a) == yyjson_get_len(b) &&
			       memcmp(yyjson_get_str(a), yyjson_get_str(b),
				   yyjson_get_len(a)) == 0
			   ? W_EQUAL_YES
			   : W_EQUAL_NO;
	case YYJSON_TYPE_ARR:
	case YYJSON_TYPE_OBJ:
		if (yyjson_get_len(a) != yyjson_get_len(b))
			return W_EQUAL_NO;
		if (*steps <= yyjson_get_len(a) || depth >= W_EQUAL_DEPTH_MAX)
			return W_EQUAL_LIMIT;
		*steps -= yyjson_get_len(a);
		return yyjson_is_arr(a) ? compare_arrays(a, b, steps, depth)
					: compare_objects(a, b, steps, depth);
	default:
		/* null, true and false differ only in the subtype. */
		return yyjson_get_subtype(a) == yyjson_get_subtype(b)
			   ? W_EQUAL_YES
			   : W_EQUAL_NO;
	}
}

enum w_equal_answer
w_equal(yyjson_val *a, yyjson_val *b, size_t *steps)
{
	return equal_compare(a, b, steps, 0);
}

/* Equal values have the same hash. Members are summed up, since they have no
 * order. */
static uint64_t
sum_of(yyjson_val *value, unsigned depth)
{
	uint64_t sum = (uint64_t)yyjson_get_type(value);
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *item;

	if (w_number_is(value))
		return w_number_hash(value);
	if (yyjson_is_str(value))
		return w_hash_bytes(
		    yyjson_get_str(value), yyjson_get_len(value));
	if (!yyjson_is_ctn(value))
		return sum * 8 + (uint64_t)yyjson_get_subtype(value);
	if (depth >= W_EQUAL_DEPTH_MAX)
		return 0;
	yyjson_arr_foreach(value, i, count, item) sum =
	    w_hash_mix(sum, sum_of(item, depth + 1));
	yyjson_obj_foreach(value, i, count, key, item) sum +=
	    w_hash_mix(sum_of(key, depth), sum_of(item, depth + 1));
	return sum;
}

struct summed {
	uint64_t sum;
	yyjson_val *item;
};

static int
compare_sums(const void *left, const void *right)
{
	const struct summed *a = left;
	const struct summed *b = right;

	if (a->sum != b->sum)
		return a->sum < b->sum ? -1 : 1;
	return a->item < b->item ? -1 : a->item > b->item;
}

static enum w_equal_answer
compare_pair(
    yyjson_val *a, yyjson_val *b, size_t *steps, yyjson_val *out_pair[2])
{
	if (*steps == 0)
		return W_EQUAL_LIMIT;
	--*steps;
	enum w_equal_answer answer = equal_compare(a, b, steps, 0);
	if (answer == W_EQUAL_YES && out_pair != NULL) {
		out_pair[0] = a;
		out_pair[1] = b;
	}
	return answer;
}

static enum w_equal_answer
search_few(yyjson_val *array, size_t *steps, yyjson_val *out_pair[2])
{
	yyjson_val *items[FEW_ITEMS];
	size_t i;
	size_t count;
	yyjson_val *item;

	yyjson_arr_foreach(array, i, count, item)
	{
		items[i] = item;
		for (size_t j = 0; j < i; j++) {
			enum w_equal_answer answer =
			    compare_pair(items[j], item, steps, out_pair);
			if (answer != W_EQUAL_NO)
				return answer;
		}
	}
	return W_EQUAL_NO;
}

/* Compares items with the same hash; the list is sorted by hash. */
static enum w_equal_answer
search_sorted(const struct summed *list, size_t count, size_t *steps,
    yyjson_val *out_pair[2])
{
	for (size_t i = 0; i < count; i++) {
		for (size_t j = i + 1; j < count && list[j].sum == list[i].sum;
		     j++) {
			enum w_equal_answer answer = compare_pair(
			    list[i].item, list[j].item, steps, out_pair);
			if (answer != W_EQUAL_NO)
				return answer;
		}
	}
	return W_EQUAL_NO;
}

enum w_equal_answer
w_equal_duplicates(yyjson_val *array, size_t *steps, yyjson_val *out_pair[2])
{
	size_t i;
	size_t count;
	yyjson_val *item;

	if (yyjson_arr_size(array) <= FEW_ITEMS)
		return search_few(array, steps, out_pair);
	W_AUTO_FREE struct summed *list =
	    calloc(yyjson_arr_size(array), sizeof(*list));
	if (list == NULL)
		return W_EQUAL_NOMEM;
	yyjson_arr_foreach(array, i, count, item)
	{
		list[i] = (struct summed){sum_of(item, 0), item};
	}
	qsort(list, count, sizeof(*list), compare_sums);
	return search_sorted(list, count, steps, out_pair);
}
