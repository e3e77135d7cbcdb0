/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_FACTUAL_H
#define W_TEST_FACTUAL_H

/* Maps of facts, as JSON. */

#include <string.h>

#include "manifest/facts/facts_sources.h"

static inline void
expect_json(const struct w_value *value, const char *expected)
{
	struct w_buf buf;

	w_buf_init(&buf, 100000);
	w_value_add_json(&buf, value, true);
	assert_string_equal(buf.data, expected);
	w_buf_done(&buf);
}

static inline void
expect_map(const struct w_fact_map *map, const char *expected)
{
	const struct w_value value = w_fact_map_value(map);

	assert_false(map->failed);
	expect_json(&value, expected);
}

/* What a reader of a text makes of it. */
static inline void
expect_facts(void (*add)(struct w_fact_map *map, const char *text, size_t len),
    const char *text, const char *expected)
{
	struct w_arena arena = {.chunks = NULL};
	struct w_fact_map map;

	w_fact_map_init(&map, &arena);
	add(&map, text, strlen(text));
	expect_map(&map, expected);
	w_arena_done(&arena);
}

#endif /* W_TEST_FACTUAL_H */
