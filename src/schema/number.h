/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_NUMBER_H
#define W_SCHEMA_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include <yyjson.h>

/* Whether a value is a number, also one that was too big and is kept as its
 * text. The functions below take all of these. */
bool w_number_is(yyjson_val *value);

/* Below, at or above 0 as a is less than, equal to or more than b. */
int w_number_compare(yyjson_val *a, yyjson_val *b);

/* Whether a number has no fraction: 1.0 has none. */
bool w_number_is_whole(yyjson_val *value);

/* Whether value is a whole number of times divisor (more than 0, no text), by
 * the decimal digits that both are written with: 0.3 is three times 0.1. */
bool w_number_is_multiple(yyjson_val *value, yyjson_val *divisor);

/* The same for equal numbers. */
uint64_t w_number_hash(yyjson_val *value);

#endif /* W_SCHEMA_NUMBER_H */
