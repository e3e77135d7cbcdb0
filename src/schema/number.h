/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_NUMBER_H
#define W_SCHEMA_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include <yyjson.h>

/* Whether a value is a number, including one kept as text because it was too
 * large. The functions below accept both. */
bool w_number_is(yyjson_val *value);

/* Negative, 0 or positive, like strcmp(). */
int w_number_compare(yyjson_val *a, yyjson_val *b);

/* Whether a number is an integer: 1.0 is one. */
bool w_number_is_whole(yyjson_val *value);

/* Whether value is a multiple of divisor (positive, not kept as text), computed
 * on decimal digits: 0.3 is a multiple of 0.1. */
bool w_number_is_multiple(yyjson_val *value, yyjson_val *divisor);

/* Equal numbers have the same hash. */
uint64_t w_number_hash(yyjson_val *value);

#endif /* W_SCHEMA_NUMBER_H */
