/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_EQUAL_H
#define W_SCHEMA_EQUAL_H

#include <stdbool.h>
#include <stddef.h>

#include <yyjson.h>

/* Values nested deeper are not compared: W_EQUAL_LIMIT. */
#define W_EQUAL_DEPTH_MAX 512

enum w_equal_answer {
	W_EQUAL_NO,
	W_EQUAL_YES,
	W_EQUAL_LIMIT, /* too deep, or *steps used up */
	W_EQUAL_NOMEM,
};

/* Whether two values are equal: 1 equals 1.0, members have no order. *steps is
 * decremented for each step. */
enum w_equal_answer w_equal(yyjson_val *a, yyjson_val *b, size_t *steps);

/* Whether two items of an array are equal; stores the first such pair in
 * out_pair (unless NULL). */
enum w_equal_answer w_equal_duplicates(
    yyjson_val *array, size_t *steps, yyjson_val *out_pair[2]);

#endif /* W_SCHEMA_EQUAL_H */
