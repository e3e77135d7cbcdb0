/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_NUMBER_H
#define W_SCHEMA_NUMBER_H

#include <stdbool.h>

#include <yyjson.h>

/* Below, at or above 0 as a is less than, equal to or more than b. Exact, also
 * between whole numbers of 64 bits and fractions. */
int w_number_compare(yyjson_val *a, yyjson_val *b);

/* Whether a number has no fraction: 1.0 has none. */
bool w_number_is_whole(yyjson_val *value);

/* Whether value is a whole number of times divisor (more than 0), by the
 * decimal digits that both are written with: 0.3 is three times 0.1. */
bool w_number_is_multiple(yyjson_val *value, yyjson_val *divisor);

#endif /* W_SCHEMA_NUMBER_H */
