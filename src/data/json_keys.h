/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_DATA_JSON_KEYS_H
#define W_DATA_JSON_KEYS_H

#include "data/json.h"

/* How many values and keys the document has. They lie in one array, in the
 * order of the text, which begins with the root. */
size_t w_json_count(const struct w_json *json);

/* Refuses an object that has a key twice, with the place of the second. */
writ_status w_json_keys_check(const struct w_json *json, writ_error *err);

#endif /* W_DATA_JSON_KEYS_H */
