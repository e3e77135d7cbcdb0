/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_DATA_JSON_WORDS_H
#define W_DATA_JSON_WORDS_H

#include <stdbool.h>

#include <yyjson.h>

#include "base/error.h"

/* The type of a value in messages: "null", "true", "a number", "text", "a
 * list", "a map". */
const char *w_json_type_words(yyjson_val *val);

/* Whether it is a string without NUL. */
bool w_json_is_text(yyjson_val *val);

/* Fails for a key that is not among the names, a NULL-ended list, and suggests
 * the most similar one. what is its kind: "key", "limit". */
writ_status w_json_unknown_key(yyjson_val *key, const char *what,
    const char *const *names, const char *stage, writ_error *err);

#endif /* W_DATA_JSON_WORDS_H */
