/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_DATA_JSON_KEYS_H
#define W_DATA_JSON_KEYS_H

#include "data/json.h"

/* A tree, and how to find the place of one of its keys. */
struct w_json_keys_source {
	yyjson_val *vals; /* all values and keys, in the order of the text */
	size_t count;
	const char *stage;
	void (*place)(const void *ctx, const yyjson_val *key,
	    unsigned *out_line, unsigned *out_column);
	const void *ctx; /* first argument of place */
};

/* Fails for an object with a duplicate key, with the place of the second. */
writ_status w_json_keys_check(
    const struct w_json_keys_source *source, writ_error *err);

#endif /* W_DATA_JSON_KEYS_H */
