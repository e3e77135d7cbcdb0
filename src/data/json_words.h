/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_DATA_JSON_WORDS_H
#define W_DATA_JSON_WORDS_H

#include <stdbool.h>

#include <yyjson.h>

#include "base/error.h"

/* What a refusal says about a value: "null", "true", "a number", "text",
 * "a list", "a map". */
const char *w_json_type_words(yyjson_val *val);

/* Whether it is a string that can be used as one of C. */
bool w_json_is_text(yyjson_val *val);

/* Refuses a key that is none of the names, which end with NULL, with the one
 * that was meant. what is what it should have been: "key", "limit". */
writ_status w_json_unknown_key(yyjson_val *key, const char *what,
    const char *const *names, const char *stage, writ_error *err);

#endif /* W_DATA_JSON_WORDS_H */
