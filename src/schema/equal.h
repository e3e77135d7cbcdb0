/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_EQUAL_H
#define W_SCHEMA_EQUAL_H

#include <stdbool.h>
#include <stddef.h>

#include <yyjson.h>

/* Nested deeper than this, values are not compared. */
#define W_EQUAL_DEPTH_MAX 512

enum w_equal_answer {
	W_EQUAL_NO,
	W_EQUAL_YES,
	W_EQUAL_LIMIT, /* it would take too long to say */
	W_EQUAL_NOMEM,
};

/* Whether two values mean the same: 1 is 1.0, members have no order. Each step
 * takes one off *steps. */
enum w_equal_answer w_equal(yyjson_val *a, yyjson_val *b, size_t *steps);

/* Whether two items of an array are equal; the first such pair is put into
 * out_pair (unless NULL). */
enum w_equal_answer w_equal_duplicates(
    yyjson_val *array, size_t *steps, yyjson_val *out_pair[2]);

#endif /* W_SCHEMA_EQUAL_H */
